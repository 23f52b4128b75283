import type { UploadTotals } from "@stowage/client";

export interface HeldSubmitOptions {
  form(): HTMLFormElement | null;
  totals(): UploadTotals | undefined;
  /** A submit waits for the files. */
  onHold(): void;
  /** A file failed, so the held submit was given up. */
  onFail(): void;
  /** The held submit continues. */
  onRelease(): void;
}

/** Holds a submit of the form until no upload is active, then submits it, unless a file failed meanwhile. */
export class HeldSubmit {
  readonly #options: HeldSubmitOptions;
  #held: { submitter: HTMLElement | null; failedBefore: number } | undefined;
  #wasSent = false;

  constructor(options: HeldSubmitOptions) {
    this.#options = options;
  }

  /** Whether the form was sent with the files of the list. */
  get wasSent(): boolean {
    return this.#wasSent;
  }

  connect(): void {
    // In the capture phase of the window, before the submit handlers of the page.
    addEventListener("submit", this.#onSubmit, true);
  }

  disconnect(): void {
    removeEventListener("submit", this.#onSubmit, true);
    this.#held = undefined;
    this.#wasSent = false;
  }

  /** Gives the held submit up. */
  drop(): void {
    this.#held = undefined;
  }

  /** Continues the held submit when no upload is active. Call it after each change of the list. */
  update(): void {
    const { active = 0, failed = 0 } = this.#options.totals() ?? {};
    if (active > 0) {
      this.#wasSent = false;
      return;
    }
    const held = this.#held;
    if (!held) {
      return;
    }
    this.#held = undefined;
    if (failed > held.failedBefore) {
      this.#options.onFail();
      return;
    }
    this.#options.onRelease();
    this.#options.form()?.requestSubmit(held.submitter?.isConnected ? held.submitter : null);
  }

  readonly #onSubmit = (event: SubmitEvent) => {
    const totals = this.#options.totals();
    if (!totals || event.target !== this.#options.form()) {
      return;
    }
    this.#wasSent = totals.active === 0;
    if (this.#wasSent) {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#held = { submitter: event.submitter, failedBefore: totals.failed };
    this.#options.onHold();
  };
}
