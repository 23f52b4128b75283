import { type FocusEvent, type RefObject, useRef, useState } from "react";
import { useIsomorphicLayoutEffect } from "../parts/use-isomorphic-layout-effect.js";
import type { Entry } from "./entries.js";

/**
 * Keeps one entry in the tab order of the page, as the pattern of a grid wants it, and moves the focus to it: after a key, when its entry
 * goes, and when a field in the list is closed.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/practices/keyboard-interface/#kbd_roving_tabindex
 */
export function useCurrentEntry(entries: readonly Entry[], list: RefObject<HTMLElement | null>) {
  const [current, setCurrent] = useState<{ key: string | null; index: number }>({ key: null, index: 0 });
  const found = entries.findIndex(({ key }) => key === current.key);
  // Other entries have come or gone before it. When the entry itself goes, the one that is then in its place follows it.
  if (found !== -1 && found !== current.index) setCurrent({ key: current.key, index: found });
  const index = found === -1 ? Math.max(Math.min(current.index, entries.length - 1), 0) : found;
  const isFocusWanted = useRef(false);
  const hasFocus = useRef(false);
  const awaited = useRef<((entries: readonly Entry[]) => number) | null>(null);

  const select = (next: number, isFocused: boolean) => {
    setCurrent({ key: entries[next]?.key ?? null, index: next });
    isFocusWanted.current ||= isFocused;
  };

  useIsomorphicLayoutEffect(() => {
    const active = document.activeElement;
    const isElsewhere = active !== document.body && !list.current?.contains(active);
    const arrived = awaited.current?.(entries) ?? -1;
    if (arrived !== -1) {
      awaited.current = null;
      if (!isElsewhere) select(arrived, true);
      return;
    }
    const isFocusLost = hasFocus.current && (active === document.body || active === list.current);
    if (!isFocusWanted.current && !isFocusLost) return;
    const entry = list.current?.querySelector<HTMLElement>(`[data-entry-index="${index}"] [data-entry]`);
    // A list that a person has scrolled stays where it is. While a folder loads, the list itself keeps the focus.
    (entry ?? list.current)?.focus({ preventScroll: !isFocusWanted.current });
    if (entry) isFocusWanted.current = false;
  });

  return {
    index,
    /** Makes this entry the one in the tab order. */
    select: (next: number) => select(next, false),
    /** Moves the focus to this entry, or to the nearest one that exists. */
    moveTo: (next: number) => select(Math.max(Math.min(next, entries.length - 1), 0), true),
    /** Moves the focus to the current entry. */
    focus() {
      setCurrent((now) => ({ ...now }));
      isFocusWanted.current = true;
    },
    /** Begins with the entry that has this key, or with the first one. A render of another list calls it. */
    startAt: (key: string | null) => setCurrent({ key, index: 0 }),
    /**
     * Moves the focus to an entry as soon as it is there, in the render that may take the focused button away. Does not take the focus
     * from another part of the page.
     *
     * @param find returns the index of the entry, or -1
     */
    focusWhenThere: (find: (entries: readonly Entry[]) => number) => void (awaited.current = find),
    /** For the list. */
    handlers: {
      onFocus: () => void (hasFocus.current = true),
      onBlur({ target }: FocusEvent) {
        // An element that is removed loses the focus too. Then it is no longer in the page when this runs.
        queueMicrotask(() => {
          const isInside = list.current?.contains(document.activeElement);
          if (!target.isConnected || isInside) return;
          hasFocus.current = false;
          isFocusWanted.current = false;
        });
      },
    },
  };
}
