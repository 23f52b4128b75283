import type { RowTools } from "./row.js";

/** Does work that starts things, and ends them afterwards, the last one first. @throws what the work throws */
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
