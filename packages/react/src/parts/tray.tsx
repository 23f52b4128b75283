"use client";

import type { UploadMessages } from "@stowage/client";
import { englishLabels, englishTrayLabels } from "@stowage/client/internals";
import { listView } from "@stowage/client/internals/list";
import {
  type FocusEvent,
  type HTMLAttributes,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import type { UploadLook } from "../upload-dropzone.js";
import { UploadAction } from "./action-button.js";
import { closeIcon, collapseIcon } from "./row-icons.js";
import { UploadProgress, UploadStatus } from "./progress.js";
import { TrayList } from "./tray-list.js";
import { ItemViewContext } from "./upload-context.js";
import { useRestoreFocus } from "./use-restore-focus.js";
import { mergeLists, useTrayLists } from "./use-tray-lists.js";

/** The attributes, the texts and the theme of the tray. */
export interface UploadTrayProps extends HTMLAttributes<HTMLElement>, Pick<UploadLook, "theme"> {
  messages?: UploadMessages | undefined;
}

/**
 * Time from the last upload until the tray disappears, unless a file failed, an upload can be continued, or the person is using
 * the tray.
 */
const LINGER_MS = 6_000;

/**
 * A small panel for uploads whose component is not on the page, because the user has left it. It appears while files are uploaded or can
 * be continued, and never takes the focus. Render it once, beside the pages of the app and inside of the
 * `Upload.Provider` if there is one. Needs `@stowage/react/styles.css`.
 *
 * @example <Upload.Provider user={userId}><Pages /><Upload.Tray /></Upload.Provider>
 */
export function UploadTray({ messages, theme, className = "", ...props }: UploadTrayProps) {
  const { lists, isBusy, close } = useTrayLists();
  const locale = messages?.locale ?? "en";
  const labels = useMemo(
    () => ({ ...englishLabels, ...englishTrayLabels, ...messages, locale }),
    [messages, locale],
  );
  const [isOpen, setOpen] = useState(true);
  const [isHovered, setHovered] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const { hasFocus, restoreFocus, ...focusListeners } = useTrayFocus(panel, lists.length > 0);
  const bodyId = useId();
  const upload = mergeLists(lists);
  const { failed } = upload.totals;
  const canContinue = lists.some(({ snapshot }) => snapshot.resumable.length > 0);
  const isLingering = lists.length > 0 && !isBusy && failed === 0 && !canContinue && !isHovered && !hasFocus;
  useEffect(() => {
    if (!isLingering) {
      return;
    }
    const timer = setTimeout(close, LINGER_MS);
    return () => clearTimeout(timer);
  }, [isLingering, close]);

  if (lists.length === 0) {
    // No event tells that the pointer has left an element that is gone.
    if (isHovered) {
      setHovered(false);
    }
    return null;
  }
  // The rows have the commands of their own list.
  const shared = {
    labels,
    connection: upload.connection,
    cancel: ignore,
    pause: ignore,
    resume: ignore,
    retry: ignore,
    remove: ignore,
    discardUnfinished: ignore,
  };
  return (
    <section
      ref={panel}
      aria-label={labels.tray}
      data-theme={theme}
      data-state={isBusy ? "uploading" : "idle"}
      data-offline={upload.connection === "offline" ? "" : undefined}
      data-unreachable={upload.connection === "unreachable" ? "" : undefined}
      {...props}
      {...focusListeners}
      className={`stowage stowage-tray ${className}`}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      <ItemViewContext.Provider value={listView(upload, true, shared)}>
        <div className="stowage-tray-head">
          {upload.totals.files > 0 ? (
            <UploadStatus className="stowage-tray-text" />
          ) : (
            <span className="stowage-tray-text">{labels.tray}</span>
          )}
          <button
            type="button"
            className="stowage-action stowage-tray-toggle"
            aria-label={labels.list}
            title={labels.list}
            aria-expanded={isOpen}
            aria-controls={bodyId}
            onClick={() => setOpen(!isOpen)}
          >
            {collapseIcon}
          </button>
          {!isBusy && (
            <button
              type="button"
              className="stowage-action"
              aria-label={labels.closeTray}
              title={labels.closeTray}
              onClick={() => {
                restoreFocus();
                close();
              }}
            >
              {closeIcon}
            </button>
          )}
          <UploadProgress className="stowage-progress stowage-total" />
        </div>
        <div id={bodyId} hidden={!isOpen} className="stowage-tray-body">
          {lists.map((list) => (
            <TrayList key={list.id} list={list} labels={labels} isOpen={isOpen} />
          ))}
          <div className="stowage-tray-actions">
            <UploadAction action="retryAll" className="stowage-link" />
            <UploadAction action="cancelAll" className="stowage-link" />
          </div>
        </div>
      </ItemViewContext.Provider>
    </section>
  );
}

const ignore = () => {};

/** Keeps the focus in the tray while its rows change, and gives it back when the person closes the tray. */
function useTrayFocus(panel: RefObject<HTMLElement | null>, isShown: boolean) {
  const { onFocus, onBlur } = useRestoreFocus(panel);
  const [hasFocus, setFocus] = useState(false);
  // No event tells that the focus has left an element that is gone.
  if (hasFocus && !isShown) {
    setFocus(false);
  }
  const before = useRef<Element | null>(null);
  const isInside = (target: Element | null) => panel.current?.contains(target) ?? false;
  return {
    hasFocus,
    onFocus(event: FocusEvent<HTMLElement>) {
      if (!isInside(event.relatedTarget)) {
        before.current = event.relatedTarget;
      }
      setFocus(true);
      onFocus(event);
    },
    onBlur(event: FocusEvent<HTMLElement>) {
      setFocus(isInside(event.relatedTarget));
      onBlur();
    },
    restoreFocus() {
      setFocus(false);
      if (before.current instanceof HTMLElement) {
        before.current.focus();
      }
    },
  };
}
