"use client";

import { type ButtonHTMLAttributes, useRef } from "react";
import type { UploadLabels } from "./labels.js";
import { takeSelection } from "./take-selection.js";
import { openPicker, UploadTrigger } from "./trigger.js";
import { useView } from "./upload-context.js";
import { visuallyHidden } from "./visually-hidden.js";

/** Where files are picked from: files, a whole folder, or the camera of a phone. */
export type PickerSource = "files" | "folder" | "user" | "environment";

export interface UploadTriggerProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What it picks: files unless told; `user` and `environment` are the cameras at the front and at the back. */
  source?: PickerSource | undefined;
}

export const englishSources: Pick<UploadLabels, "chooseFolder" | "useCamera"> = {
  chooseFolder: "Choose folder",
  useCamera: "Use camera",
};

/** The button that opens the browser's own picker; described by the hint. */
export function UploadSourceTrigger({ source = "files", ...props }: UploadTriggerProps) {
  return source === "files" ? <UploadTrigger {...props} /> : <OtherTrigger source={source} {...props} />;
}

/** With an input of its own: what an input may pick must not change while its dialog is open. */
function OtherTrigger({
  source,
  children,
  ...props
}: UploadTriggerProps & { source: Exclude<PickerSource, "files"> }) {
  const { parts, upload, disabled } = useView();
  const words = { ...englishSources, ...parts.labels };
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
        onChange={(event) => void takeSelection(event.nativeEvent, upload.add)}
        {...(isFolder ? { webkitdirectory: "" } : { capture: source })}
      />
      <UploadTrigger data-source={source} {...props} onClick={() => openPicker(input.current)}>
        {children ?? (isFolder ? words.chooseFolder : words.useCamera)}
      </UploadTrigger>
    </>
  );
}
