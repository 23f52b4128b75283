import type { DoneItem, StoredFile, UploadFailure, UploadItem, UploadSnapshot } from "@stowage/client";

/** The `detail` of `stowage-uploaded`: a file was stored. */
export interface DropzoneUploadedDetail {
  file: StoredFile;
  item: DoneItem;
}

/** The `detail` of `stowage-failed`: a file could not be stored. */
export interface DropzoneFailedDetail {
  failure: UploadFailure;
  item: UploadItem;
}

/** The list after a change. */
export type DropzoneChangeDetail = UploadSnapshot;

/** The events of `<stowage-dropzone>`. They bubble. */
export interface DropzoneEventMap {
  /** The service has confirmed a file. */
  "stowage-uploaded": CustomEvent<DropzoneUploadedDetail>;
  /** A file was refused, or failed for good. */
  "stowage-failed": CustomEvent<DropzoneFailedDetail>;
  /** The last active file has ended. */
  "stowage-settled": CustomEvent<DropzoneChangeDetail>;
  /** The list has changed: files, progress, connection or limits. */
  "stowage-list": CustomEvent<DropzoneChangeDetail>;
}

declare global {
  interface GlobalEventHandlersEventMap extends DropzoneEventMap {}
}
