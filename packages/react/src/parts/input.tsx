"use client";

import { useEffect, useRef } from "react";
import type { UploadLabels } from "./labels.js";
import { useView } from "./upload-context.js";
import { useWindowEvent } from "./use-window-event.js";
import { visuallyHidden } from "./visually-hidden.js";

export interface UploadInputProps {
  /** One field of this name for each stored file, with its path. */
  name?: string | undefined;
  /** Whether the form needs a file. */
  required?: boolean | undefined;
  /** The id of a form that it is not in. */
  form?: string | undefined;
}

export const englishForm: Pick<UploadLabels, "required" | "held" | "heldFailed"> = {
  required: "Choose a file first.",
  held: "The form is sent when all files are uploaded.",
  heldFailed: "The form was not sent, because a file failed.",
};

/**
 * Makes the files part of a form: hidden fields with their paths. A submit waits until all files are done, and a reset
 * empties the list.
 */
export function UploadInput({ name, required = false, form }: UploadInputProps) {
  const { parts, upload, rootRef, setNotice, say } = useView();
  const { items, totals } = upload;
  const labels = { ...englishForm, ...parts.labels };
  const isBusy = totals.active > 0;
  const field = useRef<HTMLInputElement>(null);
  const held = useRef<{ submitter: HTMLElement | null; failedBefore: number } | null>(null);
  const paths = items.flatMap((item) => (item.status === "done" ? [item.result.file_path] : []));
  const notify = (notice: string) => {
    setNotice(notice);
    say(notice);
  };
  const focusOn = (selector: string) => rootRef.current?.querySelector<HTMLElement>(selector)?.focus();
  // What it said has had its time once new files are on their way.
  useEffect(() => {
    if (isBusy) setNotice("");
  }, [isBusy, setNotice]);
  const isMissing = required && paths.length === 0 && !isBusy;

  useEffect(() => {
    field.current?.setCustomValidity(isMissing ? labels.required : "");
    if (!held.current || isBusy) return;
    const { submitter, failedBefore } = held.current;
    held.current = null;
    if (totals.failed > failedBefore) {
      notify(labels.heldFailed);
      focusOn("[data-status=failed]");
    } else {
      setNotice("");
      field.current?.form?.requestSubmit(submitter?.isConnected ? submitter : null);
    }
  });
  const isOwner = ({ target }: Event) => target !== null && target === field.current?.form;
  useWindowEvent("submit", (event) => {
    if (!isOwner(event) || !isBusy) return;
    event.preventDefault();
    // The page's own handlers must not send it either.
    event.stopImmediatePropagation();
    held.current = { submitter: event.submitter, failedBefore: totals.failed };
    notify(labels.held);
    upload.start();
  });
  useWindowEvent("reset", (event) => {
    if (!isOwner(event)) return;
    held.current = null;
    upload.reset();
    setNotice("");
  });

  return (
    <>
      {/* Carries the form's check: a button cannot. */}
      <input
        ref={field}
        form={form}
        tabIndex={-1}
        aria-hidden="true"
        autoComplete="off"
        style={visuallyHidden}
        onFocus={() => focusOn("[data-part=trigger]")}
        onInvalid={(event) => {
          // The browser would point at a field that nobody sees.
          event.preventDefault();
          notify(labels.required);
          const fields = Array.from(event.currentTarget.form?.elements ?? []) as HTMLInputElement[];
          // As a browser does: the first field that is wrong gets the focus.
          if (fields.find(({ validity }) => validity && !validity.valid) === event.currentTarget)
            focusOn("[data-part=trigger]");
        }}
      />
      {name !== undefined &&
        paths.map((path) => <input key={path} type="hidden" name={name} form={form} value={path} />)}
    </>
  );
}
