"use client";

import { UploadAction } from "./parts/action.js";
import { type Preview, useFileRow } from "./parts/file-row.js";
import { UploadHint } from "./parts/hint.js";
import { uploadIcon } from "./parts/icons.js";
import { UploadList } from "./parts/list.js";
import { UploadProgress } from "./parts/progress.js";
import { UploadRoot, type UploadRootProps } from "./parts/root.js";
import { UploadStatus } from "./parts/status.js";
import { UploadTitle } from "./parts/title.js";
import { UploadTrigger } from "./parts/trigger.js";
import { useView } from "./parts/upload-context.js";

export interface UploadLook {
  /** `auto` follows the system. */
  theme?: "auto" | "light" | "dark" | undefined;
  /** Draws a small picture of a file: `Upload.Preview`, or a component of your own. */
  preview?: Preview | undefined;
}

/** Children stand under the hint: `Upload.Input` for a form, `Upload.Page`, further triggers. */
export type UploadDropzoneProps<Data = unknown> = UploadRootProps<Data> & UploadLook;

/**
 * Files dropped, chosen or pasted go straight to storage, each with its progress, a way to cancel it, and a plain
 * sentence when it fails. Needs `@stowage/react/styles.css`.
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
      <UploadList className="stowage-list" moreClassName="stowage-more">
        {useFileRow(preview)}
      </UploadList>
      <Footer />
    </UploadRoot>
  );
}

function Footer() {
  const { autoStart, upload } = useView();
  const { files } = upload.totals;
  return files > 1 || upload.isOffline || (autoStart === false && files > 0) ? (
    <div className="stowage-summary">
      <UploadProgress className="stowage-progress stowage-total" />
      <UploadStatus className="stowage-summary-text" />
      {(["start", "retryAll", "cancelAll", "clear"] as const).map((action) => (
        <UploadAction key={action} action={action} className={`stowage-link stowage-${action}`} />
      ))}
    </div>
  ) : null;
}
