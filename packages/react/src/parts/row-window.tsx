"use client";

// Loaded with the first long list, because most lists are short.
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect } from "react";

/** Height of a row of the styled components. Rows are measured when they are rendered. */
const ROW_PX = 68;
/** Rows that are rendered above and below the visible ones, so that Tab always finds the next button. */
const OVERSCAN_ROWS = 8;

/** The rows of a long list that are rendered. Positions are pixels from the top of the first row. */
export interface RowWindow {
  slots: readonly { index: number; start: number; end: number }[];
  heightPx: number;
  gapPx: number;
  /** Ref of each row. */
  measure(this: void, row: HTMLElement | null): void;
  /** Scrolls the list until this row is the first visible one. */
  scrollTo(this: void, index: number): void;
}

export interface RowWindowProps {
  list: HTMLElement | null;
  /** A new array only if the order of the rows has changed. */
  ids: readonly string[];
  /** Called before the browser paints, whenever other rows must be rendered; with null while the list has no height. */
  onChange(this: void, window: RowWindow | null): void;
}

/**
 * Decides which rows of a long list are rendered: the visible ones, and the focused one with its neighbours. Renders
 * nothing itself, so the rows stay in their list, and keep the focus, when this is loaded.
 */
export function RowWindowProvider({ list, ids, onChange }: RowWindowProps) {
  const getScrollElement = useCallback(() => list, [list]);
  const getItemKey = useCallback((index: number) => ids[index] ?? index, [ids]);
  const rangeExtractor = useCallback(
    (range: Range) => withFocused(range, focusedIndex(list, ids)),
    [list, ids],
  );
  const gapPx = list ? Number.parseFloat(getComputedStyle(list).rowGap) || 0 : 0;
  // oxlint-disable-next-line react/incompatible-library -- this package is not compiled by the React Compiler
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: ids.length,
    getScrollElement,
    getItemKey,
    rangeExtractor,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN_ROWS,
    gap: gapPx,
  });
  const slots = virtualizer.getVirtualItems();
  const heightPx = virtualizer.getTotalSize();

  useLayoutEffect(() => {
    const measure = virtualizer.measureElement;
    const scrollTo = (index: number) => virtualizer.scrollToIndex(index, { align: "start" });
    onChange(slots.length > 0 ? { slots, heightPx, gapPx, measure, scrollTo } : null);
  }, [onChange, virtualizer, slots, heightPx, gapPx]);
  useLayoutEffect(() => () => onChange(null), [onChange]);
  return null;
}

/** Row of the focused element; -1 without one. */
function focusedIndex(list: HTMLElement | null, ids: readonly string[]): number {
  const row = list?.querySelector<HTMLElement>("[data-id]:focus, [data-id]:focus-within");
  return row ? ids.indexOf(row.dataset["id"] ?? "") : -1;
}

function withFocused(range: Range, focused: number): number[] {
  const visible = defaultRangeExtractor(range);
  const neighbours = focused === -1 ? [] : [focused - 1, focused, focused + 1];
  const existing = neighbours.filter((index) => index >= 0 && index < range.count);
  return [...new Set([...visible, ...existing])].sort((a, b) => a - b);
}
