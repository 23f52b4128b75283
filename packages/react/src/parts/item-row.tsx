import { memo } from "react";
import { formatBytes, formatPercent } from "../core/format.js";
import { isActive, type UploadItem } from "../core/upload-item.js";
import { AlertIcon, CheckIcon } from "./icons.js";
import { ItemActions, type ItemCommands } from "./item-actions.js";
import type { UploadLabels } from "./labels.js";
import { ProgressBar } from "./progress-bar.js";

interface ItemRowProps extends ItemCommands {
  item: UploadItem;
  /** The file's name, made unique in the list. */
  name: string;
  labels: UploadLabels;
  locale: string;
}

/** One file of the list. Drawn again only when the file changed. */
export const ItemRow = memo(function ItemRow({ item, name, labels, locale, ...commands }: ItemRowProps) {
  const status = labels.status(item, locale);
  const percent = formatPercent(item.progress, locale);
  const isSending = item.status === "uploading" || item.status === "confirming";
  return (
    <li
      className="stowage-item"
      data-id={item.id}
      data-status={item.status}
      data-retrying={"retry" in item && item.retry ? "" : undefined}
      tabIndex={-1}
    >
      <span className="stowage-badge" aria-hidden="true">
        {item.status === "done" ? (
          <CheckIcon />
        ) : item.status === "failed" ? (
          <AlertIcon />
        ) : (
          extensionOf(item.name)
        )}
      </span>
      <div className="stowage-item-body">
        <div className="stowage-item-head">
          <bdi className="stowage-name" title={item.name}>
            {item.name}
          </bdi>
          <span className="stowage-size">{isSending ? percent : formatBytes(item.size, locale)}</span>
        </div>
        {isActive(item) && (
          <ProgressBar
            name={name}
            value={item.status === "requesting" || item.status === "queued" ? null : item.progress}
            valueText={isSending ? `${percent}, ${status}` : status}
          />
        )}
        <div className="stowage-item-status">{status}</div>
      </div>
      <ItemActions item={item} name={name} labels={labels} commands={commands} />
    </li>
  );
});

function extensionOf(name: string): string {
  const extension = /\.([\p{L}\p{N}]{1,4})$/u.exec(name)?.[1];
  return extension?.toUpperCase() ?? "";
}
