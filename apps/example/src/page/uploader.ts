import { createUploadClient, createUploader } from "@stowage/react";
import { createImageParts } from "@stowage/react/images";
import type { Uploads } from "#server/stowage.js";

/** Holds the lists of uploads, so that they outlive the pages of this app. */
export const uploads = createUploadClient();

/** The widget, typed with the upload routes of this app: an unknown route does not compile. */
export const { UploadDropzone, useFiles } = createUploader<Uploads>({ endpoint: "/api/stowage" });

export const { UploadAvatar, FileGrid } = createImageParts<Uploads>({ endpoint: "/api/stowage" });
