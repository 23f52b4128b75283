"use client";

import type { UploadMessages } from "@stowage/client";
import {
  type ActiveLabels,
  addFilesFromEvent,
  englishLabels,
  hintText,
  listView,
  type SharedView,
} from "@stowage/client/internals";
import { acceptTokens } from "@stowage/schemas/rules";
import { type HTMLAttributes, useId, useMemo, useState } from "react";
import { useUploadStore } from "../use-upload-store.js";
import { useUploadOf, type UseUploadOptions, type UseUploadResult } from "../use-upload.js";
import { ItemViewContext, type RootView, RootViewContext } from "./upload-context.js";
import { useAnnouncer } from "./use-announcer.js";
import { type FileDropzone, useFileDropzone } from "./use-file-dropzone.js";
import { useMissedDrop } from "./use-missed-drop.js";
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
  const { limits, totals, connection, add, cancel, pause, resume, retry, remove, discardUnfinished } = upload;
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
  const [notice, setNotice] = useState("");
  const [pageTitle, setPageTitle] = useState("");
  const hintId = useId();
  const isBusy = totals.active > totals.paused;

  const notify = (text: string) => {
    setNotice(text);
    announce(text);
  };
  useMissedDrop(() => !disabled && notify(labels.dropMissed));
  const accept = acceptTokens(limits.accept);
  const dropzone = useFileDropzone({
    accept: mediaTypesOf(accept),
    disabled,
    multiple: limits.maxFiles !== 1,
    noPaste: !paste,
    getFilesFromEvent(event) {
      // The notice was about an earlier drop. A notice of a form stays.
      if (notice === labels.emptyFolder || notice === labels.dropMissed) setNotice("");
      return addFilesFromEvent(event as Event, add, () => notify(labels.emptyFolder));
    },
  });
  const view: RootView = {
    ...dropzone,
    ...dropState(dropzone, pageTitle, isBusy, labels),
    shared,
    upload,
    autoStart,
    disabled,
    hint: notice || hintText(limits, labels),
    hintId,
    notice,
    setNotice,
    announce,
    setPageTitle,
  };
  return (
    <RootViewContext.Provider value={view}>
      <ItemViewContext.Provider value={listView(upload, autoStart, shared)}>
        <div
          {...dropzone.getRootProps({
            ...elementProps(props),
            role: "group",
            "aria-label": label ?? labels.label,
            "data-upload": "",
            "data-state": view.state,
            "data-disabled": disabled ? "" : undefined,
            "data-offline": connection === "offline" ? "" : undefined,
            "data-unreachable": connection === "unreachable" ? "" : undefined,
          })}
          {...useRestoreFocus(dropzone.rootRef)}
        >
          <input {...dropzone.getInputProps({ accept: accept.join(","), "aria-hidden": true })} />
          {props.children}
          <div ref={region} role="status" style={visuallyHidden} />
        </div>
      </ItemViewContext.Provider>
    </RootViewContext.Provider>
  );
}

/**
 * The accepted media types, in the form that react-dropzone checks during a drag. Empty, so everything passes, if there
 * is also an extension: a drag reveals only the types of its files.
 */
function mediaTypesOf(accept: string[]): Record<string, string[]> {
  const isTypesOnly = accept.every((token) => token.includes("/"));
  return isTypesOnly ? Object.fromEntries(accept.map((type) => [type, []])) : {};
}

function dropState(
  { isDragActive, isDragReject }: FileDropzone,
  pageTitle: string,
  isBusy: boolean,
  labels: ActiveLabels,
): Pick<RootView, "state" | "title"> {
  if (isDragReject) {
    return { state: "drag-reject", title: labels.dropRefused };
  }
  if (isDragActive) {
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
