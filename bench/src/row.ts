import type { Summary } from "./measure/statistics.js";

/** One line of the table. */
export interface Figure {
  measured: string;
  against: string;
  /** The measured side in parts of the other. */
  ratio: Summary;
  toReach: { atLeast: number } | { atMost: number };
  /** What else a reader wants to know: each side's own median, CPU per request. Written with its unit. */
  beside: string;
}

/** What one command measures. */
export interface Row {
  /** `pnpm bench <name>` */
  name: string;
  run(tools: RowTools): Promise<Figure[]>;
}

export interface RowTools {
  /** Called, in reverse order, when the row has ended, however it ended. */
  atEnd(end: () => Promise<unknown>): void;
  say(line: string): void;
}

export function holds({ ratio, toReach }: Figure): boolean {
  return "atLeast" in toReach ? ratio.median >= toReach.atLeast : ratio.median <= toReach.atMost;
}
