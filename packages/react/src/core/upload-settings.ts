import type { BrowserFile } from "@stowage/schemas";
import type { Accept, FileRules, Size } from "@stowage/schemas/rules";
import type { ErrorMessages } from "./messages.js";
import type { UploadTotals } from "./totals.js";
import type { HttpTransportOptions, UploadTransport } from "./transport.js";
import type { UploadFailure, UploadItem } from "./upload-item.js";

/**
 * What an upload store, a hook or a dropzone is told. One of `endpoint` and `transport` must be there.
 *
 * @typeParam Data what the route's `onComplete` returns
 */
export interface UploadSettings<Data = unknown> extends Omit<HttpTransportOptions, "endpoint"> {
  /** Where the helper of `@stowage/server` is mounted, e.g. `/api/upload`. */
  endpoint?: string | undefined;
  /** In place of HTTP to `endpoint`: another way to the backend. */
  transport?: UploadTransport | undefined;
  /** Which of the helper's upload routes; its limits are asked of the backend. */
  route?: string | undefined;
  /** What goes to the route beside each file. */
  input?: unknown;
  accept?: Accept | undefined;
  /** Of one file: bytes, or a text such as `"4MB"`. */
  maxSize?: Size | undefined;
  minSize?: Size | undefined;
  /**
   * Over the whole session, not of one drop. Where it is 1, the next file that is chosen takes the place of one that came
   * to its end; nothing is deleted on the server.
   */
  maxFiles?: number | undefined;
  /** Of all files of the session together. */
  maxTotalSize?: Size | undefined;
  /** A sentence refuses the file. Runs when the file's turn has come. */
  validate?:
    | ((
        file: File,
        options: { signal: AbortSignal },
      ) => Promise<string | null | undefined> | string | null | undefined)
    | undefined;
  /** Of the same name, path, size, type and time as one in the list. `allow` unless told; `skip` does not list it. */
  duplicates?: "allow" | "skip" | "refuse" | undefined;
  /** What is sent in place of the file: smaller, without its EXIF, as another type. A Blob keeps the file's name. */
  transform?: ((file: File, options: { signal: AbortSignal }) => Promise<Blob> | Blob) | undefined;
  /** Files that are sent at once; 6 unless told. As many again may wait to be confirmed. */
  concurrency?: number | undefined;
  /** False leaves the files in the list until `start()`. */
  autoStart?: boolean | undefined;
  /** Taking a stored file off the list deletes it in storage too. */
  deleteOnRemove?: boolean | undefined;
  /** Sentences by error code, in place of the English ones. */
  errorMessages?: Partial<ErrorMessages> | undefined;
  /** Of the numbers in messages, as in BCP 47; `en` unless told. */
  locale?: string | undefined;
  /** The service has seen the file. Called once the snapshot shows it, as are the two below. */
  onUploaded?: ((file: BrowserFile, item: DoneItem<Data>) => void) | undefined;
  /** A file was refused, or given up on. */
  onFailed?: ((failure: UploadFailure, item: UploadItem<Data>) => void) | undefined;
  /** The last file on its way has come to its end. */
  onSettled?: ((snapshot: UploadSnapshot<Data>) => void) | undefined;
}

export type DoneItem<Data = unknown> = Extract<UploadItem<Data>, { status: "done" }>;

/** The limits in force: the page's, else the route's. In bytes. */
export interface UploadLimits extends FileRules {
  maxTotalSize?: number | undefined;
}

/** What the store shows. Immutable; rows that did not change are the same objects as before. */
export interface UploadSnapshot<Data = unknown> {
  readonly items: readonly UploadItem<Data>[];
  readonly totals: UploadTotals;
  /** The connection is gone: what is on its way waits, and goes on by itself. */
  readonly isOffline: boolean;
  readonly limits: UploadLimits;
}

/** What a page can do with the list. None of these throws, and an id that is gone is nobody. */
export interface UploadCommands {
  /** Takes files in; one that breaks a limit is listed as failed. */
  add(files: Iterable<File>): void;
  /** Sends what is queued, where `autoStart` is false. */
  start(): void;
  cancel(id: string): void;
  cancelAll(): void;
  /** Starts a failed or cancelled file again. */
  retry(id: string): void;
  /** Starts every failed file again that a person may try again. */
  retryAll(): void;
  /** Takes a file off the list, cancelling it first if need be. What is stored stays stored, unless told to delete. */
  remove(id: string, options?: RemoveOptions): void;
  removeAll(options?: RemoveOptions): void;
  /** Takes every file off the list that is done, failed or cancelled. */
  clear(): void;
  /** An empty list, as at first: cancels what is on its way, deletes nothing on the server. */
  reset(): void;
}

export interface RemoveOptions {
  /** Whether to delete what is stored too; as `deleteOnRemove` says unless told. */
  delete?: boolean | undefined;
}
