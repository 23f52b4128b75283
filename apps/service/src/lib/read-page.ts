import type { Place } from "./cursor.js";

/** One page of a list, and where its neighbours start; null if there is none. */
export interface PageOf<Row, Position> {
  rows: Row[];
  previous: Place<Position> | null;
  next: Place<Position> | null;
}

/**
 * Reads one page of a list that has an index in its order. A previous page is read backwards from where the current one starts, so
 * entries that were added meanwhile move nothing. A previous page that reaches the start of the list is the first page, in its
 * full length.
 *
 * @param read reads rows after a place, or before it from the nearest to the farthest; from the start of the list without a place
 */
export async function readPage<Row, Position>(
  place: Place<Position> | undefined,
  limit: number,
  read: (place: Place<Position> | undefined, limit: number) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): Promise<PageOf<Row, Position>> {
  const found = await read(place, limit + 1);
  const hasMore = found.length > limit;
  const isBackward = place?.direction === "before";
  if (isBackward && !hasMore) return readPage(undefined, limit, read, positionOf);
  const page = found.slice(0, limit);
  const rows = isBackward ? page.toReversed() : page;
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    rows,
    previous: place && first ? { direction: "before", at: positionOf(first) } : null,
    next: last && (hasMore || isBackward) ? { direction: "after", at: positionOf(last) } : null,
  };
}
