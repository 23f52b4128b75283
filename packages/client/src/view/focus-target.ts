/** The element that had the focus, and its row. */
export interface LastFocus {
  element: HTMLElement;
  row: HTMLElement | null;
  index: number;
}

/** What had the focus in this root. */
export function lastFocusAt(element: HTMLElement, root: HTMLElement | null): LastFocus {
  const row = element.closest<HTMLElement>("[data-id]");
  return { element, row, index: rowsIn(root).indexOf(row) };
}

/** Where the focus goes when its element has disappeared: to the same file, else to the file that took its place, else to the trigger. */
export function focusTarget(root: HTMLElement, { row, index }: LastFocus): HTMLElement {
  // The row, not its next button: pressing the key a second time must not undo the first press.
  if (row?.isConnected) {
    return row;
  }
  const rows = rowsIn(root);
  const neighbour = rows[Math.min(index, rows.length - 1)];
  return (
    neighbour?.querySelector<HTMLElement>("[data-part=remove]") ??
    neighbour ??
    root.querySelector<HTMLElement>("[data-part=trigger]:not([disabled])") ??
    root
  );
}

const rowsIn = (root: HTMLElement | null): (HTMLElement | null)[] => [
  ...(root?.querySelectorAll<HTMLElement>("[data-id]") ?? []),
];
