import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type Key, type RefObject, useCallback, useEffect, useState } from "react";
import type { Entry } from "./entries.js";

/** Shorter lists render all their entries. */
const LONG_LIST_ENTRIES = 100;
const OVERSCAN_LINES = 8;
const LINE_PX = 44;
const TILE_PX = 150;
const MIN_TILE_WIDTH_PX = 140;

/** Entries that are rendered together: all of a short list, one row of a long list, or one line of tiles. */
export interface Line {
  key: Key;
  index: number;
  /** Index of its first entry. */
  first: number;
  entries: readonly Entry[];
  /** Pixels from the start of the list; undefined in a short list. */
  startPx: number | undefined;
}

/**
 * Tells which entries are rendered: all of a short list; of a long one those near the visible ones, and the kept ones, so that the
 * focus and an open field stay.
 *
 * @param kept indexes of two entries; -1 for none
 */
export function useLines(
  list: RefObject<HTMLElement | null>,
  { entries, columns, isTiled, kept }: LinesOptions,
) {
  const isLong = entries.length >= LONG_LIST_ENTRIES;
  const lineCount = Math.ceil(entries.length / columns);
  const [one, other] = [Math.floor(kept[0] / columns), Math.floor(kept[1] / columns)];
  const rangeExtractor = useCallback(
    (range: Range) => {
      const lines = [...defaultRangeExtractor(range), one, other];
      return [...new Set(lines)].filter((line) => line >= 0 && line < range.count).toSorted((a, b) => a - b);
    },
    [one, other],
  );
  // A row keeps its element, and what is typed in it, when another one comes or goes before it.
  const getItemKey = useCallback(
    (line: number) => (columns === 1 ? entries[line]?.key : undefined) ?? line,
    [entries, columns],
  );
  // oxlint-disable-next-line react/incompatible-library -- this package is not compiled by the React Compiler
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: isLong ? lineCount : 0,
    getScrollElement: () => list.current,
    getItemKey,
    rangeExtractor,
    estimateSize: () => (isTiled ? TILE_PX : LINE_PX),
    overscan: OVERSCAN_LINES,
  });
  const shown = virtualizer.getVirtualItems();
  const lines: readonly Line[] = isLong
    ? shown.map(({ index, key, start }) => {
        const first = index * columns;
        return { key, index, first, entries: entries.slice(first, first + columns), startPx: start };
      })
    : [{ key: "all", index: 0, first: 0, entries, startPx: undefined }];
  return {
    lines,
    /** Ref of each line of a long list. */
    measure: isLong ? virtualizer.measureElement : undefined,
    heightPx: isLong ? virtualizer.getTotalSize() : undefined,
    /** Whether the end of the loaded entries is in view or will be soon. */
    isNearEnd: isLong && (shown.at(-1)?.index ?? 0) >= lineCount - OVERSCAN_LINES,
  };
}

interface LinesOptions {
  /** The same array until the entries change. */
  entries: readonly Entry[];
  columns: number;
  isTiled: boolean;
  kept: readonly [number, number];
}

/** How many tiles fit beside each other; 1 in a list of rows. */
export function useColumns(list: RefObject<HTMLElement | null>, isTiled: boolean): number {
  const [columns, setColumns] = useState(1);
  useEffect(() => {
    if (!isTiled || !list.current || typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(([entry]) =>
      setColumns(Math.max(Math.floor((entry?.contentRect.width ?? 0) / MIN_TILE_WIDTH_PX), 1)),
    );
    observer.observe(list.current);
    return () => observer.disconnect();
  }, [list, isTiled]);
  return isTiled ? columns : 1;
}
