"use client";

import type { ReactNode } from "react";
import type { RouteKey, RouteName, RouteSettings, UploaderDefaults } from "../create-uploader.js";
import { FileGrid, type FileGridProps } from "./file-grid.js";
import { UploadAvatar, type UploadAvatarProps } from "./upload-avatar.js";

/**
 * Creates the image parts for one backend, as `createUploader` does for the widget: the defaults are set once, and `route` is typed by
 * the routes of the helper.
 *
 * @example export const { UploadAvatar, FileGrid } = createImageParts<typeof stowage>({ endpoint: "/api/upload" });
 */
export function createImageParts<Helper = unknown>(defaults: UploaderDefaults = {}): ImageParts<Helper> {
  const { endpoint, transport, headers, credentials, theme, messages } = defaults;
  const { locale = messages?.locale } = defaults;
  const list = { endpoint, transport, headers, credentials, theme, locale, errorMessages: messages?.errors };
  const { preview: _, ...upload } = defaults;
  return {
    UploadAvatar: (props) => <UploadAvatar {...upload} {...(props as UploadAvatarProps)} />,
    FileGrid: (props) => <FileGrid {...list} {...props} />,
  };
}

/** The image parts, with the types of one helper's routes. */
export interface ImageParts<Helper> {
  UploadAvatar<Name extends RouteName<Helper>>(
    this: void,
    props: Omit<UploadAvatarProps, RouteKey> & RouteSettings<Helper, Name>,
  ): ReactNode;
  FileGrid<Name extends RouteName<Helper>>(
    this: void,
    props: Omit<FileGridProps, "route"> & { route?: Name | undefined },
  ): ReactNode;
}
