import type { BrowserFile } from "@stowage/schemas";
import {
  countedAs,
  isActive,
  remainingMs,
  type UploadFailure,
  type UploadItem,
  type UploadRetry,
  type UploadState,
} from "../upload-item.js";
import type { SessionUsage } from "../upload-limits.js";
import type { HeldMultipart, HeldTicket, ResumePoint } from "../upload/upload-job.js";

/** One file of the list, with state that the page does not see. Immutable: `reduceFile` returns a new one. */
export interface FileState {
  readonly item: UploadItem;
  /** What the other files used up of the limits when this file was added, or last retried. */
  readonly usageBefore: SessionUsage;
  /** Size of what `transform` made; null until it is known. */
  readonly preparedBytes: number | null;
  readonly resume: ResumePoint;
  /**
   * How often a person has cancelled the file, or paused it before its upload was open. Each upload after that is another one
   * for the service.
   */
  readonly cancelCount: number;
  /** The next run ends unfinished uploads of the user first. */
  readonly discardsFirst: boolean;
  /** The item to show again if it cannot be deleted; null unless it is being deleted. */
  readonly beforeDelete: UploadItem | null;
}

/** Everything that can happen to a file of the list. */
export type FileEvent =
  /** By a person or by the limits. */
  | { type: "queued"; usageBefore: SessionUsage }
  | { type: "discard-requested" }
  | { type: "refused"; usageBefore: SessionUsage; failure: UploadFailure }
  | { type: "cancelled" }
  | { type: "paused" }
  | { type: "resumed" }
  /** By the running upload, see `UploadEvent`. */
  | { type: "preparing" }
  | { type: "size-known"; sizeBytes: number }
  | { type: "requesting"; retry: UploadRetry | null }
  | { type: "put-started"; ticket: HeldTicket }
  | { type: "parts-started"; multipart: HeldMultipart }
  | { type: "bytes-sent"; sentBytes: number; bytesPerSecond: number | null; isStorageReceiving: boolean }
  | { type: "bytes-found"; sentBytes: number }
  | { type: "bytes-stored"; path: string }
  | { type: "confirming"; retry: UploadRetry | null }
  | { type: "completed"; result: BrowserFile; data: unknown }
  | { type: "failed"; failure: UploadFailure }
  /** By its deletion. */
  | { type: "delete-started" }
  | { type: "delete-failed"; failure: UploadFailure };

export function createFileState(id: string, file: File): FileState {
  const item: UploadItem = {
    id,
    file,
    name: file.name,
    path: relativePathOf(file),
    size: file.size,
    sentBytes: 0,
    progress: 0,
    bytesPerSecond: null,
    remainingMs: null,
    status: "queued",
  };
  const usageBefore = { files: 0, bytes: 0 };
  return {
    item,
    usageBefore,
    preparedBytes: null,
    resume: {},
    cancelCount: 0,
    discardsFirst: false,
    beforeDelete: null,
  };
}

/**
 * Returns the path of an upload that holds quota and that the server can cancel, or undefined. With a `sentPath` storage has the
 * bytes of a single PUT, so the server would refuse to cancel it. An upload by parts can be cancelled until it is complete.
 */
export function unfinishedPath({ item, resume }: FileState): string | undefined {
  const { triedPath, sentPath, multipart } = resume;
  const isUnfinished = isActive(item) || item.status === "failed";
  return isUnfinished && (sentPath === undefined || multipart) ? triedPath : undefined;
}

/** The only function that changes the state of a file. */
export function reduceFile(state: FileState, event: FileEvent): FileState {
  const { item, resume } = state;
  switch (event.type) {
    case "queued":
      return {
        ...state,
        usageBefore: event.usageBefore,
        item: itemIn({ status: "queued" }, state, { sentBytes: 0 }),
      };
    case "discard-requested":
      return { ...state, discardsFirst: true };
    case "refused":
      return {
        ...state,
        usageBefore: event.usageBefore,
        item: itemIn({ status: "failed", error: event.failure }, state, { sentBytes: 0 }),
      };
    case "cancelled":
      return {
        ...state,
        cancelCount: state.cancelCount + 1,
        resume: withoutTicket(resume),
        discardsFirst: false,
        item: itemIn({ status: "cancelled" }, state, { sentBytes: 0 }),
      };
    case "paused": {
      // A ticket that arrives now is not used, and cancelled on the server.
      const isTicketLost = item.status === "requesting";
      return {
        ...state,
        cancelCount: state.cancelCount + (isTicketLost ? 1 : 0),
        discardsFirst: false,
        item: itemIn(
          { status: "paused", startsAgain: !resume.multipart && item.sentBytes > 0 },
          state,
          resume.multipart ? {} : { sentBytes: 0 },
        ),
      };
    }
    case "resumed":
      return { ...state, item: itemIn({ status: "queued" }, state) };
    case "preparing":
      return { ...state, discardsFirst: false, item: itemIn({ status: "preparing" }, state) };
    case "size-known":
      // The item shows this size from its next status on.
      return { ...state, preparedBytes: event.sizeBytes };
    case "requesting":
      return { ...state, item: itemIn({ status: "requesting", retry: event.retry }, state) };
    case "put-started":
      return {
        ...state,
        // Without `sentPath`: if there was one, its bytes are gone.
        resume: { triedPath: event.ticket.ticket.file_path, ticket: event.ticket },
      };
    case "parts-started":
      return {
        ...state,
        resume: { triedPath: event.multipart.ticket.file_path, multipart: event.multipart },
        item: itemIn({ status: "uploading" }, state),
      };
    case "bytes-found":
      return {
        ...state,
        item: itemIn({ status: "uploading" }, state, {
          sentBytes: Math.max(item.sentBytes, event.sentBytes),
        }),
      };
    case "bytes-sent":
      return {
        ...state,
        item: itemIn({ status: "uploading", isStorageReceiving: event.isStorageReceiving }, state, {
          // A second attempt starts at 0, but what the page shows never falls.
          sentBytes: Math.max(item.sentBytes, event.sentBytes),
          bytesPerSecond: event.bytesPerSecond,
        }),
      };
    case "bytes-stored":
      return { ...state, resume: { ...resume, sentPath: event.path } };
    case "confirming":
      return {
        ...state,
        item: itemIn({ status: "confirming", retry: event.retry }, state, { sentBytes: item.size }),
      };
    case "completed": {
      const { result, data } = event;
      return { ...state, item: itemIn({ status: "done", result, data, error: null }, state) };
    }
    case "failed":
      return { ...state, item: itemIn({ status: "failed", error: event.failure }, state) };
    case "delete-started":
      return { ...state, beforeDelete: item, item: itemIn({ status: "deleting" }, state) };
    case "delete-failed": {
      const before = state.beforeDelete ?? item;
      const shown = before.status === "done" ? { ...before, error: event.failure } : before;
      return { ...state, beforeDelete: null, item: shown };
    }
  }
}

/** A cancelled upload is over for the service: what is sent to its URLs is removed. */
function withoutTicket({ ticket: _, multipart: __, ...resume }: ResumePoint): ResumePoint {
  return resume;
}

/** Makes the item that shows a file in another status. */
export function itemIn(
  next: UploadState,
  { item, preparedBytes }: FileState,
  changes: { sentBytes?: number; bytesPerSecond?: number | null } = {},
): UploadItem {
  const { id, file, name, path } = item;
  const size = preparedBytes ?? file.size;
  const { sentBytes = item.sentBytes, bytesPerSecond = null } = changes;
  return {
    id,
    file,
    name,
    path,
    size,
    sentBytes,
    progress: countedAs(next) === "done" ? 1 : Math.min(0.99, size > 0 ? sentBytes / size : 0),
    bytesPerSecond,
    remainingMs: remainingMs(size - sentBytes, bytesPerSecond),
    ...next,
  };
}

/** Browsers name it `webkitRelativePath`. `read-files.ts`, which reads dropped folders, names it `relativePath`, as file-selector does. */
export function relativePathOf(file: File & { relativePath?: string }): string {
  const path = (file.webkitRelativePath || file.relativePath || "").replace(/^\.?\//, "");
  return path === file.name ? "" : path;
}
