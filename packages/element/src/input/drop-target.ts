import { addFilesFromEvent } from "@stowage/client/internals";
import { accepts, acceptTokens } from "@stowage/schemas/rules";

export type DragState = "none" | "accept" | "reject";

export interface DropTargetOptions {
  /** The limits that a drag can be checked against: its files have a type, but no name yet. */
  limits(): { accept?: string | readonly string[] | undefined; maxFiles?: number | undefined };
  isDisabled(): boolean;
  acceptsPaste(): boolean;
  add(files: File[]): void;
  onDrag(state: DragState): void;
  /** A folder without files was dropped. */
  onEmpty(): void;
  /** Files were dropped beside the element. */
  onMiss(): void;
}

/** Takes files that are dropped on an element or pasted into it, and keeps the browser from opening files that miss it. */
export class DropTarget {
  readonly #host: HTMLElement;
  readonly #options: DropTargetOptions;
  #listening: AbortController | undefined;

  constructor(host: HTMLElement, options: DropTargetOptions) {
    this.#host = host;
    this.#options = options;
  }

  connect(): void {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    this.#host.addEventListener("dragenter", this.#onDrag, { signal });
    this.#host.addEventListener("dragover", this.#onDrag, { signal });
    this.#host.addEventListener("dragleave", this.#onLeave, { signal });
    this.#host.addEventListener("drop", this.#onDrop, { signal });
    this.#host.addEventListener("paste", this.#onPaste, { signal });
    document.addEventListener("dragover", allowDrop, { signal });
    document.addEventListener("drop", this.#onDocumentDrop, { signal });
  }

  disconnect(): void {
    this.#listening?.abort();
  }

  readonly #onDrag = (event: DragEvent) => {
    if (!hasFiles(event)) {
      return;
    }
    event.preventDefault();
    if (!this.#options.isDisabled()) {
      this.#options.onDrag(this.#verdict(event.dataTransfer!));
    }
  };

  readonly #onLeave = ({ relatedTarget }: DragEvent) => {
    // The pointer moved between two elements inside.
    if (!(relatedTarget instanceof Node && this.#host.contains(relatedTarget))) {
      this.#options.onDrag("none");
    }
  };

  readonly #onDrop = (event: DragEvent) => {
    if (!hasFiles(event)) {
      return;
    }
    event.preventDefault();
    this.#options.onDrag("none");
    if (!this.#options.isDisabled()) {
      void addFilesFromEvent(event, this.#options.add, this.#options.onEmpty);
    }
  };

  readonly #onPaste = (event: ClipboardEvent) => {
    if (this.#options.acceptsPaste() && !this.#options.isDisabled()) {
      void addFilesFromEvent(event, this.#options.add);
    }
  };

  readonly #onDocumentDrop = (event: DragEvent) => {
    // A drop on an element that takes files is already prevented.
    if (hasFiles(event) && !event.defaultPrevented) {
      event.preventDefault();
      if (!this.#options.isDisabled()) {
        this.#options.onMiss();
      }
    }
  };

  #verdict({ items }: DataTransfer): DragState {
    const { accept, maxFiles } = this.#options.limits();
    const files = [...items].filter(({ kind }) => kind === "file");
    // An extension cannot be checked, because a drag has no names.
    const isCheckable = acceptTokens(accept).every((token) => token.includes("/"));
    const isRefused = isCheckable && files.some(({ type }) => !accepts(accept, { name: "", type }));
    return isRefused || (maxFiles === 1 && files.length > 1) ? "reject" : "accept";
  }
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") ?? false;

/** Without this, the browser fires no `drop` and opens the file. */
function allowDrop(event: DragEvent): void {
  if (hasFiles(event)) {
    event.preventDefault();
  }
}
