import { type ComponentType, useCallback, useEffect, useState } from "react";
import type { RowWindow, RowWindowProps } from "./row-window.js";

/** From this length on, only the rows near the visible ones are rendered. */
const LONG_LIST_ROWS = 100;

/** A row to render, and the height of the rows before it that are not rendered. */
export interface RowSlot {
  index: number;
  spacePx: number;
}

/**
 * Tells which rows of a list are rendered: all rows of a short list, and those near the visible ones of a long list. A
 * long list needs more code, which is loaded then. Until it is there, the first hundred rows are rendered, and all rows
 * if it cannot be loaded, for example without a network.
 */
export function useRowWindow(rowCount: number) {
  const [Provider, setProvider] = useState<ComponentType<RowWindowProps> | "missing" | null>(null);
  const [current, setCurrent] = useState<RowWindow | null>(null);
  const isLong = rowCount >= LONG_LIST_ROWS;

  useEffect(() => {
    if (isLong) {
      import("./row-window.js").then(
        ({ RowWindowProvider }) => setProvider(() => RowWindowProvider),
        () => setProvider("missing"),
      );
    }
  }, [isLong]);

  // Most new orders change no slot. Without this check, each would render the list twice.
  const setIfChanged = useCallback(
    (next: RowWindow | null) => setCurrent((last) => (isSameWindow(last, next) ? last : next)),
    [],
  );
  const isWindowed = isLong && Provider !== "missing";
  const active = isWindowed ? current : null;
  const firstRows = isWindowed ? LONG_LIST_ROWS : rowCount;
  return {
    isWindowed,
    /** Renders nothing; null while it is not needed. */
    Provider: isWindowed ? Provider : null,
    setCurrent: setIfChanged,
    measure: active?.measure,
    scrollTo: active?.scrollTo,
    ...(active ? slotsOf(active, rowCount) : { slots: rowSlots(firstRows), endPx: 0 }),
  };
}

function isSameWindow(last: RowWindow | null, next: RowWindow | null): boolean {
  if (last === null || next === null) {
    return last === next;
  }
  return (
    last.measure === next.measure &&
    last.heightPx === next.heightPx &&
    last.gapPx === next.gapPx &&
    last.slots.length === next.slots.length &&
    last.slots.every(({ index, start, end }, slot) => {
      const other = next.slots[slot]!;
      return index === other.index && start === other.start && end === other.end;
    })
  );
}

const rowSlots = (count: number): RowSlot[] =>
  Array.from({ length: count }, (_, index) => ({ index, spacePx: 0 }));

/** @returns the rows, and the height of the rows after the last one */
function slotsOf({ slots, heightPx, gapPx }: RowWindow, rowCount: number) {
  let lastEnd = -gapPx;
  const shown: RowSlot[] = [];
  for (const { index, start, end } of slots) {
    // Rows may have been removed since the slots were computed. They are computed again before the browser paints.
    if (index < rowCount) {
      // The list adds its own gap before and after the space.
      shown.push({ index, spacePx: start - lastEnd - 2 * gapPx });
      lastEnd = end;
    }
  }
  return { slots: shown, endPx: heightPx - lastEnd - gapPx };
}
