"use client";

import type { UploadItem, UploadTotals } from "@stowage/client";
import { type ActiveLabels, connectionText, formatPercent } from "@stowage/client/internals/list";
import { UploadAction, UploadPauseAll } from "./parts/action-button.js";
import { UploadHint } from "./parts/area.js";
import { FilesOnDemand } from "./parts/files-on-demand.js";
import { closeIcon, pauseIcon, resumeIcon } from "./parts/row-icons.js";
import { uploadIcon } from "./parts/upload-icon.js";
import { UploadProgress } from "./parts/progress.js";
import { UploadResumable } from "./parts/resumable.js";
import { UploadRoot, type UploadRootProps } from "./parts/root.js";
import { UploadTrigger } from "./parts/trigger.js";
import { useRootView } from "./parts/upload-context.js";
import type { UploadLook } from "./upload-dropzone.js";

/** Children are rendered below the hint: `Upload.Input` for a form, `Upload.Page`, further triggers. */
export type UploadButtonProps<Data = unknown> = UploadRootProps<Data> &
  UploadLook & {
    /**
     * Shows all files below the button, not only the failed ones.
     *
     * @default false
     */
    list?: boolean | undefined;
  };

/**
 * A button that uploads the chosen files straight to storage and shows their progress. It also accepts drops and
 * pastes. Needs `@stowage/react/styles.css`.
 *
 * @example <UploadButton endpoint="/api/upload" accept="image/*" maxFiles={1} onUploaded={(file) => save(file.file_path)} />
 */
export function UploadButton<Data = unknown>({
  className = "",
  theme,
  preview,
  list = false,
  children,
  ...root
}: UploadButtonProps<Data>) {
  return (
    <UploadRoot
      {...(root as UploadRootProps)}
      className={`stowage stowage-button ${className}`}
      data-theme={theme}
    >
      <ButtonBar />
      <UploadHint className="stowage-hint" />
      {children}
      <UploadResumable className="stowage-list" />
      <FilesOnDemand preview={preview} filter={list ? undefined : isFailed} />
    </UploadRoot>
  );
}

function ButtonBar() {
  const { shared, upload } = useRootView();
  const { labels } = shared;
  const notice = connectionText(shared);
  const { active, paused } = upload.totals;
  return (
    <div className="stowage-button-bar">
      <span className="stowage-button-face">
        <UploadTrigger className="stowage-trigger">
          {uploadIcon}
          <span>{faceText(upload.totals, labels)}</span>
        </UploadTrigger>
        <UploadProgress className="stowage-progress" />
      </span>
      <UploadAction action="start" className="stowage-link" />
      <UploadPauseAll className="stowage-action">{active > paused ? pauseIcon : resumeIcon}</UploadPauseAll>
      <UploadAction action="cancelAll" className="stowage-action">
        {closeIcon}
      </UploadAction>
      {notice && <span className="stowage-hint">{notice}</span>}
    </div>
  );
}

function faceText({ active, paused, progress }: UploadTotals, labels: ActiveLabels): string {
  const percent = formatPercent(progress, labels.locale);
  if (active === 0) {
    return labels.choose;
  }
  return active > paused ? labels.uploading(percent) : `${labels.paused} · ${percent}`;
}

const isFailed = ({ status }: UploadItem) => status === "failed";
