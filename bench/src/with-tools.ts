import type { RowTools } from "./row.js";

/** Runs work with clean-ups, which run in reverse order afterwards. @throws the error of the work */
export async function withTools<T>(
  say: (line: string) => void,
  work: (tools: RowTools) => Promise<T>,
): Promise<T> {
  const ends: (() => Promise<unknown>)[] = [];
  try {
    return await work({ atEnd: (end) => void ends.push(end), say });
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
