import { focusTarget, type LastFocus, lastFocusAt } from "@stowage/client/internals";

/** The buttons that take each other's place while a row asks before it discards unfinished uploads. */
const QUESTION = "[data-part=keep], [data-part=ask-discard]";

/**
 * Keeps the focus inside the element when the focused button disappears, because its file was removed, cancelled or finished.
 * Otherwise a keyboard user would start again at the top of the page.
 */
export class KeptFocus {
  readonly #root: () => HTMLElement | null;
  #last: LastFocus | undefined;
  #isRendering = false;

  constructor(root: () => HTMLElement | null) {
    this.#root = root;
  }

  readonly onFocusIn = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement) {
      this.#last = lastFocusAt(target, this.#root());
    }
  };

  readonly onFocusOut = (): void => {
    if (!this.#isRendering) {
      this.#last = undefined;
    }
  };

  /** Renders. Chrome fires `focusout` for a button that the rendering removes. The person has not left then. */
  whileRendering(render: () => void): void {
    this.#isRendering = true;
    try {
      render();
    } finally {
      this.#isRendering = false;
    }
  }

  /** Moves the focus if the rendering has removed its element. */
  restore(): void {
    const root = this.#root();
    const lost = this.#last;
    if (!root || !lost || lost.element.isConnected) {
      return;
    }
    this.#last = undefined;
    // Another element of the page may have taken the focus.
    if (document.activeElement !== document.body) {
      return;
    }
    const answer = lost.element.matches(QUESTION)
      ? lost.row?.querySelector<HTMLElement>(QUESTION)
      : undefined;
    (answer?.isConnected ? answer : focusTarget(root, lost)).focus();
  }
}
