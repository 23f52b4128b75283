/*
 * Which rows of a long list are rendered. A library measures the rows and follows the scroll position; this file turns what it
 * found into rows and spaces. Positions are pixels from the top of the first row.
 */

/** From this length on, a list renders only the rows near the visible ones. */
export const LONG_LIST_ROWS = 100;

/** The rows to render, as they were measured. */
export interface MeasuredRows {
  slots: readonly { index: number; start: number; end: number }[];
  /** Height of all rows, with those that are not rendered. */
  heightPx: number;
  /** The gap that the list sets between its rows. */
  gapPx: number;
}

/** A row to render, and the height of the rows before it that are not rendered. */
export interface RowSlot {
  index: number;
  spacePx: number;
}

/** The first rows of a list, without spaces. */
export const firstSlots = (count: number): RowSlot[] =>
  Array.from({ length: count }, (_, index) => ({ index, spacePx: 0 }));

/**
 * @param rowCount of the list now. Rows may have been removed since they were measured
 * @returns the rows to render, and the height of the rows after the last one
 */
export function slotsOf({ slots, heightPx, gapPx }: MeasuredRows, rowCount: number) {
  let lastEnd = -gapPx;
  const shown: RowSlot[] = [];
  for (const { index, start, end } of slots) {
    if (index < rowCount) {
      // The list adds its own gap before and after the space.
      shown.push({ index, spacePx: start - lastEnd - 2 * gapPx });
      lastEnd = end;
    }
  }
  return { slots: shown, endPx: heightPx - lastEnd - gapPx };
}
