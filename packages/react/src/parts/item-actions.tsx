import { isActive, type UploadItem } from "../core/upload-item.js";
import type { UseUploadResult } from "../use-upload.js";
import { CloseIcon, RetryIcon } from "./icons.js";
import type { UploadLabels } from "./labels.js";

export type ItemCommands = Pick<UseUploadResult, "cancel" | "retry" | "remove">;

interface ItemActionsProps {
  item: UploadItem;
  /** The file's name, made unique in the list. */
  name: string;
  labels: UploadLabels;
  commands: ItemCommands;
}

export function ItemActions({ item, name, labels, commands }: ItemActionsProps) {
  const canRetry = item.status === "cancelled" || (item.status === "failed" && item.error.canRetry);
  return (
    <div className="stowage-item-actions">
      {canRetry && (
        <button
          type="button"
          className="stowage-action stowage-retry"
          aria-label={`${labels.retry} ${name}`}
          title={labels.retry}
          onClick={() => commands.retry(item.id)}
        >
          <RetryIcon />
        </button>
      )}
      {isActive(item) ? (
        <button
          key="cancel"
          type="button"
          className="stowage-action stowage-cancel"
          aria-label={`${labels.cancel} ${name}`}
          title={labels.cancel}
          onClick={() => commands.cancel(item.id)}
        >
          <CloseIcon />
        </button>
      ) : (
        <button
          key="remove"
          type="button"
          className="stowage-action stowage-remove"
          aria-label={`${labels.remove} ${name}`}
          title={labels.remove}
          onClick={() => commands.remove(item.id)}
        >
          <CloseIcon />
        </button>
      )}
    </div>
  );
}
