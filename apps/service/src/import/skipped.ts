/** Objects that got no file for one reason. */
export interface Skipped {
  reason: string;
  count: number;
  /** The keys of the first ones. */
  examples: string[];
}

const MAX_EXAMPLES = 5;
/** A source may answer any code. */
const MAX_REASONS = 50;

export function addSkipped(all: Skipped[], reason: string, key: string): void {
  const isKnown = all.some((each) => each.reason === reason);
  const shown = isKnown || all.length < MAX_REASONS ? reason : "other";
  let one = all.find((each) => each.reason === shown);
  if (!one) {
    one = { reason: shown, count: 0, examples: [] };
    all.push(one);
  }
  one.count++;
  if (one.examples.length < MAX_EXAMPLES) one.examples.push(key);
}

/** How many objects are left: folders that are objects are no files. */
export function countLeft(all: Skipped[]): number {
  return all.reduce((sum, { reason, count }) => sum + (reason === "folder_marker" ? 0 : count), 0);
}
