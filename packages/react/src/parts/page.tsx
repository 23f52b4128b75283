"use client";

import {
  comesFrom,
  comesFromTextField,
  englishPageLabels,
  hasFiles,
  hasOwnText,
} from "@stowage/client/internals";
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
   * Accepts files that are pasted anywhere on the page, except into a text field or an editor. A clipboard that also has text, as Word
   * and Excel copy it, is left to the page unless this is `"always"`.
   *
   * @default false
   */
  paste?: boolean | "always" | undefined;
}

/** Accepts drops and pastes on the whole page, except inside another `Upload.Root`. Renders nothing. */
export function UploadPage({ drop = false, paste = false }: UploadPageProps) {
  const { shared, disabled, addFrom, setPageTitle } = useRootView();
  const isDragged = usePageDrag();
  const { dropAnywhere = englishPageLabels.dropAnywhere } = shared.labels;
  const title = drop && !disabled && isDragged ? dropAnywhere : "";
  useEffect(() => setPageTitle(title), [title, setPageTitle]);
  useEffect(() => () => setPageTitle(""), [setPageTitle]);

  const onDrop = (event: DragEvent) => {
    // Things without files are left to the page.
    if (hasFiles(event.dataTransfer) && !comesFrom(event, WIDGET)) {
      // Other listeners see that the drop has been taken.
      event.preventDefault();
      addFrom(event);
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const { clipboardData } = event;
    if (!hasFiles(clipboardData) || comesFrom(event, WIDGET) || comesFromTextField(event)) {
      return;
    }
    if (paste === "always" || !hasOwnText(clipboardData)) {
      addFrom(event);
    }
  };
  useWindowEvent("drop", drop && !disabled && onDrop);
  useWindowEvent("paste", paste && !disabled && onPaste);
  return null;
}

const WIDGET = "[data-upload]";

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
