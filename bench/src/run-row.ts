import type { Figure, Row } from "./row.js";

/** Runs one row and cleans up after it. @throws what the row throws */
export async function runRow(row: Row, say: (line: string) => void): Promise<Figure[]> {
  const ends: (() => Promise<unknown>)[] = [];
  try {
    return await row.run({ atEnd: (end) => void ends.push(end), say });
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
