import { mayAccept } from "@stowage/schemas/page-rules";
import type { Cancel } from "../runtime.js";
import { hasOwnText } from "./clipboard-text.js";
import { comesFromTextField, type WrappedEvent } from "./event-path.js";
import { addFilesFromEvent, preloadReader } from "./files-from-event.js";
import type { FilesNotice } from "./read-files.js";

export type DragState = "none" | "accept" | "reject";

export interface DropTargetOptions {
  /** The limits that a drag can be checked against: its files have a type, but no name yet. */
  limits(): { accept?: string | readonly string[] | undefined; maxFiles?: number | undefined };
  isDisabled(): boolean;
  acceptsPaste(): boolean;
  add(files: File[]): void;
  onDrag(state: DragState): void;
  /** A person should know something about what was dropped or pasted. */
  onNotice(notice: FilesNotice): void;
  /** Files were dropped beside the element, and no other element took them (true); this need not be said any longer (false). */
  onMiss(isMissed: boolean): void;
}

/** A drag event of the browser or of React. */
export interface DragLike
  extends
    WrappedEvent,
    Pick<
      DragEvent,
      | "type"
      | "target"
      | "currentTarget"
      | "relatedTarget"
      | "dataTransfer"
      | "defaultPrevented"
      | "preventDefault"
    > {}

/** A paste event of the browser or of React. */
export interface PasteLike
  extends WrappedEvent, Pick<ClipboardEvent, "type" | "clipboardData" | "preventDefault"> {}

/** How long an element says that files were dropped beside it. */
const MISS_MS = 10_000;

/**
 * Takes files that are dropped on an element or pasted into it. Text that is pasted is left to the page. A message, a link or a text that is
 * dropped is refused with a sentence, except where people write and where another part of the page takes it.
 *
 * @returns the listeners of the element, by the name of their event; a function that watches the page around it; and one that replaces
 *   the options
 */
export function createDropTarget(initial: DropTargetOptions) {
  let options = initial;
  let entered: EventTarget | null = null;
  /** The page lets people move its own elements, such as cards. */
  let isOwnDrag = false;
  let missTimer: ReturnType<typeof setTimeout> | undefined;

  /** A thing without files that the page drags itself, that is over a text field, or that another part of the page takes. */
  const isForThePage = (event: DragLike) =>
    !hasFiles(event.dataTransfer) && (isOwnDrag || event.defaultPrevented || comesFromTextField(event));

  function onDrag(event: DragLike) {
    const { dataTransfer, target, type } = event;
    if (!dataTransfer || isForThePage(event)) {
      options.onDrag("none");
      return;
    }
    event.preventDefault();
    if (type === "dragenter") {
      entered = target;
    }
    if (!options.isDisabled()) {
      // Without this, there is no drop, and nothing says why.
      dataTransfer.dropEffect = "copy";
      options.onDrag(hasFiles(dataTransfer) ? verdictOf(dataTransfer, options.limits()) : "reject");
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
    options.onDrag("none");
    if (!event.dataTransfer || isForThePage(event)) {
      return;
    }
    event.preventDefault();
    if (!options.isDisabled()) {
      void addFilesFromEvent(event, options.add, options.onNotice);
    }
  }

  function onPaste(event: PasteLike) {
    const { clipboardData } = event;
    if (!hasFiles(clipboardData) || !options.acceptsPaste() || options.isDisabled()) {
      return;
    }
    // With the focus elsewhere in the element, a person asks for the upload.
    if (!comesFromTextField(event) || !hasOwnText(clipboardData)) {
      event.preventDefault();
      void addFilesFromEvent(event, options.add, options.onNotice);
    }
  }

  function onMissedDrop(event: DragEvent) {
    if (!hasFiles(event.dataTransfer)) {
      return;
    }
    clearTimeout(missTimer);
    // A drop on an element that takes files is already prevented.
    if (event.defaultPrevented) {
      options.onMiss(false);
      return;
    }
    event.preventDefault();
    if (!options.isDisabled()) {
      options.onMiss(true);
      missTimer = setTimeout(() => options.onMiss(false), MISS_MS);
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
      const onDragStart = ({ target }: DragEvent) => {
        isOwnDrag = target instanceof Element && target.matches("[draggable=true]");
      };
      document.addEventListener("dragstart", onDragStart, listening);
      document.addEventListener("dragend", () => (isOwnDrag = false), listening);
      document.addEventListener("dragover", allowDrop, listening);
      document.addEventListener("drop", onMissedDrop, listening);
      preloadReader();
      return () => {
        clearTimeout(missTimer);
        listening.abort();
      };
    },
  };
}

/** Whether people touch this device, and so cannot drag files to the page: a phone or a tablet. */
export const isTouched = (): boolean => matchMedia("(hover: none) and (pointer: coarse)").matches;

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
