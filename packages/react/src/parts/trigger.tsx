"use client";

import { englishTriggerLabels } from "@stowage/client/internals";
import { type ButtonHTMLAttributes, useRef } from "react";
import { useRootView } from "./upload-context.js";
import { visuallyHidden } from "./visually-hidden.js";

/** What the picker offers: files, a whole folder, or the front (`user`) or back (`environment`) camera of a phone. */
export type PickerSource = "files" | "folder" | "user" | "environment";

/** The attributes of the button, and what its picker offers. */
export interface UploadTriggerProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /**
   * What the picker offers.
   *
   * @default "files"
   */
  source?: PickerSource | undefined;
}

/** A button that opens the browser's file picker, its folder picker or a camera. The hint describes the button. */
export function UploadSourceTrigger({ source = "files", ...props }: UploadTriggerProps) {
  return source === "files" ? <UploadTrigger {...props} /> : <OtherTrigger source={source} {...props} />;
}

/** The button that opens the picker for files. */
export function UploadTrigger(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  const { shared, disabled, hint, hintId, leftOut, inputRef } = useRootView();
  return (
    <button
      type="button"
      data-part="trigger"
      disabled={disabled}
      aria-describedby={hint || leftOut ? hintId : undefined}
      onClick={() => openPicker(inputRef.current)}
      {...props}
    >
      {props.children ?? shared.labels.choose}
    </button>
  );
}

/** Has its own input, because the attributes of an input must not change while its picker is open. */
function OtherTrigger({
  source,
  children,
  ...props
}: UploadTriggerProps & { source: Exclude<PickerSource, "files"> }) {
  const { shared, upload, disabled, addFrom } = useRootView();
  const labels = { ...englishTriggerLabels, ...shared.labels };
  const input = useRef<HTMLInputElement>(null);
  const isFolder = source === "folder";
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple={upload.limits.maxFiles !== 1}
        accept={[upload.limits.accept].flat().join(",")}
        disabled={disabled}
        tabIndex={-1}
        aria-hidden="true"
        style={visuallyHidden}
        onChange={({ nativeEvent }) => addFrom(nativeEvent)}
        {...(isFolder ? { webkitdirectory: "" } : { capture: source })}
      />
      <UploadTrigger data-source={source} {...props} onClick={() => openPicker(input.current)}>
        {children ?? (isFolder ? labels.chooseFolder : labels.useCamera)}
      </UploadTrigger>
    </>
  );
}

/** Opens the picker of a file input. */
function openPicker(input: HTMLInputElement | null) {
  if (!input) {
    return;
  }
  // Without this, no change event follows when the same file is chosen twice in a row.
  input.value = "";
  input.click();
}
