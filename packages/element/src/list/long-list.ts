import { firstSlots, LONG_LIST_ROWS, type RowSlot, slotsOf } from "@stowage/client/internals/list";
import type { RowWindow } from "./row-window.js";

/** The rows of a list that are rendered. */
export interface RenderedRows {
  /** The list scrolls in its box, and renders only some of its rows. */
  isWindowed: boolean;
  slots: readonly RowSlot[];
  /** Height of the rows after the last one. */
  endPx: number;
}

/**
 * Tells which rows of a list are rendered: all rows of a short list, and those near the visible ones of a long list. A long list
 * needs more code, which is loaded then. Until it is there, the first hundred rows are rendered, and all rows if it cannot be
 * loaded, for example without a network.
 */
export class LongList {
  readonly #onChange: () => void;
  #code: { RowWindow: typeof RowWindow } | "loading" | "missing" | undefined;
  #window: RowWindow | undefined;

  /** @param onChange other rows must be rendered */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** @param list the element, once it is rendered */
  rowsOf(list: HTMLElement | undefined, ids: readonly string[]): RenderedRows {
    if (ids.length < LONG_LIST_ROWS || this.#code === "missing") {
      this.stop();
      return { isWindowed: false, slots: firstSlots(ids.length), endPx: 0 };
    }
    if (this.#code === undefined) {
      this.#load();
    }
    if (list && typeof this.#code === "object") {
      this.#window ??= new this.#code.RowWindow(list, this.#onChange);
    }
    const measured = this.#window?.measured(ids);
    return {
      isWindowed: true,
      ...(measured ? slotsOf(measured, ids.length) : { slots: firstSlots(LONG_LIST_ROWS), endPx: 0 }),
    };
  }

  /** Call it after each rendering. */
  rendered(): void {
    this.#window?.rendered();
  }

  /** Scrolls a long list until this row is the first visible one. @returns false for a short list */
  scrollTo(row: number): boolean {
    this.#window?.scrollTo(row);
    return this.#window !== undefined;
  }

  /** Forgets the list element. */
  stop(): void {
    this.#window?.stop();
    this.#window = undefined;
  }

  #load(): void {
    this.#code = "loading";
    import("./row-window.js")
      .then(
        (code) => (this.#code = code),
        () => (this.#code = "missing"),
      )
      .then(this.#onChange);
  }
}
