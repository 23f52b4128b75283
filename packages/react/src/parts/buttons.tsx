"use client";

import { type ActionProps, UploadAction } from "./action.js";

/** Shown while there is something to cancel; named with its file. */
export const UploadCancel = (props: ActionProps) => <UploadAction {...props} action="cancel" />;
/** Shown while trying again may help. */
export const UploadRetry = (props: ActionProps) => <UploadAction {...props} action="retry" />;
/** Shown when the file has come to its end. */
export const UploadRemove = (props: ActionProps) => <UploadAction {...props} action="remove" />;

/** Shown where `autoStart` is false and files wait for it. */
export const UploadStart = (props: ActionProps) => <UploadAction {...props} action="start" />;
export const UploadCancelAll = (props: ActionProps) => <UploadAction {...props} action="cancelAll" />;
export const UploadRetryAll = (props: ActionProps) => <UploadAction {...props} action="retryAll" />;
export const UploadClear = (props: ActionProps) => <UploadAction {...props} action="clear" />;
