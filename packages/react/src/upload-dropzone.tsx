"use client";

import { UploadHint, UploadTitle } from "./parts/area.js";
import type { Preview } from "./parts/file-row.js";
import { FilesOnDemand } from "./parts/files-on-demand.js";
import { uploadIcon } from "./parts/upload-icon.js";
import { UploadResumable } from "./parts/resumable.js";
import { UploadRoot, type UploadRootProps } from "./parts/root.js";
import { UploadTrigger } from "./parts/trigger.js";

export interface UploadLook {
  /**
   * `auto` follows the system.
   *
   * @default "auto"
   */
  theme?: "auto" | "light" | "dark" | undefined;
  /** Renders a preview of a file: `Upload.Preview`, or a component of your own. Without it, an icon is shown. */
  preview?: Preview | undefined;
}

/** Children are rendered below the hint: `Upload.Input` for a form, `Upload.Page`, further triggers. */
export type UploadDropzoneProps<Data = unknown> = UploadRootProps<Data> & UploadLook;

/**
 * Uploads dropped, chosen and pasted files straight to storage. Each file has its progress, a button to cancel it, and
 * a message if it fails. Needs `@stowage/react/styles.css`.
 *
 * @example <UploadDropzone endpoint="/api/upload" accept="image/*" onUploaded={(file) => save(file.file_path)} />
 */
export function UploadDropzone<Data = unknown>({
  className = "",
  theme,
  preview,
  children,
  ...root
}: UploadDropzoneProps<Data>) {
  return (
    <UploadRoot
      {...(root as UploadRootProps)}
      className={`stowage stowage-dropzone ${className}`}
      data-theme={theme}
    >
      <div className="stowage-area">
        <span className="stowage-emblem">{uploadIcon}</span>
        <UploadTitle className="stowage-title" />
        <UploadTrigger className="stowage-trigger" />
        <UploadHint className="stowage-hint" />
        {children}
      </div>
      <UploadResumable className="stowage-list" />
      <FilesOnDemand preview={preview} hasSummary />
    </UploadRoot>
  );
}
