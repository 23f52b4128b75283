import type { KeyboardEvent } from "react";

/** What a key does with the folder or the current entry. */
export type KeyCommand = "goUp" | "rename" | "delete" | "undo";

const PAGE_LINES = 10;

/** The index of the entry to which a key moves, which may be outside of the list; undefined for other keys. */
export function targetOf(
  { key, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent,
  { index, columns, count, isRtl }: { index: number; columns: number; count: number; isRtl: boolean },
): number | undefined {
  if (count === 0 || ctrlKey || altKey || metaKey || shiftKey) return undefined;
  const forward = isRtl ? -1 : 1;
  switch (key) {
    case "ArrowDown":
      return index + columns < count ? index + columns : index;
    case "ArrowUp":
      return index - columns >= 0 ? index - columns : index;
    case "ArrowRight":
      return columns > 1 ? index + forward : undefined;
    case "ArrowLeft":
      return columns > 1 ? index - forward : undefined;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    case "PageDown":
      return index + PAGE_LINES * columns;
    case "PageUp":
      return index - PAGE_LINES * columns;
    default:
      return undefined;
  }
}

/** The command of a key. A key that is held down has none: it would delete one file after the other. */
export function commandOf({
  key,
  ctrlKey,
  altKey,
  metaKey,
  shiftKey,
  repeat,
}: KeyboardEvent): KeyCommand | undefined {
  if (repeat || altKey || shiftKey) return undefined;
  if (ctrlKey || metaKey) return key === "z" ? "undo" : undefined;
  switch (key) {
    case "Backspace":
      return "goUp";
    case "F2":
      return "rename";
    case "Delete":
      return "delete";
    default:
      return undefined;
  }
}
