// Loaded with the first long list, because most lists are short.
import {
  focusedRowId,
  type MeasuredRows,
  OVERSCAN_ROWS,
  ROW_PX,
  withFocusedRow,
} from "@stowage/client/internals/list";
import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
} from "@tanstack/virtual-core";

/** Follows the scroll position of a long list, and measures its rows. */
export class RowWindow {
  readonly #list: HTMLElement;
  readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  readonly #unmount: () => void;
  readonly #onChange: () => void;
  #ids: readonly string[] = [];
  /**
   * The row that was focused last. It counts after it has lost the focus too: without it, the row that gets the focus next could be
   * removed in between.
   */
  #focusedId: string | null = null;

  /** @param onChange other rows must be rendered */
  constructor(list: HTMLElement, onChange: () => void) {
    this.#list = list;
    this.#onChange = onChange;
    this.#virtualizer = new Virtualizer({
      count: 0,
      getScrollElement: () => list,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      estimateSize: () => ROW_PX,
      overscan: OVERSCAN_ROWS,
      onChange,
    });
    this.#unmount = this.#virtualizer._didMount();
    list.addEventListener("focusin", this.#onFocus);
  }

  /**
   * @param ids of all rows. A new array only if their order has changed
   * @returns the rows to render; undefined while the list has no height
   */
  measured(ids: readonly string[]): MeasuredRows | undefined {
    if (ids !== this.#ids) {
      this.#ids = ids;
      this.#virtualizer.setOptions({
        ...this.#virtualizer.options,
        count: ids.length,
        gap: this.#gapPx(),
        getItemKey: (index) => ids[index] ?? index,
        rangeExtractor: this.#createRange(),
      });
    }
    const slots = this.#virtualizer.getVirtualItems();
    const { gap } = this.#virtualizer.options;
    return slots.length > 0 ? { slots, heightPx: this.#virtualizer.getTotalSize(), gapPx: gap } : undefined;
  }

  /** Measures the rows. Call it after each rendering. */
  rendered(): void {
    this.#virtualizer._willUpdate();
    for (const row of this.#list.querySelectorAll<HTMLElement>("[data-index]")) {
      this.#virtualizer.measureElement(row);
    }
  }

  /** Scrolls the list until this row is the first visible one. */
  scrollTo(index: number): void {
    this.#virtualizer.scrollToIndex(index, { align: "start" });
  }

  stop(): void {
    this.#list.removeEventListener("focusin", this.#onFocus);
    this.#unmount();
  }

  /** Renders the row after the focused one before the next key, even if the browser has not told yet that the list was scrolled. */
  readonly #onFocus = () => {
    const id = focusedRowId(this.#list) ?? this.#focusedId;
    if (id !== this.#focusedId) {
      this.#focusedId = id;
      this.#virtualizer.setOptions({ ...this.#virtualizer.options, rangeExtractor: this.#createRange() });
      this.#onChange();
    }
  };

  /** A new function, because the virtualizer asks a function that it knows only after scrolling. */
  #createRange() {
    return (range: Range) => withFocusedRow(defaultRangeExtractor(range), this.#focusedId, this.#ids);
  }

  #gapPx(): number {
    return Number.parseFloat(getComputedStyle(this.#list).rowGap) || 0;
  }
}
