"use client";

import { addFilesFromEvent, englishPageLabels, hasFiles } from "@stowage/client/internals";
import { useEffect, useRef, useState } from "react";
import { useRootView } from "./upload-context.js";
import { useWindowEvent } from "./use-window-event.js";

/** Which files of the whole page an upload accepts. */
export interface UploadPageProps {
  /**
   * Accepts files that are dropped anywhere on the page.
   *
   * @default false
   */
  drop?: boolean | undefined;
  /**
   * Accepts files that are pasted anywhere on the page, except into a text field or an editor.
   *
   * @default false
   */
  paste?: boolean | undefined;
}

/** Accepts drops and pastes on the whole page, except inside another `Upload.Root`. Renders nothing. */
export function UploadPage({ drop = false, paste = false }: UploadPageProps) {
  const { shared, upload, disabled, setPageTitle } = useRootView();
  const isDragged = usePageDrag();
  const { dropAnywhere = englishPageLabels.dropAnywhere } = shared.labels;
  const title = drop && !disabled && isDragged ? dropAnywhere : "";
  useEffect(() => setPageTitle(title), [title, setPageTitle]);
  useEffect(() => () => setPageTitle(""), [setPageTitle]);

  const addFrom = (event: Event) => {
    if (!comesFrom(event, "[data-upload]")) {
      // Other listeners see that the drop has been taken.
      if (event.type === "drop") event.preventDefault();
      void addFilesFromEvent(event, upload.add);
    }
  };
  const onPaste = (event: Event) => {
    if (!comesFrom(event, TEXT_FIELD)) {
      addFrom(event);
    }
  };
  useWindowEvent("drop", drop && !disabled && addFrom);
  useWindowEvent("paste", paste && !disabled && onPaste);
  return null;
}

const TEXT_FIELD = "input, textarea, select, [contenteditable]:not([contenteditable=false])";

/** Whether an event comes from inside an element that matches, also through shadow roots, which replace the target. */
function comesFrom(event: Event, selector: string): boolean {
  return event.composedPath().some((node) => node instanceof Element && node.matches(selector));
}

/** Whether files are dragged anywhere over the page. */
function usePageDrag(): boolean {
  const [isDragged, setDragged] = useState(false);
  const entered = useRef<EventTarget | null>(null);
  const onEnd = () => setDragged(false);
  useWindowEvent("dragenter", ({ target, dataTransfer }) => {
    entered.current = target;
    setDragged(hasFiles(dataTransfer));
  });
  useWindowEvent("dragleave", ({ target }) => {
    // A drag enters the next element before it leaves the last one.
    if (target === entered.current) {
      onEnd();
    }
  });
  useWindowEvent("drop", onEnd);
  useWindowEvent("dragend", onEnd);
  return isDragged;
}
