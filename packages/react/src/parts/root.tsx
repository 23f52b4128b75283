"use client";

import { acceptTokens } from "@stowage/schemas/rules";
import { type HTMLAttributes, useId, useMemo, useState } from "react";
import type { ErrorMessages } from "../core/messages.js";
import { useUpload, type UseUploadOptions, type UseUploadResult } from "../use-upload.js";
import { useGestures } from "./gestures.js";
import { hintText } from "./hint.js";
import { englishLabels, type UploadLabels } from "./labels.js";
import { standingOfAll } from "./standing.js";
import { takeSelection } from "./take-selection.js";
import { StandingContext, type UploadView, ViewContext } from "./upload-context.js";
import { useAnnouncements } from "./use-announcements.js";
import { useKeptFocus } from "./use-kept-focus.js";
import { useWindowEvent } from "./use-window-event.js";
import { visuallyHidden } from "./visually-hidden.js";

/** Words to use in place of the English ones; `errors` by code, `locale` (BCP 47) that of the words. */
export type UploadMessages = Partial<UploadLabels> & {
  locale?: string | undefined;
  errors?: Partial<ErrorMessages> | undefined;
};

export interface UploadGestures<Data = unknown> {
  /** The name of the whole control, for assistive technology. */
  label?: string | undefined;
  /** Takes no new files; what is on its way goes on. */
  disabled?: boolean | undefined;
  messages?: UploadMessages | undefined;
  /** Takes what is pasted while the focus is inside; true unless told. */
  paste?: boolean | undefined;
  /** Asks before the page is left while files are on their way; true unless told. */
  leaveGuard?: boolean | undefined;
  /** In place of settings: the list that `useUpload` holds. */
  upload?: UseUploadResult<Data> | undefined;
}

export type UploadRootProps<Data = unknown> = UploadGestures<Data> &
  Omit<UseUploadOptions<Data>, "errorMessages"> &
  Omit<HTMLAttributes<HTMLDivElement>, "accept">;

/**
 * Holds the list of files and whatever is drawn of it. Takes the settings of `useUpload`, or what it returned as
 * `upload`. Files may be dropped and pasted anywhere in it. Draws a `div` with one hidden input and one live region.
 *
 * @example <Upload.Root endpoint="/api/upload"><Upload.Trigger /><Upload.List /></Upload.Root>
 */
export function UploadRoot<Data = unknown>(props: UploadRootProps<Data>) {
  // What the backend answers is of the type that the page gave; nothing in here looks into it.
  const own = props as UploadRootProps;
  return own.upload ? <Shell {...(own as ShellProps)} /> : <OwnRoot {...own} />;
}

function OwnRoot(props: UploadRootProps) {
  const { messages, locale = messages?.locale } = props;
  const upload = useUpload({ ...props, locale, errorMessages: messages?.errors });
  return <Shell {...props} upload={upload} />;
}

const askBeforeLeaving = (event: Event) => event.preventDefault();

type NoSettings = Partial<
  Record<Exclude<keyof UseUploadOptions, keyof HTMLAttributes<HTMLDivElement>>, never>
>;

type ShellProps = Omit<UploadRootProps, "upload"> & { upload: UseUploadResult };

function Shell({
  upload,
  label,
  disabled = false,
  messages,
  locale = messages?.locale ?? "en",
  autoStart,
  paste = true,
  leaveGuard = true,
  children,
  // The settings, which no element knows.
  endpoint,
  transport,
  headers,
  credentials,
  route,
  input,
  accept: _accept,
  maxSize,
  minSize,
  maxFiles,
  maxTotalSize,
  validate,
  duplicates,
  transform,
  concurrency,
  deleteOnRemove,
  onUploaded,
  onFailed,
  onSettled,
  ...rest
}: ShellProps) {
  // Does not compile with a setting that is forgotten above.
  const ofTheElement: HTMLAttributes<HTMLDivElement> & NoSettings = rest;
  const { limits, totals, isOffline, add, cancel, retry, remove } = upload;
  const parts = useMemo(
    () => ({ labels: { ...englishLabels, ...messages, locale }, isOffline, cancel, retry, remove }),
    [messages, locale, isOffline, cancel, retry, remove],
  );
  const { labels } = parts;
  const [region, say] = useAnnouncements(upload, labels);
  const [notice, setNotice] = useState("");
  const [pageTitle, setPageTitle] = useState("");
  const hintId = useId();
  const isBusy = totals.active > 0;
  useWindowEvent("beforeunload", leaveGuard && isBusy && askBeforeLeaving);

  const accept = acceptTokens(limits.accept);
  const gestures = useGestures({
    // While files are dragged only their types are known, so extensions cannot be judged before the drop.
    accept: Object.fromEntries(
      accept.every((token) => token.includes("/")) ? accept.map((token) => [token, []]) : [],
    ),
    disabled,
    multiple: limits.maxFiles !== 1,
    noPaste: !paste,
    getFilesFromEvent: (event) => takeSelection(event as Event, add),
  });
  const [state, title]: [UploadView["state"], string] = gestures.isDragReject
    ? ["drag-reject", labels.dropRefused]
    : gestures.isDragActive
      ? ["drag-over", labels.dropNow]
      : pageTitle
        ? ["drag-over", pageTitle]
        : [isBusy ? "uploading" : "idle", labels.title];

  const view: UploadView = {
    ...gestures,
    parts,
    upload,
    autoStart,
    disabled,
    state,
    title,
    hint: notice || hintText(limits, labels),
    hintId,
    notice,
    setNotice,
    say,
    setPageTitle,
  };
  return (
    <ViewContext.Provider value={view}>
      <StandingContext.Provider value={standingOfAll(upload, autoStart, parts)}>
        <div
          {...gestures.getRootProps({
            ...ofTheElement,
            role: "group",
            "aria-label": label ?? labels.label,
            "data-upload": "",
            "data-state": state,
            "data-disabled": disabled ? "" : undefined,
            "data-offline": isOffline ? "" : undefined,
          })}
          {...useKeptFocus(gestures.rootRef)}
        >
          <input {...gestures.getInputProps({ accept: accept.join(","), "aria-hidden": true })} />
          {children}
          <div ref={region} role="status" style={visuallyHidden} />
        </div>
      </StandingContext.Provider>
    </ViewContext.Provider>
  );
}
