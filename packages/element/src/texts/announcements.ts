import type { ResumableUpload, UploadSnapshot, UploadStore } from "@stowage/client";
import { browserRuntime, createAnnouncer } from "@stowage/client/internals";
import { announceResumable, lostText } from "@stowage/client/internals/list";
import type { Labels } from "./labels.js";

/** Announces the changes of a list in a live region. */
export class Announcements {
  readonly #region: () => Element | null | undefined;
  #store: UploadStore | undefined;
  #announcer: ReturnType<typeof createAnnouncer> | undefined;
  #lastResumable: readonly ResumableUpload[] = [];
  #lastLost = "";

  /** @param region an element with the role `status`, which is in the page before its first text */
  constructor(region: () => Element | null | undefined) {
    this.#region = region;
  }

  /** Announces what has changed since the last call. Of another list, it announces nothing. */
  update(store: UploadStore, snapshot: UploadSnapshot, labels: Labels): void {
    if (store !== this.#store) {
      this.#store = store;
      // replaceChildren creates a new text node, so the same sentence is read again.
      const speak = (text: string) => this.#region()?.replaceChildren(text);
      this.#announcer = createAnnouncer(browserRuntime, snapshot, speak);
      this.#lastResumable = [];
      this.#lastLost = "";
    }
    this.#announcer?.update(snapshot, labels);
    announceResumable(this.#lastResumable, snapshot.resumable, labels, this.announce);
    this.#lastResumable = snapshot.resumable;
    const lost = lostText(snapshot.lost, labels);
    // It gets shorter when a person adds one of the files again.
    if (lost !== "" && this.#lastLost === "") this.announce(lost);
    this.#lastLost = lost;
  }

  /** Announces one more sentence. */
  readonly announce = (sentence: string): void => this.#announcer?.announce(sentence);
}
