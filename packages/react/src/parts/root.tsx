"use client";

import { acceptTokens } from "@stowage/schemas/rules";
import { type HTMLAttributes, useId, useMemo, useState } from "react";
import type { ErrorMessages } from "../core/messages.js";
import { useUpload, type UseUploadOptions, type UseUploadResult } from "../use-upload.js";
import { useAnnouncer } from "./announcer.js";
import { hintText } from "./area.js";
import { addFilesFromEvent } from "./files-from-event.js";
import { listView } from "./item-view.js";
import { type ActiveLabels, englishLabels, type UploadLabels } from "./labels.js";
import { ItemViewContext, type RootView, RootViewContext, type SharedView } from "./upload-context.js";
import { type FileDropzone, useFileDropzone } from "./use-file-dropzone.js";
import { useRestoreFocus } from "./use-restore-focus.js";
import { useWindowEvent } from "./use-window-event.js";
import { visuallyHidden } from "./visually-hidden.js";

/** Texts that replace the English ones: labels, error messages by code, and the locale (BCP 47) of both. */
export type UploadMessages = Partial<UploadLabels> & {
  locale?: string | undefined;
  errors?: Partial<ErrorMessages> | undefined;
};

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
  /**
   * Lets the browser ask for confirmation when the page is closed while files are uploaded.
   *
   * @default true
   */
  leaveGuard?: boolean | undefined;
  /** The result of `useUpload`. If it is given, the settings of the upload are ignored here. */
  upload?: UseUploadResult<Data> | undefined;
}

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
  const { messages, locale = messages?.locale } = props;
  const upload = useUpload({ ...props, locale, errorMessages: messages?.errors });
  return <RootElement {...props} upload={upload} />;
}

type RootElementProps = Omit<UploadRootProps, "upload"> & { upload: UseUploadResult };

function RootElement(props: RootElementProps) {
  const { upload, label, disabled = false, messages, autoStart, paste = true, leaveGuard = true } = props;
  const { locale = messages?.locale ?? "en", children } = props;
  const { limits, totals, isOffline, add, cancel, retry, remove } = upload;
  const shared: SharedView = useMemo(
    () => ({ labels: { ...englishLabels, ...messages, locale }, isOffline, cancel, retry, remove }),
    [messages, locale, isOffline, cancel, retry, remove],
  );
  const { labels } = shared;
  const [region, announce] = useAnnouncer(upload, labels);
  const [notice, setNotice] = useState("");
  const [pageTitle, setPageTitle] = useState("");
  const hintId = useId();
  const isBusy = totals.active > 0;
  useWindowEvent("beforeunload", leaveGuard && isBusy && confirmLeaving);

  const accept = acceptTokens(limits.accept);
  const dropzone = useFileDropzone({
    accept: mediaTypesOf(accept),
    disabled,
    multiple: limits.maxFiles !== 1,
    noPaste: !paste,
    getFilesFromEvent: (event) => addFilesFromEvent(event as Event, add),
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
            "data-offline": isOffline ? "" : undefined,
          })}
          {...useRestoreFocus(dropzone.rootRef)}
        >
          <input {...dropzone.getInputProps({ accept: accept.join(","), "aria-hidden": true })} />
          {children}
          <div ref={region} role="status" style={visuallyHidden} />
        </div>
      </ItemViewContext.Provider>
    </RootViewContext.Provider>
  );
}

const confirmLeaving = (event: Event) => event.preventDefault();

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
  leaveGuard,
  children,
  endpoint,
  transport,
  headers,
  credentials,
  route,
  input,
  locale,
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
  onUploaded,
  onFailed,
  onSettled,
  ...rest
}: RootElementProps): HTMLAttributes<HTMLDivElement> {
  const checked: HTMLAttributes<HTMLDivElement> & NoSettings = rest;
  return checked;
}
