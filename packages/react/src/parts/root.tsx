"use client";

import type { UploadMessages } from "@stowage/client";
import {
  type ActiveLabels,
  addFilesFromEvent,
  type DragState,
  type FilesEvent,
  type FilesNotice,
  englishLabels,
  hintText,
  type SharedView,
} from "@stowage/client/internals";
import { acceptTokens } from "@stowage/schemas/page-rules";
import { type CSSProperties, type HTMLAttributes, useId, useMemo, useRef, useState } from "react";
import { useUploadStore } from "../use-upload-store.js";
import { useUploadOf, type UseUploadOptions, type UseUploadResult } from "../use-upload.js";
import { ItemViewContext, type RootView, RootViewContext } from "./upload-context.js";
import { useAnnouncer } from "./use-announcer.js";
import { useDropTarget } from "./use-drop-target.js";
import { useRestoreFocus } from "./use-restore-focus.js";
import { visuallyHidden } from "./visually-hidden.js";

export interface UploadRootOptions<Data = unknown> {
  /** Accessible name of the whole widget. */
  label?: string | undefined;
  /**
   * Accepts no new files. Active uploads continue.
   *
   * @default false
   */
  disabled?: boolean | undefined;
  messages?: UploadMessages | undefined;
  /**
   * Accepts files that are pasted while the focus is inside.
   *
   * @default true
   */
  paste?: boolean | undefined;
  /** The result of `useUpload`. If it is given, the settings of the upload are ignored here. */
  upload?: UseUploadResult<Data> | undefined;
}

/** Props of `Upload.Root`: the settings of the upload, and the attributes of its element. */
export type UploadRootProps<Data = unknown> = UploadRootOptions<Data> &
  Omit<UseUploadOptions<Data>, "errorMessages"> &
  Omit<HTMLAttributes<HTMLDivElement>, "accept">;

/**
 * Holds the list of files for the parts inside. Takes the settings of `useUpload`, or its result as `upload`. Files can
 * be dropped and pasted anywhere in it. Renders a `div` with a hidden file input and a live region.
 *
 * @example <Upload.Root endpoint="/api/upload"><Upload.Trigger /><Upload.List /></Upload.Root>
 */
export function UploadRoot<Data = unknown>(props: UploadRootProps<Data>) {
  // The parts never read what the backend returned, so its type does not matter from here on.
  const untyped = props as UploadRootProps;
  return untyped.upload ? <RootElement {...(untyped as RootElementProps)} /> : <RootWithHook {...untyped} />;
}

function RootWithHook(props: UploadRootProps) {
  const { messages } = props;
  const locale = props.locale ?? messages?.locale;
  const { store, version } = useUploadStore({ ...props, locale, errorMessages: messages?.errors });
  // With another list, nothing of the old one may be announced or keep the focus.
  return <RootElement {...props} key={version} upload={useUploadOf(store)} />;
}

type RootElementProps = Omit<UploadRootProps, "upload"> & { upload: UseUploadResult };

function RootElement(props: RootElementProps) {
  const { upload, label, disabled = false, messages, autoStart, paste = true } = props;
  const locale = props.locale ?? messages?.locale ?? "en";
  const { limits, totals, connection, leftOut } = upload;
  const { add, cancel, pause, resume, retry, remove, discardUnfinished } = upload;
  const shared: SharedView = useMemo(
    () => ({
      labels: { ...englishLabels, ...messages, locale },
      connection,
      cancel,
      pause,
      resume,
      retry,
      remove,
      discardUnfinished,
    }),
    [messages, locale, connection, cancel, pause, resume, retry, remove, discardUnfinished],
  );
  const { labels } = shared;
  const [region, announce] = useAnnouncer(upload, labels);
  const [formNotice, setNotice] = useState("");
  const [filesNotice, setFilesNotice] = useState("");
  const [pageTitle, setPageTitle] = useState("");
  const hintId = useId();
  const isBusy = totals.active > totals.paused;

  const notify = (text: string) => {
    setFilesNotice(text);
    announce(text);
  };
  const clearFilesNotice = () => setFilesNotice("");
  const addFiles = (files: File[]) => {
    clearFilesNotice();
    add(files);
  };
  const onNotice = (notice: FilesNotice) => notify(notice(labels));
  const addFrom = (event: FilesEvent) => void addFilesFromEvent(event, addFiles, onNotice);
  const { drag, dropProps } = useDropTarget({
    limits: () => limits,
    isDisabled: () => disabled,
    acceptsPaste: () => paste,
    add: addFiles,
    onDrag: clearFilesNotice,
    onNotice,
    onMiss: (isMissed) =>
      isMissed
        ? notify(labels.dropMissed)
        : setFilesNotice((shown) => (shown === labels.dropMissed ? "" : shown)),
  });
  const attributes = elementProps(props);
  const rootRef = useRef<HTMLDivElement>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const name = label ?? labels.label;
  const { state, title } = dropState(drag, pageTitle, isBusy, labels);
  const notice = formNotice || filesNotice;
  const view: RootView = {
    name,
    state,
    title,
    shared,
    upload,
    autoStart,
    disabled,
    hint: notice || hintText(limits, labels),
    hintId,
    notice,
    leftOut: leftOut.length > 0 ? labels.leftOut(leftOut.length, locale) : "",
    addFrom,
    setNotice,
    announce,
    setPageTitle,
    rootRef,
    inputRef,
  };
  return (
    <RootViewContext.Provider value={view}>
      {/* A row of another list may be around it. */}
      <ItemViewContext.Provider value={null}>
        <div
          ref={rootRef}
          {...attributes}
          {...dropProps(attributes)}
          role="group"
          aria-label={name}
          aria-disabled={disabled || undefined}
          data-upload=""
          data-state={state}
          data-disabled={disabled ? "" : undefined}
          data-offline={connection === "offline" ? "" : undefined}
          data-unreachable={connection === "unreachable" ? "" : undefined}
          {...useRestoreFocus(rootRef)}
        >
          <input
            ref={inputRef}
            type="file"
            accept={acceptTokens(limits.accept).join(",")}
            multiple={limits.maxFiles !== 1}
            tabIndex={-1}
            aria-hidden="true"
            style={NO_SIZE}
            onClick={(event) => event.stopPropagation()}
            onChange={({ nativeEvent }) => disabled || addFrom(nativeEvent)}
          />
          {props.children}
          <div ref={region} role="status" style={visuallyHidden} />
        </div>
      </ItemViewContext.Provider>
    </RootViewContext.Provider>
  );
}

/** Takes no room. Without `display: none`, which would keep some browsers from opening the picker. */
const NO_SIZE: CSSProperties = {
  display: "block",
  inlineSize: 0,
  blockSize: 0,
  margin: 0,
  border: 0,
  padding: 0,
  overflow: "hidden",
  opacity: 0,
};

function dropState(
  drag: DragState,
  pageTitle: string,
  isBusy: boolean,
  labels: ActiveLabels,
): Pick<RootView, "state" | "title"> {
  if (drag === "reject") {
    return { state: "drag-reject", title: labels.dropRefused };
  }
  if (drag === "accept") {
    return { state: "drag-over", title: labels.dropNow };
  }
  if (pageTitle) {
    return { state: "drag-over", title: pageTitle };
  }
  return { state: isBusy ? "uploading" : "idle", title: labels.title };
}

type NoSettings = Partial<
  Record<Exclude<keyof UseUploadOptions, keyof HTMLAttributes<HTMLDivElement>>, never>
>;

/** The props of the `div`: all that are not settings. A setting that is missing here is a type error. */
function elementProps({
  upload,
  label,
  disabled,
  messages,
  paste,
  children,
  endpoint,
  transport,
  headers,
  credentials,
  route,
  input,
  locale,
  listKey,
  accept: _accept,
  maxSize,
  minSize,
  maxFiles,
  maxTotalSize,
  validate,
  duplicates,
  transform,
  concurrency,
  autoStart,
  deleteOnRemove,
  leaveGuard,
  resumable,
  onUploaded,
  onFailed,
  onSettled,
  ...rest
}: RootElementProps): HTMLAttributes<HTMLDivElement> {
  const checked: HTMLAttributes<HTMLDivElement> & NoSettings = rest;
  return checked;
}
