import { type FocusEvent, type RefObject, useRef } from "react";
import { useIsomorphicLayoutEffect } from "./use-isomorphic-layout-effect.js";

interface LastFocus {
  element: HTMLElement;
  row: HTMLElement | null;
  index: number;
}

/**
 * Keeps the focus inside the root when the focused button disappears, because its file was removed, cancelled or
 * finished. The focus moves to the same file, else to the file that took its place, else to the trigger. Otherwise the
 * browser would move it to the body, and a keyboard user would start again at the top of the page.
 */
export function useRestoreFocus(rootRef: RefObject<HTMLElement | null>) {
  const last = useRef<LastFocus | null>(null);

  useIsomorphicLayoutEffect(() => {
    const root = rootRef.current;
    const lost = last.current;
    if (!root || !lost || lost.element.isConnected) {
      return;
    }
    last.current = null;
    if (document.activeElement !== document.body) {
      return;
    }
    const target = focusTarget(root, lost);
    // The root itself is the target only if the list is empty and the trigger is missing or disabled.
    if (target === root) {
      root.tabIndex = -1;
    }
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
