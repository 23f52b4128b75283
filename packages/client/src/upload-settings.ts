import type { BrowserFile } from "@stowage/schemas";
import type { Accept, Size } from "@stowage/schemas/page-rules";
import type { FileSource } from "./file-source.js";
import type { ErrorMessages } from "./messages.js";
import type { ConnectionState } from "./network/connection.js";
import type { ResumableUpload } from "./resume/resumable-upload.js";
import type { UploadTotals } from "./store/totals.js";
import type { HttpTransportOptions, UploadTransport } from "./transport.js";
import type { UploadFailure, UploadItem } from "./upload-item.js";
import type { UploadLimits } from "./upload-limits.js";

/**
 * Settings of an upload store, a hook or a dropzone. Either `endpoint` or `transport` is required.
 *
 * @typeParam Data what the route's `onComplete` returns
 */
export interface UploadSettings<Data = unknown> extends Omit<HttpTransportOptions, "endpoint"> {
  /** Where the helper of `@stowage/server` is mounted, e.g. `/api/upload`. */
  endpoint?: string | undefined;
  /** Another way to the backend, in place of HTTP to `endpoint`. */
  transport?: UploadTransport | undefined;
  /** Name of the helper's upload route. The list asks the backend for the limits of this route. */
  route?: string | undefined;
  /** Value that is sent to the route with each file, or a function of the file that returns it. */
  input?: unknown;
  /**
   * Which types of files are accepted, as in HTML: media types, groups such as `image/*`, and extensions such as `.pdf`.
   *
   * @default every type
   */
  accept?: Accept | undefined;
  /** Largest size of one file: bytes, or a text such as `"4MB"`. */
  maxSize?: Size | undefined;
  /** Smallest size of one file: bytes, or a text such as `"1KB"`. */
  minSize?: Size | undefined;
  /**
   * Largest number of files of the whole session, not of one drop. With 1, the next file replaces a file that has ended.
   * Nothing is deleted on the server.
   */
  maxFiles?: number | undefined;
  /** Largest size of all files of the session together. */
  maxTotalSize?: Size | undefined;
  /**
   * Returns a text to refuse the file, or throws an `UploadError`, whose code has a text in the page's language. Runs when the file's
   * turn comes.
   */
  validate?:
    | ((
        file: File,
        options: { signal: AbortSignal },
      ) => Promise<string | null | undefined> | string | null | undefined)
    | undefined;
  /**
   * What happens to a file with the same name, path, size, type and date as a file of the list. `skip` does not list it,
   * `refuse` lists it as failed.
   *
   * @default "allow"
   */
  duplicates?: "allow" | "skip" | "refuse" | undefined;
  /** Returns what is sent in place of the file, e.g. a smaller image or one without EXIF. A Blob keeps the file's name. */
  transform?: ((file: File, options: { signal: AbortSignal }) => Promise<Blob> | Blob) | undefined;
  /**
   * How many files are uploaded at the same time. As many again may wait for their confirmation.
   *
   * @default 6
   */
  concurrency?: number | undefined;
  /**
   * False keeps files in the list until `start()`.
   *
   * @default true
   */
  autoStart?: boolean | undefined;
  /**
   * True deletes a stored file in storage when it is removed from the list.
   *
   * @default false
   */
  deleteOnRemove?: boolean | undefined;
  /**
   * Whether the browser asks for confirmation when the page is closed or left while files are uploaded.
   *
   * @default true
   */
  leaveGuard?: boolean | undefined;
  /**
   * Whether the list shows the unfinished large uploads of the user, for example after a reload, and continues them. By default
   * it shows them if this browser has started one for the same backend and route. True also asks the backend for uploads that
   * other devices have started. False never continues an upload.
   *
   * @default undefined
   */
  resumable?: boolean | undefined;
  /** Messages by error code, in place of the English ones. */
  errorMessages?: Partial<ErrorMessages> | undefined;
  /**
   * Language of the numbers in messages (BCP 47).
   *
   * @default "en"
   */
  locale?: string | undefined;
  /** Called when the service has confirmed a file, after the snapshot shows it. */
  onUploaded?: ((file: BrowserFile, item: DoneItem<Data>) => void) | undefined;
  /** Called when a file was refused or failed for good, after the snapshot shows it. */
  onFailed?: ((failure: UploadFailure, item: UploadItem<Data>) => void) | undefined;
  /** Called when the last active file has ended, after the snapshot shows it. */
  onSettled?: ((snapshot: UploadSnapshot<Data>) => void) | undefined;
}

/** A file of the list that is stored. */
export type DoneItem<Data = unknown> = Extract<UploadItem<Data>, { status: "done" }>;

/** What the store shows. It is immutable, and an item that did not change is the same object as before. */
export interface UploadSnapshot<Data = unknown> {
  readonly items: readonly UploadItem<Data>[];
  readonly totals: UploadTotals;
  /** True while the browser says that there is no network. Active files wait and continue by themselves. */
  readonly isOffline: boolean;
  /**
   * `unreachable` while the browser believes that there is a network but the backend does not answer. Active files wait
   * and continue by themselves, and fail after five minutes.
   */
  readonly connection: ConnectionState;
  readonly limits: UploadLimits;
  /** Unfinished uploads that `continueUpload` continues, newest first. */
  readonly resumable: readonly ResumableUpload[];
  /**
   * Names of files that were not uploaded because the last page of this tab was reloaded, or was discarded by the system. `resumable` has
   * those that can be continued. A name is left out when a file of this name is added.
   */
  readonly lost: readonly string[];
  /**
   * The files that the last `add` left out: files of operating systems, locks, and parts of downloads, such as `.DS_Store`. They count
   * toward no limit.
   */
  readonly leftOut: readonly File[];
}

/** What a page can do with the list. Only `add` throws. Unknown ids are ignored. */
export interface UploadCommands {
  /**
   * Adds files. A file that breaks a limit is listed as failed. System files such as `.DS_Store` are left out: see `leftOut`.
   *
   * @throws {TypeError} for what is neither a `File` nor a source, such as `{ uri }`
   */
  add(files: Iterable<File | FileSource>): void;
  /** Starts the queued files, for pages with `autoStart: false`. */
  start(): void;
  cancel(id: string): void;
  cancelAll(): void;
  /** Stops a file until `resume`. Storage keeps the parts that it has; a file by one PUT starts again from 0. */
  pause(id: string): void;
  /** Pauses all files, except those that wait for `start()`. */
  pauseAll(): void;
  /** Continues a paused file. */
  resume(id: string): void;
  resumeAll(): void;
  /** Starts a failed or cancelled file again. */
  retry(id: string): void;
  /**
   * For a failure with `heldBytes`: ends the unfinished uploads of the user, and starts the failed file again. Uploads that run
   * in this browser are kept. Uploads that run on other devices end.
   */
  discardUnfinished(id: string): void;
  /** Starts all failed files again, except those that would be refused again. */
  retryAll(): void;
  /** Removes a file from the list, and cancels it first if it is active. A stored file stays in storage by default. */
  remove(id: string, options?: RemoveOptions): void;
  removeAll(options?: RemoveOptions): void;
  /** Removes all files from the list that are done, failed or cancelled. */
  clear(): void;
  /**
   * Continues an unfinished upload of `resumable`. On success, the file is added to the list. Otherwise
   * the upload gets an `error`. Call it in a click: the browser may ask for permission to read the file.
   *
   * @param path of the upload
   * @param file what the person chose. May be missing if `canContinueWithoutChoosing`
   */
  continueUpload(path: string, file?: File | FileSource): void;
  /** Ends an unfinished upload of `resumable`. Its parts are deleted, and it no longer uses up the quota. */
  discardResumable(path: string): void;
  /**
   * Cancels and removes all files, forgets the uploads of `resumable`, and starts a new session. Deletes no stored file on the
   * server.
   */
  reset(): void;
}

/** What `remove` does in addition to removing the file from the list. */
export interface RemoveOptions {
  /**
   * Whether to delete the file in storage too.
   *
   * @default the setting `deleteOnRemove`
   */
  delete?: boolean | undefined;
}
