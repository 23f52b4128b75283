"use client";

import { useId, useMemo } from "react";
import { useDropzone } from "react-dropzone";
import { acceptTokens } from "./core/accepts.js";
import type { ErrorMessages } from "./core/messages.js";
import { readSelection, type SelectionEvent } from "./core/read-selection.js";
import { UploadIcon } from "./parts/icons.js";
import { ItemList } from "./parts/item-list.js";
import { englishLabels, type UploadLabels } from "./parts/labels.js";
import { LiveRegion } from "./parts/live-region.js";
import { useKeptFocus } from "./parts/use-kept-focus.js";
import { useUpload, type UseUploadOptions } from "./use-upload.js";

/** Words to use in place of the English ones; `errors` by code. */
export type UploadMessages = Partial<UploadLabels> & { errors?: Partial<ErrorMessages> };

export interface UploadDropzoneProps extends Omit<UseUploadOptions, "errorMessages"> {
  /** The name of the whole control, for assistive technology. */
  label?: string | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
  messages?: UploadMessages | undefined;
  /** `auto` follows the system. */
  theme?: "auto" | "light" | "dark" | undefined;
}

/**
 * Files dropped, chosen or pasted go straight to storage, each with its progress, a way to cancel it, and a plain
 * sentence when it fails. Needs `@stowage/react/styles.css`.
 *
 * @example <UploadDropzone endpoint="/api/upload" accept="image/*" onUploaded={(file) => save(file.file_path)} />
 */
export function UploadDropzone({
  label = "Upload files",
  disabled = false,
  className,
  messages,
  theme = "auto",
  ...options
}: UploadDropzoneProps) {
  const { accept, maxFiles, locale = "en" } = options;
  const labels = useMemo(() => ({ ...englishLabels, ...messages }), [messages]);
  const upload = useUpload({ ...options, errorMessages: messages?.errors });
  const { items, totals, add, cancel, retry, remove, clear } = upload;
  const hintId = useId();

  const acceptKey = acceptTokens(accept).join(",");
  const { getRootProps, getInputProps, isDragActive, isDragReject, inputRef, rootRef } = useDropzone({
    ...useMemo(() => dragAccept(acceptKey), [acceptKey]),
    disabled,
    multiple: maxFiles !== 1,
    noClick: true,
    noKeyboard: true,
    getFilesFromEvent: async (event) => {
      const { dragged, files, inFolders } = readSelection(event as SelectionEvent);
      // Handed over here, because react-dropzone forgets a drop that is followed by another too soon.
      if (files.length > 0) add(files);
      void inFolders?.then(add);
      return dragged;
    },
  });
  const keptFocus = useKeptFocus(rootRef);
  const hint = labels.hint(options, locale);
  const finished = totals.files - totals.active;

  return (
    <div
      {...getRootProps({
        role: "group",
        "aria-label": label,
        className: className ? `stowage-dropzone ${className}` : "stowage-dropzone",
        "data-state": isDragReject
          ? "drag-reject"
          : isDragActive
            ? "drag-over"
            : totals.active > 0
              ? "uploading"
              : "idle",
        "data-disabled": disabled ? "" : undefined,
        "data-theme": theme === "auto" ? undefined : theme,
      })}
      {...keptFocus}
    >
      <div className="stowage-area">
        <input {...getInputProps({ accept: acceptKey, "aria-hidden": true, disabled })} />
        <span className="stowage-emblem">
          <UploadIcon />
        </span>
        <p className="stowage-title">
          {isDragReject ? labels.dropRefused : isDragActive ? labels.dropNow : labels.title}
        </p>
        <button
          type="button"
          className="stowage-trigger"
          disabled={disabled}
          aria-describedby={hint === "" ? undefined : hintId}
          onClick={() => openPicker(inputRef.current)}
        >
          {labels.choose}
        </button>
        {hint !== "" && (
          <p className="stowage-hint" id={hintId}>
            {hint}
          </p>
        )}
      </div>
      <ItemList {...{ items, labels, locale, cancel, retry, remove }} />
      {totals.files > 1 && (
        <div className="stowage-summary">
          <span>{labels.summary(totals, locale)}</span>
          {finished > 0 && (
            <button type="button" className="stowage-clear" onClick={clear}>
              {labels.clear}
            </button>
          )}
        </div>
      )}
      <LiveRegion snapshot={upload} labels={labels} locale={locale} />
    </div>
  );
}

// Not the open() of react-dropzone: it ignores drops until it sees its dialog close, and misses some closings.
function openPicker(input: HTMLInputElement | null) {
  if (!input) return;
  // The same file may be chosen twice in a row.
  input.value = "";
  input.click();
}

/** While files are dragged only their types are known, so extensions cannot be judged before the drop. */
function dragAccept(accept: string) {
  const tokens = acceptTokens(accept);
  const areTypes = tokens.length > 0 && tokens.every((token) => token.includes("/"));
  return areTypes ? { accept: Object.fromEntries(tokens.map((token) => [token, []])) } : {};
}
