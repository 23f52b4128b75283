"use client";

import { type ComponentType, useCallback } from "react";
import { formatBytes } from "@stowage/schemas/rules";
import { formatPercent } from "../core/format.js";
import { UploadAction } from "./action.js";
import { alertIcon, checkIcon, closeIcon, retryIcon } from "./icons.js";
import { UploadRowItem } from "./item.js";
import type { UploadPreviewProps } from "./preview.js";
import { UploadProgress } from "./progress.js";
import { UploadStatus } from "./status.js";
import { isSending } from "./standing.js";
import { useItem } from "./upload-context.js";

export type Preview = ComponentType<Pick<UploadPreviewProps, "className" | "fallback">>;

/** One file as the styled components draw it, with a small picture of it where there is a way to make one. */
export function useFileRow(preview: Preview | undefined) {
  return useCallback(() => <FileRow preview={preview} />, [preview]);
}

function FileRow({ preview: Picture }: { preview: Preview | undefined }) {
  const { item, labels } = useItem();
  const { status, name, path, size, progress } = item;
  const badge =
    status === "done" ? checkIcon : status === "failed" ? alertIcon : /\.(\w{1,4})$/.exec(name)?.[1];
  return (
    <UploadRowItem className="stowage-item">
      <span className="stowage-badge" aria-hidden="true">
        {Picture && status !== "failed" ? <Picture className="stowage-preview" fallback={badge} /> : badge}
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
