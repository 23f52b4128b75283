"use client";

import { formatBytes } from "@stowage/schemas/rules";
import { type ComponentType, useCallback } from "react";
import { formatPercent } from "../core/format.js";
import type { UploadItem } from "../core/upload-item.js";
import { UploadAction } from "./action-button.js";
import { UploadDiscard } from "./discard.js";
import { alertIcon, checkIcon, closeIcon, retryIcon } from "./icons.js";
import { isSending } from "./item-view.js";
import { UploadRowItem } from "./list.js";
import type { UploadPreviewProps } from "./preview.js";
import { UploadProgress, UploadStatus } from "./progress.js";
import { useFileView } from "./upload-context.js";

export type Preview = ComponentType<Pick<UploadPreviewProps, "className" | "fallback">>;

/** Returns a function that renders one row of the styled components, with a preview image if `preview` is given. */
export function useFileRow(preview: Preview | undefined) {
  return useCallback(() => <FileRow preview={preview} />, [preview]);
}

function FileRow({ preview: PreviewImage }: { preview: Preview | undefined }) {
  const { item, labels } = useFileView();
  const { status, name, path, size, progress } = item;
  const badge = badgeOf(item);
  return (
    <UploadRowItem className="stowage-item">
      <span className="stowage-badge" aria-hidden="true">
        {PreviewImage && status !== "failed" ? (
          <PreviewImage className="stowage-preview" fallback={badge} />
        ) : (
          badge
        )}
      </span>
      <div className="stowage-item-body">
        <div className="stowage-item-head">
          <bdi className="stowage-name" title={path || name}>
            {name}
          </bdi>
          <span className="stowage-size">
            {isSending(item) ? formatPercent(progress, labels.locale) : formatBytes(size, labels.locale)}
          </span>
        </div>
        <UploadProgress className="stowage-progress" />
        <UploadStatus className="stowage-item-status" />
        <UploadDiscard className="stowage-link" />
      </div>
      <div className="stowage-item-actions">
        {(["retry", "cancel", "remove"] as const).map((action) => (
          <UploadAction key={action} action={action} className={`stowage-action stowage-${action}`}>
            {action === "retry" ? retryIcon : closeIcon}
          </UploadAction>
        ))}
      </div>
    </UploadRowItem>
  );
}

/** An icon for a file that is done or failed, else the file's extension if it has at most four characters. */
function badgeOf({ status, name }: UploadItem) {
  if (status === "done") {
    return checkIcon;
  }
  if (status === "failed") {
    return alertIcon;
  }
  return /\.(\w{1,4})$/.exec(name)?.[1];
}
