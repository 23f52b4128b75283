import type { Summary } from "./measure/statistics.js";

/** One line of the results table. */
export interface Figure {
  measured: string;
  against: string;
  /** The measured side divided by the other. */
  ratio: Summary;
  /** Undefined for a figure without a target. */
  target?: { atLeast: number } | { atMost: number } | undefined;
  /** Further values with their units: each side's median, CPU per request. */
  details: string;
}

/** What one command measures. */
export interface Row {
  /** `pnpm lab bench <name>` */
  name: string;
  run(tools: RowTools): Promise<Figure[]>;
}

export interface RowTools {
  /** Registers a clean-up. Clean-ups run in reverse order when the row ends, also after an error. */
  atEnd(end: () => Promise<unknown>): void;
  say(line: string): void;
}

export function isTargetReached({ ratio, target }: Pick<Figure, "ratio" | "target">): boolean | undefined {
  if (!target) return undefined;
  return "atLeast" in target ? ratio.median >= target.atLeast : ratio.median <= target.atMost;
}
