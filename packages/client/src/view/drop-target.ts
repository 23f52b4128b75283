import { mayAccept } from "@stowage/schemas/page-rules";
import type { Cancel } from "../runtime.js";
import { addFilesFromEvent } from "./files-from-event.js";

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
  /** Files were dropped beside the element, and no other element took them. */
  onMiss(): void;
}

/** A drag event of the browser or of React. */
export interface DragLike extends Pick<
  DragEvent,
  "type" | "target" | "currentTarget" | "relatedTarget" | "dataTransfer" | "preventDefault"
> {}

/** A paste event of the browser or of React. */
export interface PasteLike extends Pick<ClipboardEvent, "type" | "clipboardData" | "preventDefault"> {}

/**
 * Takes files that are dropped on an element or pasted into it. Text that is dragged or pasted is left to the page.
 *
 * @returns the listeners of the element, by the name of their event; a function that watches the page around it; and one that replaces
 *   the options
 */
export function createDropTarget(initial: DropTargetOptions) {
  let options = initial;
  let entered: EventTarget | null = null;

  function onDrag(event: DragLike) {
    const { dataTransfer, target, type } = event;
    if (!hasFiles(dataTransfer)) {
      return;
    }
    event.preventDefault();
    if (type === "dragenter") {
      entered = target;
    }
    if (!options.isDisabled()) {
      dataTransfer.dropEffect = "copy";
      options.onDrag(verdictOf(dataTransfer, options.limits()));
    }
  }

  function onLeave({ target, currentTarget, relatedTarget }: DragLike) {
    // Some browsers do not tell where the pointer goes. All of them enter the next element before they leave the last one.
    const isInside = relatedTarget instanceof Node && (currentTarget as Node).contains(relatedTarget);
    if (!isInside && target === entered) {
      options.onDrag("none");
    }
  }

  function onDrop(event: DragLike) {
    if (!hasFiles(event.dataTransfer)) {
      return;
    }
    event.preventDefault();
    options.onDrag("none");
    if (!options.isDisabled()) {
      void addFilesFromEvent(event, options.add, options.onEmpty);
    }
  }

  function onPaste(event: PasteLike) {
    if (hasFiles(event.clipboardData) && options.acceptsPaste() && !options.isDisabled()) {
      event.preventDefault();
      void addFilesFromEvent(event, options.add);
    }
  }

  function onMissedDrop(event: DragEvent) {
    // A drop on an element that takes files is already prevented.
    if (hasFiles(event.dataTransfer) && !event.defaultPrevented) {
      event.preventDefault();
      if (!options.isDisabled()) {
        options.onMiss();
      }
    }
  }

  return {
    configure(next: DropTargetOptions) {
      options = next;
    },

    listeners: { dragenter: onDrag, dragover: onDrag, dragleave: onLeave, drop: onDrop, paste: onPaste },

    /** Keeps the browser from opening files that are dropped beside the element, and tells of them. */
    watchPage(): Cancel {
      const listening = new AbortController();
      document.addEventListener("dragover", allowDrop, listening);
      document.addEventListener("drop", onMissedDrop, listening);
      return () => listening.abort();
    },
  };
}

/** Whether a drag or a clipboard contains files. */
export const hasFiles = (data: DataTransfer | null): data is DataTransfer =>
  data?.types.includes("Files") ?? false;

function verdictOf(
  { items }: DataTransfer,
  { accept, maxFiles }: ReturnType<DropTargetOptions["limits"]>,
): DragState {
  const files = [...items].filter(({ kind }) => kind === "file");
  const isRefused = files.some(({ type }) => !mayAccept(accept, { type }));
  return isRefused || (maxFiles === 1 && files.length > 1) ? "reject" : "accept";
}

/** Without this, the browser fires no `drop` and opens the file. */
function allowDrop(event: DragEvent): void {
  if (hasFiles(event.dataTransfer)) {
    event.preventDefault();
  }
}
