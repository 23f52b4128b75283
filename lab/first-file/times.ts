/** Ends a step. The next one begins. */
export type Lap = (step: string) => void;

export interface Times {
  /** Starts the clock of a row. @param options.counts false for a round that only warms up */
  start(row: string, options: { counts: boolean }): Lap;
  /** The rows that were measured. */
  rows(): string[];
  /** A table in Markdown with the medians: seconds since the start of the row, at the end of each step. */
  render(): string;
}

export function createTimes(now: () => number = () => performance.now()): Times {
  const rows = new Map<string, Map<string, number[]>>();

  function start(row: string, { counts }: { counts: boolean }): Lap {
    const begin = now();
    return (step) => {
      const seconds = (now() - begin) / 1000;
      console.log(`${counts ? "" : "(warm-up) "}${row}: ${step} after ${seconds.toFixed(1)} s`);
      if (!counts) return;
      const steps = rows.get(row) ?? new Map<string, number[]>();
      rows.set(row, steps);
      steps.set(step, [...(steps.get(step) ?? []), seconds]);
    };
  }

  function render(): string {
    const lines = [...rows].flatMap(([row, steps]) =>
      [...steps].map(([step, seconds]) => {
        const sorted = seconds.toSorted((a, b) => a - b);
        const spread = `${sorted[0]!.toFixed(1)} to ${sorted.at(-1)!.toFixed(1)} s`;
        return `| ${row} | ${step} | ${median(sorted).toFixed(1)} s | ${spread} |`;
      }),
    );
    return ["| row | step | after | rounds |", "|---|---|---|---|", ...lines].join("\n");
  }

  return { start, rows: () => [...rows.keys()], render };
}

function median(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
