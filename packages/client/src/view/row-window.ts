// Only the code for long lists needs this, which is loaded with the first one.

/** Height of a row of the styled components. Rows are measured when they are rendered. */
export const ROW_PX = 68;
/** Rows that are rendered above and below the visible ones, so that scrolling shows no gap. */
export const OVERSCAN_ROWS = 8;

/** The id of the row that has the focus, or null. */
export function focusedRowId(list: HTMLElement | null): string | null {
  const row = list?.querySelector<HTMLElement>("[data-id]:focus, [data-id]:focus-within");
  return row?.dataset["id"] ?? null;
}

/** Adds the focused row and its neighbours to the visible rows, so that the focus stays and Tab continues from there. */
export function withFocusedRow(
  visible: readonly number[],
  focusedId: string | null,
  ids: readonly string[],
): number[] {
  const focused = focusedId === null ? -1 : ids.indexOf(focusedId);
  const neighbours = focused === -1 ? [] : [focused - 1, focused, focused + 1];
  const existing = neighbours.filter((index) => index >= 0 && index < ids.length);
  return [...new Set([...visible, ...existing])].sort((a, b) => a - b);
}
