"use client";

import type { DoneItem, UploadFailure, UploadItem, UploadSnapshot } from "@stowage/client";
import type { BrowserFile, RoutesOf, RouteTypes } from "@stowage/schemas";
import type { ReactNode } from "react";
import type { UploadRootProps } from "./parts/root.js";
import { UploadButton, type UploadButtonProps } from "./upload-button.js";
import { UploadDropzone, type UploadDropzoneProps, type UploadLook } from "./upload-dropzone.js";
import { useFiles, type UseFilesOptions, type UseFilesResult } from "./use-files.js";
import { useUpload, type UseUploadOptions, type UseUploadResult } from "./use-upload.js";

/**
 * Creates the widget for one backend: the defaults are set once, and the props are typed by the routes of the helper.
 * Only the type of the helper is used, so no backend code reaches the page. Call it at the top level of a module, not
 * while rendering.
 *
 * @typeParam Helper the type of your helper, such as `typeof stowage`. Without it, `route` is any
 * string and `input` is unknown.
 * @param defaults props for every component and hook; their own props take precedence
 * @example
 * import type { stowage } from "./server/stowage";
 *
 * export const { UploadDropzone, UploadButton, useUpload, useFiles } = createUploader<typeof stowage>({ endpoint: "/api/upload" });
 *
 * <UploadDropzone route="avatar" input={{ album: 7 }} onUploaded={(file, { data }) => show(data.url)} />;
 */
export function createUploader<Helper = unknown>(defaults: UploaderDefaults = {}): Uploader<Helper> {
  // The backend is trusted to return what its types say. The components inside treat these values as unknown.
  return {
    UploadDropzone: (props) => <UploadDropzone {...defaults} {...(props as UploadDropzoneProps)} />,
    UploadButton: (props) => <UploadButton {...defaults} {...(props as UploadButtonProps)} />,
    useUpload: (options) =>
      useUpload({ ...hookDefaults(defaults), ...(options as UseUploadOptions) }) as never,
    useFiles: (options) => useFiles({ ...filesDefaults(defaults), ...options }),
  };
}

function hookDefaults({ messages, ...defaults }: UploaderDefaults): UseUploadOptions {
  return { locale: messages?.locale, errorMessages: messages?.errors, ...defaults };
}

function filesDefaults(defaults: UploaderDefaults): UseFilesOptions {
  const { endpoint, transport, headers, credentials } = defaults;
  const { locale, errorMessages } = hookDefaults(defaults);
  return { endpoint, transport, headers, credentials, locale, errorMessages };
}

/** Props that every component of an uploader gets, unless the component sets its own. */
export type UploaderDefaults = Omit<UploadRootProps, RouteKey | "children"> & UploadLook;

/** The components and the hook, with the types of one helper's routes. */
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
  useFiles<Name extends RouteName<Helper>>(this: void, options?: RouteFilesOptions<Name>): UseFilesResult;
}

/** The options of `useFiles` for the routes of one helper. Without a route, the files of all routes are listed. */
export type RouteFilesOptions<Name extends string> = Omit<UseFilesOptions, "route"> & {
  route?: Name | undefined;
};

/** The route names of a helper: any string if the helper is unknown, `never` if it has no routes. */
export type RouteName<Helper> = IsKnown<Helper> extends true ? keyof RoutesOf<Helper> & string : string;

/** What the `onComplete` of a route returns, after it was sent as JSON. */
export type RouteData<Helper, Name extends RouteName<Helper>> = RouteOf<Helper, Name>["result"];

/** The props of one route: its name, the input for each file, and the callbacks. */
export type RouteSettings<Helper, Name extends RouteName<Helper>> = RouteSetting<Helper, Name> &
  InputSetting<RouteOf<Helper, Name>["input"]> &
  RouteCallbacks<RouteData<Helper, Name>>;

/** The props whose types depend on the route, and `upload`, because a list that exists already has its route. */
export type RouteKey = "route" | "input" | "upload" | keyof RouteCallbacks<unknown>;

/** The callbacks for the files of one route. */
export interface RouteCallbacks<Data> {
  /** The service found the file in storage. `item.data` is what the route's `onComplete` returned. */
  onUploaded?: ((file: BrowserFile, item: DoneItem<Data>) => void) | undefined;
  /** A file was refused, or its upload failed after all attempts. */
  onFailed?: ((failure: UploadFailure, item: UploadItem<Data>) => void) | undefined;
  /** No upload is active any more. */
  onSettled?: ((snapshot: UploadSnapshot<Data>) => void) | undefined;
}

export type RouteSetting<Helper, Name extends RouteName<Helper>> =
  IsKnown<Helper> extends false
    ? { route?: Name | undefined }
    : [RouteName<Helper>] extends [never]
      ? { route?: undefined }
      : { route: Name };

/** The prop `input` of a route. It is required if the route's schema requires an input. */
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

/** False if no helper type was given, so that its routes are not known. */
export type IsKnown<Helper> = [RoutesOf<Helper>] extends [never]
  ? false
  : string extends keyof RoutesOf<Helper>
    ? false
    : true;
