import type { RowTools } from "./row.js";

type End = () => Promise<unknown>;

/** Runs work with clean-ups, which run in reverse order afterwards. @throws the error of the work, else that of the clean-ups */
export async function withTools<T>(
  say: (line: string) => void,
  work: (tools: RowTools) => Promise<T>,
): Promise<T> {
  const ends: End[] = [];
  let result: T;
  try {
    result = await work({ atEnd: (end) => void ends.push(end), say });
  } catch (error) {
    await runAll(ends).catch((failure: unknown) => say(String(failure)));
    throw error;
  }
  await runAll(ends);
  return result;
}

/** Runs them all, in reverse order. @throws {AggregateError} afterwards, if some have failed */
async function runAll(ends: End[]): Promise<void> {
  const errors: unknown[] = [];
  for (const end of ends.toReversed()) await end().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, "processes of the row could not be ended");
}
