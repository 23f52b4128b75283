import { firstSlots, LONG_LIST_ROWS, slotsOf } from "@stowage/client/internals/list";
import { type ComponentType, useCallback, useEffect, useState } from "react";
import type { RowWindow, RowWindowProps } from "./row-window.js";

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
      loadProvider().then(
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
    ...(active ? slotsOf(active, rowCount) : { slots: firstSlots(firstRows), endPx: 0 }),
  };
}

/** Outside of the hook, because the React Compiler skips functions with an `import()`. */
const loadProvider = () => import("./row-window.js");

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
