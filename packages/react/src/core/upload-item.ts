import type { File as StoredFile } from "@stowage/schemas";
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

/** Where a file stands. Every file ends as done, failed or cancelled. */
export type UploadState =
  | { readonly status: "queued" }
  | { readonly status: "requesting"; readonly retry: UploadRetry | null }
  | { readonly status: "uploading" }
  | { readonly status: "confirming"; readonly retry: UploadRetry | null }
  | { readonly status: "done"; readonly result: StoredFile }
  | { readonly status: "failed"; readonly error: UploadFailure }
  | { readonly status: "cancelled" };

export type UploadStatus = UploadState["status"];

interface UploadSubject {
  /** Made on adding; two files of the same name are two items. */
  readonly id: string;
  readonly file: File;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes sent in the current try. */
  readonly sentBytes: number;
  /** 0 to 1; at most 0.99 until the service has seen the file. */
  readonly progress: number;
}

/** One file on its way. Immutable: a change is a new object, no change the same object. */
export type UploadItem = UploadSubject & UploadState;

/** What a file is when it is added. */
export function createItem(id: string, file: File, state: UploadState): UploadItem {
  return { id, file, name: file.name, size: file.size, sentBytes: 0, progress: 0, ...state };
}

/** The same file in another state. */
export function withState(item: UploadItem, state: UploadState, sentBytes: number): UploadItem {
  const { id, file, name, size } = item;
  return { id, file, name, size, sentBytes, progress: progressOf(state.status, sentBytes, size), ...state };
}

function progressOf(status: UploadStatus, sentBytes: number, size: number): number {
  if (status === "done") return 1;
  if (status === "confirming") return 0.99;
  return size === 0 ? 0 : Math.min(0.99, sentBytes / size);
}

/** Still to come to an end. */
export function isActive(item: UploadItem): boolean {
  return item.status !== "done" && item.status !== "failed" && item.status !== "cancelled";
}
