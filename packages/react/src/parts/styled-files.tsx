"use client";

// Loaded after the first view, because a list is empty at first.
import type { UploadItem } from "@stowage/client";
import { UploadAction, UploadPauseAll } from "./action-button.js";
import { type Preview, useFileRow } from "./file-row.js";
import { UploadList } from "./list.js";
import { UploadProgress, UploadStatus } from "./progress.js";
import { useItemView } from "./item-view.js";
import { ItemViewContext, useRootView } from "./upload-context.js";

export interface StyledFilesProps {
  preview?: Preview | undefined;
  /** Which files are listed; all without it. */
  filter?: ((item: UploadItem) => boolean) | undefined;
  /** Shows the progress of all files, and the buttons for all of them. */
  hasSummary?: boolean | undefined;
}

/** The files of a styled component, one row for each, and what concerns all of them. */
export function StyledFiles({ preview, filter, hasSummary = false }: StyledFilesProps) {
  return (
    <>
      <UploadList className="stowage-list" filter={filter}>
        {useFileRow(preview)}
      </UploadList>
      {hasSummary && <Summary />}
    </>
  );
}

function Summary() {
  const { autoStart, upload } = useRootView();
  const { files } = upload.totals;
  const isWaitingForStart = autoStart === false && files > 0;
  const view = useItemView();
  return files > 1 || upload.connection !== "online" || isWaitingForStart ? (
    // Read once for all parts inside.
    <ItemViewContext.Provider value={view}>
      <div className="stowage-summary">
        <UploadProgress className="stowage-progress stowage-total" />
        <UploadStatus className="stowage-summary-text" />
        <div className="stowage-summary-actions">
          <UploadPauseAll className="stowage-link" />
          {(["start", "retryAll", "cancelAll", "clear"] as const).map((action) => (
            <UploadAction key={action} action={action} className={`stowage-link stowage-${action}`} />
          ))}
        </div>
      </div>
    </ItemViewContext.Provider>
  ) : null;
}

export const codeName = "styled-files";
