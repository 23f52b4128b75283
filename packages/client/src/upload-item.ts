import type { BrowserFile } from "@stowage/schemas";
import type { UploadErrorCode } from "./upload-error.js";

/** Why an upload failed, or why it will be tried again. */
export interface UploadFailure {
  code: UploadErrorCode;
  /** Text for people: what happened and what to do next. */
  message: string;
  /** HTTP status; 0 when there was no answer. */
  status: number;
  /** False when the same file would be refused again. */
  canRetry: boolean;
  /**
   * Bytes that unfinished uploads of the user hold, if the file would fit without them. `discardUnfinished` ends those uploads
   * and retries the file.
   */
  heldBytes?: number;
}

/** A pause before the next automatic attempt. */
export interface UploadRetry {
  /** Number of the next attempt, from 2. */
  attempt: number;
  delayMs: number;
  failure: UploadFailure;
}

/**
 * The status of a file and what belongs to that status. Every file ends as done, failed or cancelled.
 *
 * @typeParam Data what the route's `onComplete` returned
 */
export type UploadState<Data = unknown> =
  | { readonly status: "queued" }
  /** `validate` and `transform` run. */
  | { readonly status: "preparing" }
  | { readonly status: "requesting"; readonly retry: UploadRetry | null }
  | {
      readonly status: "uploading";
      /** All bytes have left the page some seconds ago. A virus scanner, a proxy or a slow line still brings them to storage. */
      readonly isStorageReceiving?: boolean;
    }
  | {
      /** A person paused it. An upload by parts keeps its stored parts. */
      readonly status: "paused";
      /** Bytes were sent by a single PUT, which starts again from 0. */
      readonly startsAgain?: boolean;
    }
  | { readonly status: "confirming"; readonly retry: UploadRetry | null }
  | {
      readonly status: "done";
      /** The file as the service has recorded it. */
      readonly result: BrowserFile;
      readonly data: Data;
      /** Why the file could not be deleted; null unless a deletion failed. */
      readonly error: UploadFailure | null;
    }
  | { readonly status: "failed"; readonly error: UploadFailure }
  | { readonly status: "cancelled" }
  /** The server deletes the file. It then leaves the list, or is done again with an `error`. */
  | { readonly status: "deleting" };

/** The state of one file in the list. Every file ends as `done`, `failed` or `cancelled`. */
export type UploadStatus = UploadState["status"];

interface UploadSubject {
  /** Unique within the store. Two files of the same name are two items. */
  readonly id: string;
  /** What was added: a file of the browser, or a source. A source has only the members of `FileSource`. */
  readonly file: File;
  readonly name: string;
  /** Path inside the folder that was dropped or chosen, such as `photos/2026/a.jpg`; else empty. */
  readonly path: string;
  /** Bytes to send: the size of the file, or of what `transform` made of it. */
  readonly size: number;
  /** Most bytes that any attempt has sent. A new attempt does not set it back. */
  readonly sentBytes: number;
  /** 0 to 1; at most 0.99 until the service has confirmed the file. */
  readonly progress: number;
  /** Set while bytes are sent and there is enough to measure. */
  readonly bytesPerSecond: number | null;
  readonly remainingMs: number | null;
}

/** One file of the list. It is immutable: every change makes a new object. */
export type UploadItem<Data = unknown> = UploadSubject & UploadState<Data>;

interface StatusRules {
  /** The member of `UploadTotals` that counts files with this status. */
  countedAs: "active" | "done" | "failed" | "cancelled";
  /** Nothing more happens to the file until a person retries or removes it. */
  isEnded: boolean;
  /** The file uses up `maxFiles` and `maxTotalSize`. */
  countsTowardLimits: boolean;
}

const ACTIVE: StatusRules = { countedAs: "active", isEnded: false, countsTowardLimits: true };

/** What each status means. A file that is being deleted counts as done until it is gone. */
const STATUS_RULES: Readonly<Record<UploadStatus, StatusRules>> = {
  queued: ACTIVE,
  preparing: ACTIVE,
  requesting: ACTIVE,
  uploading: ACTIVE,
  // It keeps its place in the list and its quota until the person resumes it.
  paused: ACTIVE,
  confirming: ACTIVE,
  done: { countedAs: "done", isEnded: true, countsTowardLimits: true },
  deleting: { countedAs: "done", isEnded: false, countsTowardLimits: true },
  failed: { countedAs: "failed", isEnded: true, countsTowardLimits: false },
  cancelled: { countedAs: "cancelled", isEnded: true, countsTowardLimits: false },
};

type HasStatus = Pick<UploadItem, "status">;

/** Returns the member of `UploadTotals` that counts the file. */
export function countedAs({ status }: HasStatus): StatusRules["countedAs"] {
  return STATUS_RULES[status].countedAs;
}

/** Tells whether the file is queued, on its way or paused. */
export function isActive(item: { status: UploadStatus }): boolean {
  return countedAs(item) === "active";
}

/** Tells whether the file is done, failed or cancelled. */
export function isEnded({ status }: HasStatus): boolean {
  return STATUS_RULES[status].isEnded;
}

/** Tells whether the file uses up `maxFiles` and `maxTotalSize`. */
export function countsTowardLimits({ status }: HasStatus): boolean {
  return STATUS_RULES[status].countsTowardLimits;
}

/** Tells whether a person may pause the file. A file that only waits for its confirmation has nothing left to send. */
export function canPause(item: { status: UploadStatus }): boolean {
  return isActive(item) && item.status !== "paused" && item.status !== "confirming";
}

/** Tells whether a person may start the file again. */
export function canRetry(item: UploadItem): boolean {
  return item.status === "cancelled" || (item.status === "failed" && item.error.canRetry);
}

/** How long these bytes take at this speed; null while the speed is unknown or 0. */
export function remainingMs(bytes: number, bytesPerSecond: number | null): number | null {
  return bytesPerSecond ? Math.round((bytes / bytesPerSecond) * 1000) : null;
}

/** Why the file failed, or why it could not be deleted. */
export function failureOf(item: UploadItem): UploadFailure | null {
  return "error" in item ? item.error : null;
}

/** The next automatic attempt, while the upload waits for it. */
export function pendingRetryOf(item: UploadItem): UploadRetry | null {
  return "retry" in item ? item.retry : null;
}
