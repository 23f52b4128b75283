import { type FocusEvent, type RefObject, useRef } from "react";
import { useDrawnEffect } from "./use-drawn-effect.js";

interface LastFocus {
  element: HTMLElement;
  row: HTMLElement | null;
  index: number;
}

/**
 * Keeps the focus in the zone when the button that had it goes away (its file was removed, cancelled or finished):
 * to the same file, else to the file that took its place, else to the trigger. A browser would drop it to the body,
 * and a keyboard user would start over at the top of the page.
 */
export function useKeptFocus(rootRef: RefObject<HTMLElement | null>) {
  const last = useRef<LastFocus | null>(null);

  useDrawnEffect(() => {
    const root = rootRef.current;
    const lost = last.current;
    if (!root || !lost || lost.element.isConnected) return;
    last.current = null;
    if (document.activeElement !== document.body) return;
    const target = focusTarget(root, lost);
    // Only a control that takes no files and has none left has nowhere else to put it.
    if (target === root) root.tabIndex = -1;
    target.focus();
  });

  return {
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const row = target.closest<HTMLElement>("[data-id]");
      last.current = { element: target, row, index: rowsIn(rootRef.current).indexOf(row) };
    },
    onBlur() {
      last.current = null;
    },
  };
}

function focusTarget(root: HTMLElement, { row, index }: LastFocus): HTMLElement {
  // The row, not its next button: a second press of the key must not undo the first.
  if (row?.isConnected) return row;
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
