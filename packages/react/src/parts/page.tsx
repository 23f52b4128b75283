"use client";

import { useEffect } from "react";
import type { UploadLabels } from "./labels.js";
import { takeSelection } from "./take-selection.js";
import { useView } from "./upload-context.js";
import { useWindowEvent } from "./use-window-event.js";

export interface UploadPageProps {
  /** Takes what is dropped anywhere on the page. */
  drop?: boolean | undefined;
  /** Takes what is pasted anywhere on the page, but not from whoever writes. */
  paste?: boolean | undefined;
}

export const englishPage: Pick<UploadLabels, "dropAnywhere"> = { dropAnywhere: "Drop anywhere to upload" };

/** Lets the whole page bring files, except where another upload takes them itself. Draws nothing. */
export function UploadPage({ drop = false, paste = false }: UploadPageProps) {
  const { parts, upload, disabled, isDragGlobal, setPageTitle } = useView();
  const { dropAnywhere = englishPage.dropAnywhere } = parts.labels;
  const title = drop && !disabled && isDragGlobal ? dropAnywhere : "";
  useEffect(() => setPageTitle(title), [title, setPageTitle]);
  useEffect(() => () => setPageTitle(""), [setPageTitle]);

  const take = (event: Event) => {
    const { target } = event;
    const isElsewhere = !(target instanceof Element && target.closest("[data-upload]"));
    if (isElsewhere) void takeSelection(event, upload.add);
  };
  useWindowEvent("drop", drop && !disabled && take);
  useWindowEvent(
    "paste",
    paste &&
      !disabled &&
      ((event) => {
        // Whoever writes pastes into the text.
        const isText =
          event.target instanceof Element && event.target.matches("input, textarea, [contenteditable]");
        if (!isText) take(event);
      }),
  );
  return null;
}
