import type { BrowserFile } from "@stowage/schemas";
import { remainingMs } from "./speed-meter.js";
import type { UploadErrorCode } from "./upload-error.js";

/** Why an upload ended, or why it is about to be tried again. */
export interface UploadFailure {
  code: UploadErrorCode;
  /** For people: what happened and what to do next. */
  message: string;
  /** HTTP status; 0 when there was no answer. */
  status: number;
  /** False when the same file would be refused again. */
  canRetry: boolean;
}

/** A pause before the next automatic try. */
export interface UploadRetry {
  /** The try that comes next, from 2. */
  attempt: number;
  delayMs: number;
  failure: UploadFailure;
}

/**
 * Where a file stands. Every file ends as done, failed or cancelled.
 *
 * @typeParam Data what the route's `onComplete` returned
 */
export type UploadState<Data = unknown> =
  | { readonly status: "queued" }
  /** Checked by `validate`, changed by `transform`. */
  | { readonly status: "preparing" }
  | { readonly status: "requesting"; readonly retry: UploadRetry | null }
  | { readonly status: "uploading" }
  | { readonly status: "confirming"; readonly retry: UploadRetry | null }
  | {
      readonly status: "done";
      /** The file as the service has it. */
      readonly result: BrowserFile;
      readonly data: Data;
      /** Why it could not be deleted, when that was asked for. */
      readonly error: UploadFailure | null;
    }
  | { readonly status: "failed"; readonly error: UploadFailure }
  | { readonly status: "cancelled" }
  /** Being deleted on the server; then it is off the list, or done again with an `error`. */
  | { readonly status: "deleting" };

export type UploadStatus = UploadState["status"];

interface UploadSubject {
  /** Made on adding; two files of the same name are two items. */
  readonly id: string;
  readonly file: File;
  readonly name: string;
  /** Where the file lies in the folder that was dropped or chosen, as `photos/2026/a.jpg`; else empty. */
  readonly path: string;
  /** Bytes that are sent: those of the file, or of what `transform` made of it. */
  readonly size: number;
  /** Bytes sent, at the furthest: a second try does not take back what was shown. */
  readonly sentBytes: number;
  /** 0 to 1; at most 0.99 until the service has seen the file. */
  readonly progress: number;
  /** While bytes leave, and as soon as there is something to measure. */
  readonly bytesPerSecond: number | null;
  readonly remainingMs: number | null;
}

/** One file on its way. Immutable: a change is a new object, no change the same object. */
export type UploadItem<Data = unknown> = UploadSubject & UploadState<Data>;

/** What a file is, wherever it stands. */
export type FileSubject = Pick<UploadItem, "id" | "file" | "name" | "path"> & { size: number };

export function createSubject(id: string, file: File): FileSubject {
  return { id, file, name: file.name, path: pathOf(file), size: file.size };
}

/** A file as it is shown in a state. */
export function itemOf(
  subject: FileSubject,
  state: UploadState,
  sentBytes: number,
  bytesPerSecond: number | null = null,
): UploadItem {
  const { size } = subject;
  return {
    ...subject,
    sentBytes,
    progress: kindOf(state) === "done" ? 1 : Math.min(0.99, sentBytes / size || 0),
    bytesPerSecond,
    remainingMs: remainingMs(size - sentBytes, bytesPerSecond),
    ...state,
  };
}

/** Browsers say it as `webkitRelativePath`; file-selector, which reads dropped folders, as `relativePath`. */
function pathOf(file: File & { relativePath?: string }): string {
  const path = (file.webkitRelativePath || file.relativePath || "").replace(/^\.?\//, "");
  return path === file.name ? "" : path;
}

const ENDS = { done: "done", deleting: "done", failed: "failed", cancelled: "cancelled" } as const;

/** What a file is counted as. One that is being deleted is there until it is gone. */
export function kindOf({ status }: { status: UploadStatus }): "active" | "done" | "failed" | "cancelled" {
  return (ENDS as Partial<Record<UploadStatus, (typeof ENDS)[keyof typeof ENDS]>>)[status] ?? "active";
}

/** Still to come to an end. */
export function isActive(item: { status: UploadStatus }): boolean {
  return kindOf(item) === "active";
}
