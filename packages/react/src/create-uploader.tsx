"use client";

import type { BrowserFile, RoutesOf, RouteTypes } from "@stowage/schemas";
import type { ReactNode } from "react";
import type { UploadFailure, UploadItem } from "./core/upload-item.js";
import type { DoneItem, UploadSnapshot } from "./core/upload-settings.js";
import type { UploadRootProps } from "./parts/root.js";
import { UploadButton, type UploadButtonProps } from "./upload-button.js";
import { UploadDropzone, type UploadDropzoneProps, type UploadLook } from "./upload-dropzone.js";
import { useUpload, type UseUploadOptions, type UseUploadResult } from "./use-upload.js";

/**
 * The widget bound to one backend: told once where it is, and typed by its routes. The type of the helper is enough,
 * so nothing of the backend reaches the page. Called once in a module of its own, not while rendering.
 *
 * @typeParam Helper of what `createStowage` returned, e.g. `typeof stowage`; without it routes are plain text
 *
 * @example
 * import type { stowage } from "./server/stowage";
 *
 * export const { UploadDropzone, UploadButton, useUpload } = createUploader<typeof stowage>({ endpoint: "/api/upload" });
 *
 * <UploadDropzone route="avatar" input={{ album: 7 }} onUploaded={(file, { data }) => show(data.url)} />;
 */
export function createUploader<Helper = unknown>(defaults: UploaderDefaults = {}): Uploader<Helper> {
  // The types of the routes are the backend's promise: at run time, and so from here on inwards, they are unknown.
  return {
    UploadDropzone: (props) => <UploadDropzone {...defaults} {...(props as UploadDropzoneProps)} />,
    UploadButton: (props) => <UploadButton {...defaults} {...(props as UploadButtonProps)} />,
    useUpload: (options) =>
      useUpload({ ...hookDefaults(defaults), ...(options as UseUploadOptions) }) as never,
  };
}

function hookDefaults({ messages, ...defaults }: UploaderDefaults): UseUploadOptions {
  return { locale: messages?.locale, errorMessages: messages?.errors, ...defaults };
}

/** What holds for every upload of an uploader, unless a component is told otherwise. */
export type UploaderDefaults = Omit<UploadRootProps, RouteKey | "children"> & UploadLook;

/** The widget, with the types of one helper's routes. */
export interface Uploader<Helper> {
  UploadDropzone<Name extends RouteName<Helper>>(
    this: void,
    props: Omit<UploadDropzoneProps, RouteKey> & RouteSettings<Helper, Name>,
  ): ReactNode;
  UploadButton<Name extends RouteName<Helper>>(
    this: void,
    props: Omit<UploadButtonProps, RouteKey> & RouteSettings<Helper, Name>,
  ): ReactNode;
  useUpload<Name extends RouteName<Helper>>(
    this: void,
    options: Omit<UseUploadOptions, RouteKey> & RouteSettings<Helper, Name>,
  ): UseUploadResult<RouteData<Helper, Name>>;
}

/** Names of a helper's routes: any text where the helper is not known, none where it has no routes. */
export type RouteName<Helper> = IsKnown<Helper> extends true ? keyof RoutesOf<Helper> & string : string;

/** What the `onComplete` of a route returns, as the page gets it. */
export type RouteData<Helper, Name extends RouteName<Helper>> = RouteOf<Helper, Name>["result"];

/** One route's settings: its name, what goes beside each file, and the callbacks that get what came of it. */
export type RouteSettings<Helper, Name extends RouteName<Helper>> = RouteSetting<Helper, Name> &
  InputSetting<RouteOf<Helper, Name>["input"]> &
  RouteCallbacks<RouteData<Helper, Name>>;

/** Typed by the route; and `upload`, whose list has a route already. */
export type RouteKey = "route" | "input" | "upload" | keyof RouteCallbacks<unknown>;

/** What is called for the files of one route. */
export interface RouteCallbacks<Data> {
  /** The service has seen the file; `item.data` is what the route's `onComplete` returned. */
  onUploaded?: ((file: BrowserFile, item: DoneItem<Data>) => void) | undefined;
  /** A file was refused, or given up on. */
  onFailed?: ((failure: UploadFailure, item: UploadItem<Data>) => void) | undefined;
  /** The last file on its way has come to its end. */
  onSettled?: ((snapshot: UploadSnapshot<Data>) => void) | undefined;
}

export type RouteSetting<Helper, Name extends RouteName<Helper>> =
  IsKnown<Helper> extends false
    ? { route?: Name | undefined }
    : [RouteName<Helper>] extends [never]
      ? { route?: undefined }
      : { route: Name };

export type InputSetting<Input> = undefined extends Input
  ? { input?: Input | ((file: File) => Input) | undefined }
  : { input: Input | ((file: File) => Input) };

export type RouteOf<Helper, Name> =
  IsKnown<Helper> extends false
    ? RouteTypes
    : [Name] extends [never]
      ? { input: undefined; result: undefined }
      : Name extends keyof RoutesOf<Helper>
        ? RoutesOf<Helper>[Name]
        : never;

/** Whether these are the routes of a helper, and not what is left where no helper was named. */
export type IsKnown<Helper> = [RoutesOf<Helper>] extends [never]
  ? false
  : string extends keyof RoutesOf<Helper>
    ? false
    : true;
