// Only the code for long lists needs this, which is loaded with the first one.

/** Height of a row of the styled components. Rows are measured when they are rendered. */
export const ROW_PX = 68;
/** Rows that are rendered above and below the visible ones, so that Tab always finds the next button. */
export const OVERSCAN_ROWS = 8;

/** Adds the row that has the focus and its neighbours to the visible rows, so that the focus stays and Tab goes on from there. */
export function withFocusedRow(
  visible: readonly number[],
  list: HTMLElement | null,
  ids: readonly string[],
): number[] {
  const row = list?.querySelector<HTMLElement>("[data-id]:focus, [data-id]:focus-within");
  const focused = row ? ids.indexOf(row.dataset["id"] ?? "") : -1;
  const neighbours = focused === -1 ? [] : [focused - 1, focused, focused + 1];
  const existing = neighbours.filter((index) => index >= 0 && index < ids.length);
  return [...new Set([...visible, ...existing])].sort((a, b) => a - b);
}
