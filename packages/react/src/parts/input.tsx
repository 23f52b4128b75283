"use client";

import { englishFormLabels, isFirstInvalid } from "@stowage/client/internals";
import { type FormEvent, type RefObject, useEffect, useRef } from "react";
import type { UseUploadResult } from "../use-upload.js";
import { useRootView } from "./upload-context.js";
import { useWindowEvent } from "./use-window-event.js";
import { visuallyHidden } from "./visually-hidden.js";

/** Props of `Upload.Input`: the form fields that carry the stored files. */
export interface UploadInputProps {
  /** Name of the form fields: one hidden field per stored file, with its `file_path` as the value. */
  name?: string | undefined;
  /**
   * Whether the form is invalid without a file.
   *
   * @default false
   */
  required?: boolean | undefined;
  /** The id of the form, if the part is outside of it. */
  form?: string | undefined;
}

/**
 * Makes the files part of a form, as hidden fields with their paths. A submit waits until all files are done, and a
 * reset empties the list.
 */
export function UploadInput({ name, required = false, form }: UploadInputProps) {
  const { shared, upload, rootRef, setNotice, announce } = useRootView();
  const labels = { ...englishFormLabels, ...shared.labels };
  const isBusy = upload.totals.active > 0;
  const field = useRef<HTMLInputElement>(null);
  const paths = upload.items.flatMap((item) => (item.status === "done" ? [item.result.file_path] : []));
  const isMissing = required && paths.length === 0 && !isBusy;

  const notify = (notice: string) => {
    setNotice(notice);
    announce(notice);
  };
  const focusOn = (selector: string) => rootRef.current?.querySelector<HTMLElement>(selector)?.focus();

  // The notice is about earlier files, so new uploads remove it.
  useEffect(() => {
    if (isBusy) {
      setNotice("");
    }
  }, [isBusy, setNotice]);
  // Before the effect of useHeldSubmit: the browser submits only a valid form.
  useEffect(() => field.current?.setCustomValidity(isMissing ? labels.required : ""));
  useHeldSubmit(field, upload, {
    onHold: () => notify(labels.held),
    onFail() {
      notify(labels.heldFailed);
      focusOn("[data-status=failed]");
    },
    onRelease: () => setNotice(""),
  });

  const onInvalid = (event: FormEvent<HTMLInputElement>) => {
    // The browser would show its message at this field, which is invisible.
    event.preventDefault();
    notify(labels.required);
    if (isFirstInvalid(event.currentTarget, event.currentTarget.form)) {
      focusOn("[data-part=trigger]");
    }
  };

  return (
    <>
      {/* Takes part in the validation of the form; a button cannot. */}
      <input
        ref={field}
        form={form}
        tabIndex={-1}
        aria-hidden="true"
        autoComplete="off"
        style={visuallyHidden}
        onFocus={() => focusOn("[data-part=trigger]")}
        onInvalid={onInvalid}
      />
      {name !== undefined &&
        paths.map((path) => <input key={path} type="hidden" name={name} form={form} value={path} />)}
    </>
  );
}

interface SubmitListener {
  /** A submit waits for the files. */
  onHold(): void;
  /** A file failed, so the held submit was given up. */
  onFail(): void;
  /** The held submit continues, or the form was reset. */
  onRelease(): void;
}

/** Holds a submit of the field's form until no upload is active, then submits it, unless a file failed meanwhile. */
function useHeldSubmit(
  field: RefObject<HTMLInputElement | null>,
  upload: UseUploadResult,
  { onHold, onFail, onRelease }: SubmitListener,
) {
  const { active, failed } = upload.totals;
  const { reset } = upload;
  const isBusy = active > 0;
  const held = useRef<{ submitter: HTMLElement | null; failedBefore: number } | null>(null);

  useEffect(() => {
    if (!held.current || isBusy) {
      return;
    }
    const { submitter, failedBefore } = held.current;
    held.current = null;
    if (failed > failedBefore) {
      onFail();
    } else {
      onRelease();
      field.current?.form?.requestSubmit(submitter?.isConnected ? submitter : null);
    }
  });

  const wasSent = useRef(false);
  useEffect(() => {
    if (isBusy) {
      wasSent.current = false;
    }
  }, [isBusy]);
  // The list outlives the component. The files of a form that was sent must not be part of the next one.
  useEffect(() => () => void (wasSent.current && reset()), [reset]);

  const isOwnForm = ({ target }: Event) => target !== null && target === field.current?.form;
  useWindowEvent("submit", (event) => {
    if (!isOwnForm(event)) {
      return;
    }
    wasSent.current = !isBusy;
    if (!isBusy) {
      return;
    }
    event.preventDefault();
    // The submit handlers of the page must not send the form either.
    event.stopImmediatePropagation();
    held.current = { submitter: event.submitter, failedBefore: failed };
    onHold();
    upload.start();
  });
  useWindowEvent("reset", (event) => {
    if (!isOwnForm(event)) {
      return;
    }
    held.current = null;
    upload.reset();
    onRelease();
  });
}
