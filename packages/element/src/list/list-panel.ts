import type { UploadStore } from "@stowage/client";
import type { SharedView } from "@stowage/client/internals";
import { html, type TemplateResult } from "lit";
import type { Labels } from "../texts/labels.js";
import { FileRows } from "./file-rows.js";
import { renderResumable } from "./render-resumable.js";
import { renderSummary } from "./render-summary.js";

export interface ListPanelOptions {
  /** The panel has to be rendered again. */
  onChange(): void;
  /** Asks the person for the file of an unfinished upload. */
  askForFile(path: string): void;
}

/** Renders a list: its unfinished uploads, its files, and a summary. */
export class ListPanel {
  readonly #options: ListPanelOptions;
  readonly #rows: FileRows;
  #shared: SharedView | undefined;

  constructor(options: ListPanelOptions) {
    this.#options = options;
    this.#rows = new FileRows(options.onChange);
  }

  render(
    store: UploadStore,
    labels: Labels,
    { autoStart, hasPreviews }: { autoStart: boolean | undefined; hasPreviews: boolean },
  ): TemplateResult {
    const snapshot = store.getSnapshot();
    const shared = this.#sharedView(store, labels);
    return html`${renderResumable(snapshot, labels, {
      onContinue: ({ path, canContinueWithoutChoosing }) =>
        canContinueWithoutChoosing ? store.continueUpload(path) : this.#options.askForFile(path),
      onDiscard: ({ path }) => store.discardResumable(path),
    })}
    ${this.#rows.render(snapshot.items, shared, hasPreviews)}
    ${renderSummary(store, snapshot, autoStart, shared)}`;
  }

  /** Call it after each rendering. */
  rendered(): void {
    this.#rows.rendered();
  }

  /** The same object until it changes, so that unchanged rows are not rendered again. */
  #sharedView(store: UploadStore, labels: Labels): SharedView {
    const { connection } = store.getSnapshot();
    const { cancel, pause, resume, retry, remove, discardUnfinished } = store;
    const last = this.#shared;
    if (!last || last.cancel !== cancel || last.labels !== labels || last.connection !== connection) {
      this.#shared = { labels, connection, cancel, pause, resume, retry, remove, discardUnfinished };
    }
    return this.#shared!;
  }
}
