"use client";

import type { ActionName } from "@stowage/client/internals";
import type { ButtonHTMLAttributes } from "react";
import { useItemView } from "./item-view.js";

export type ActionProps = ButtonHTMLAttributes<HTMLButtonElement>;

/** A button for one action. It is rendered only while the action is possible. */
export function UploadAction({ action, children, ...props }: ActionProps & { action: ActionName }) {
  const { actions, labels, name } = useItemView();
  const run = actions[action];
  if (!run) {
    return null;
  }
  // The label `resume` belongs to uploads of another page.
  const label = labels[action === "resume" ? "resumePaused" : action];
  const text = typeof label === "string" ? label : label(name);
  // The children may be an icon, so the label becomes the accessible name.
  const accessibleName = children ? text : undefined;
  return (
    <button
      type="button"
      data-part={action}
      aria-label={accessibleName}
      title={accessibleName}
      {...props}
      onClick={() => run()}
    >
      {children ?? text}
    </button>
  );
}

/** Cancels the upload of one file. Rendered while the file is being uploaded. */
export const UploadCancel = (props: ActionProps) => <UploadAction {...props} action="cancel" />;
/** Pauses one file, or resumes a paused file. It is one button, which keeps the focus. Rendered while either is possible. */
export function UploadPause(props: ActionProps) {
  const { actions } = useItemView();
  return <UploadAction {...props} action={actions.resume ? "resume" : "pause"} />;
}

/** Starts a failed or cancelled file again. Not rendered if the same file would be refused again. */
export const UploadRetry = (props: ActionProps) => <UploadAction {...props} action="retry" />;
/** Removes a file from the list. Rendered when the upload has ended. */
export const UploadRemove = (props: ActionProps) => <UploadAction {...props} action="remove" />;

/** Starts the upload of queued files. Rendered if `autoStart` is false and files are queued. */
export const UploadStart = (props: ActionProps) => <UploadAction {...props} action="start" />;
/** Pauses all active files or, if there are none, resumes all paused files. Rendered while either is possible. */
export function UploadPauseAll(props: ActionProps) {
  const { actions } = useItemView();
  return <UploadAction {...props} action={actions.pauseAll ? "pauseAll" : "resumeAll"} />;
}

/** Cancels every active upload. Rendered while there is one. */
export const UploadCancelAll = (props: ActionProps) => <UploadAction {...props} action="cancelAll" />;
/** Starts all failed files again. Rendered if more than one failed and at least one of them can be retried. */
export const UploadRetryAll = (props: ActionProps) => <UploadAction {...props} action="retryAll" />;
/** Removes the ended files from the list. Rendered while there is one. */
export const UploadClear = (props: ActionProps) => <UploadAction {...props} action="clear" />;
