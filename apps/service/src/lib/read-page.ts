import type { Place } from "./cursor.js";

/** One page of a list, and where its neighbours start; null if there is none. */
export interface PageOf<Row, Position> {
  rows: Row[];
  previous: Place<Position> | null;
  next: Place<Position> | null;
  /** Whether the page was read backwards. A search that has read only a part of the list continues in that direction. */
  isBackward: boolean;
}

/** Rows in the direction of reading, and the position after which the rest of the list starts; null if there is no rest. */
export interface Part<Row, Position> {
  rows: Row[];
  rest: Position | null;
}

interface Reading<Position> {
  /** Whether to read the list in the opposite order. */
  isBackward: boolean;
  /** Undefined at the start of the list. */
  after: Position | undefined;
}

/**
 * Reads one page of a list that has an index in its order. A previous page is read backwards from where the current one starts, so
 * entries that were added meanwhile move nothing. A previous page that reaches the start of the list is the first page, in its
 * full length.
 *
 * @param options.including the position right before another one, in the direction of reading. A page of a search can be empty, and
 * its neighbour on the other side then starts with the entry at the position itself. Without it, that neighbour is null
 */
export async function readPage<Row, Position>(options: {
  place: Place<Position> | undefined;
  read: (reading: Reading<Position>) => Promise<Part<Row, Position>>;
  positionOf: (row: Row) => Position;
  including?: (position: Position, isBackward: boolean) => Position;
}): Promise<PageOf<Row, Position>> {
  const { place, read, positionOf, including } = options;
  const isBackward = place?.direction === "before";
  const { rows, rest } = await read({ isBackward, after: place?.at });
  if (isBackward && rest === null) return readPage({ ...options, place: undefined });
  const origin = rows[0] ? positionOf(rows[0]) : place && including?.(place.at, !isBackward);
  const [before, after] = isBackward ? [rest, origin] : [place && origin, rest];
  return {
    rows: isBackward ? rows.toReversed() : rows,
    previous: before ? { direction: "before", at: before } : null,
    next: after ? { direction: "after", at: after } : null,
    isBackward,
  };
}

/** @param rows one more than `limit`, if there are so many */
export function cutAt<Row, Position>(
  rows: Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): Part<Row, Position> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, rest: rows.length > limit && last ? positionOf(last) : null };
}
