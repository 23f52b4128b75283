"use client";

// Loaded with the first long list, because most lists are short.
import {
  focusedRowId,
  type MeasuredRows,
  OVERSCAN_ROWS,
  ROW_PX,
  withFocusedRow,
} from "@stowage/client/internals/list";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useState } from "react";
import { useReadValue } from "./use-read-value.js";

/** The rows of a long list that are rendered. */
export interface RowWindow extends MeasuredRows {
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
 * Decides which rows of a long list are rendered: the visible ones, and the one that was focused last with its
 * neighbours. Renders nothing itself, so the rows stay in their list, and keep the focus, when this is loaded.
 */
export function RowWindowProvider({ list, ids, onChange }: RowWindowProps) {
  const getScrollElement = useCallback(() => list, [list]);
  const getItemKey = useCallback((index: number) => ids[index] ?? index, [ids]);
  const focusedId = useFocusedRow(list);
  const rangeExtractor = useCallback(
    (range: Range) => withFocusedRow(defaultRangeExtractor(range), focusedId, ids),
    [focusedId, ids],
  );
  const gapPx = useReadValue(() => (list ? Number.parseFloat(getComputedStyle(list).rowGap) || 0 : 0), 0);
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

/**
 * Id of the row that was focused last; null before the first. React renders after the event "focusin" and before the
 * next key is handled, so Tab finds the next row even if the browser has not told yet that the list was scrolled. The row
 * counts after it has lost the focus too: without it, the row that gets the focus next could be removed in between.
 */
function useFocusedRow(list: HTMLElement | null): string | null {
  const [id, setId] = useState<string | null>(null);
  useLayoutEffect(() => {
    const update = () => setId((last) => focusedRowId(list) ?? last);
    update();
    list?.addEventListener("focusin", update);
    return () => list?.removeEventListener("focusin", update);
  }, [list]);
  return id;
}
