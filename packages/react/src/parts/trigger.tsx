"use client";

import type { ButtonHTMLAttributes } from "react";
import { useView } from "./upload-context.js";

/** The button that opens the browser's own picker; described by the hint. */
export function UploadTrigger(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  const { parts, disabled, hint, hintId, inputRef } = useView();
  return (
    <button
      type="button"
      data-part="trigger"
      disabled={disabled}
      aria-describedby={hint ? hintId : undefined}
      onClick={() => openPicker(inputRef.current)}
      {...props}
    >
      {props.children ?? parts.labels.choose}
    </button>
  );
}

/** Not the open() of react-dropzone: it ignores drops until it sees its dialog close, and misses some closings. */
export function openPicker(input: HTMLInputElement | null) {
  if (!input) return;
  // The same file may be chosen twice in a row.
  input.value = "";
  input.click();
}
