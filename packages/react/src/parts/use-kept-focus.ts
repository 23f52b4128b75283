"use client";

import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";

interface LastFocus {
  element: HTMLElement;
  itemId: string | undefined;
  index: number;
}

/**
 * Keeps the focus in the zone when the button that had it goes away (its file was removed, cancelled or finished):
 * to the same file, else to the file that took its place, else to the trigger. A browser would drop it to the body,
 * and a keyboard user would start over at the top of the page.
 */
export function useKeptFocus(rootRef: RefObject<HTMLElement | null>) {
  const last = useRef<LastFocus | null>(null);

  useClientLayoutEffect(() => {
    const root = rootRef.current;
    const lost = last.current;
    if (!root || !lost || lost.element.isConnected) return;
    last.current = null;
    const { activeElement, body } = root.ownerDocument;
    if (activeElement !== null && activeElement !== body) return;
    focusTarget(root, lost)?.focus();
  });

  return {
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const row = target.closest<HTMLElement>("[data-id]");
      const index = row?.parentElement ? Array.from(row.parentElement.children).indexOf(row) : -1;
      last.current = { element: target, itemId: row?.dataset["id"], index };
    },
    onBlur() {
      last.current = null;
    },
  };
}

function focusTarget(root: HTMLElement, { itemId, index }: LastFocus): HTMLElement | null {
  const rows = Array.from(root.querySelectorAll<HTMLElement>("[data-id]"));
  // The row, not its next button: a second press of the key must not undo the first.
  const same = rows.find((row) => row.dataset["id"] === itemId);
  if (same) return same;
  const neighbour = index < 0 ? undefined : rows[Math.min(index, rows.length - 1)];
  return (
    neighbour?.querySelector<HTMLElement>(".stowage-remove") ??
    neighbour ??
    root.querySelector<HTMLElement>(".stowage-trigger")
  );
}

// React 18 warns about layout effects on a server, where there is no focus to keep.
const useClientLayoutEffect = typeof document === "undefined" ? () => {} : useLayoutEffect;
