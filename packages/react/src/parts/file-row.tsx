"use client";

import type { UploadItem } from "@stowage/client";
import { extensionOf, formatDateTime, formatPercent, isShownInPercent } from "@stowage/client/internals/list";
import { formatBytes } from "@stowage/schemas/page-rules";
import { type ComponentType, useCallback } from "react";
import { UploadAction, UploadPause } from "./action-button.js";
import { UploadDiscard } from "./discard.js";
import { alertIcon, checkIcon, closeIcon, pauseIcon, resumeIcon, retryIcon } from "./row-icons.js";
import { UploadRowItem } from "./list.js";
import type { UploadPreviewProps } from "./preview.js";
import { UploadProgress, UploadStatus } from "./progress.js";
import { useFileView } from "./item-view.js";

export type Preview = ComponentType<Pick<UploadPreviewProps, "className" | "fallback">>;

/** Returns a function that renders one row of the styled components, with a preview image if `preview` is given. */
export function useFileRow(preview: Preview | undefined) {
  return useCallback(() => <FileRow preview={preview} />, [preview]);
}

function FileRow({ preview: PreviewImage }: { preview: Preview | undefined }) {
  const { item, labels, name: uniqueName } = useFileView();
  const { status, name, path, size, progress, file } = item;
  const folder = path.slice(0, path.lastIndexOf("/"));
  const isNumbered = uniqueName !== (path || name);
  const badge = badgeOf(item);
  return (
    <UploadRowItem className="stowage-item">
      <span className="stowage-badge" aria-hidden="true" translate="no">
        {PreviewImage && status !== "failed" ? (
          <PreviewImage className="stowage-preview" fallback={badge} />
        ) : (
          badge
        )}
      </span>
      <div className="stowage-item-body">
        <div className="stowage-item-head">
          <bdi className="stowage-name" title={path || name} translate="no">
            {uniqueName.slice(folder === "" ? 0 : folder.length + 1)}
          </bdi>
          <span className="stowage-size">
            {isShownInPercent(item)
              ? formatPercent(progress, labels.locale)
              : formatBytes(size, labels.locale)}
          </span>
        </div>
        {(folder || isNumbered) && (
          <div className="stowage-origin">
            {folder ? <bdi translate="no">{folder}</bdi> : formatDateTime(file.lastModified, labels.locale)}
          </div>
        )}
        <UploadProgress className="stowage-progress" />
        <UploadStatus className="stowage-item-status" />
        <UploadDiscard className="stowage-link" />
      </div>
      <div className="stowage-item-actions">
        <UploadPause className="stowage-action stowage-pause">
          {status === "paused" ? resumeIcon : pauseIcon}
        </UploadPause>
        {(["retry", "cancel", "remove"] as const).map((action) => (
          <UploadAction key={action} action={action} className={`stowage-action stowage-${action}`}>
            {action === "retry" ? retryIcon : closeIcon}
          </UploadAction>
        ))}
      </div>
    </UploadRowItem>
  );
}

/** An icon for a file that is done or failed, else the file's extension. */
function badgeOf({ status, name }: UploadItem) {
  if (status === "done") {
    return checkIcon;
  }
  if (status === "failed") {
    return alertIcon;
  }
  // A component must not return a bare text: the browser's translator puts another node in its place, which React cannot remove.
  return <span>{extensionOf(name)}</span>;
}
