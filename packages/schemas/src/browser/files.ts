import * as z from "zod";
import { camelKeys } from "../casing.js";
import { downloadRequest, downloadResponse } from "../calls/create-download.js";
import { downloadsRequest, downloadsResponse } from "../calls/create-downloads.js";
import { cursor, filename, optionalField, pageLimit, requestBody } from "../fields.js";
import { completeRequest } from "../calls/complete-upload.js";
import { file } from "../file.js";
import { folder } from "../folder.js";
import { listFoldersQuery, listFoldersResponse } from "../calls/list-folders.js";
import { usageResponse } from "../calls/read-usage.js";
import { routeName } from "./routes.js";

/**
 * A file as the browser of its owner gets it. Without the tenant ID, the metadata, the folder, and the end, the purge and the hold of the file:
 * these are internal to the customer.
 */
export const browserFile = file.omit({
  tenant_id: true,
  metadata: true,
  folder: true,
  expires_at: true,
  purge_at: true,
  hold: true,
});
export type BrowserFile = z.infer<typeof browserFile>;

/** Query of `GET <mount>/list`: one page of the caller's stored files, newest first. */
export const browserListQuery = z
  .object({
    /** Lists only files that were uploaded by this route. */
    route: optionalField(routeName),
    /** Lists only files in this folder, not below it. "" is the root. */
    folder: optionalField(folder),
    limit: pageLimit,
    cursor: optionalField(cursor),
  })
  // A call without a query asks for the first page.
  .prefault({})
  .transform(camelKeys);
export type BrowserListQuery = z.output<typeof browserListQuery>;
/** The query in snake_case, as it is sent. */
export interface BrowserListQueryInput {
  route?: string | undefined;
  /** The helper must allow it with `allowFolders`. */
  folder?: string | undefined;
  /** 1 to 100. @default 50 */
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** A stored file of a list. */
export const browserListedFile = browserFile.extend({
  size: z.int(),
  stored_at: z.string(),
  /** Name of the helper's route that the file was uploaded by. Missing for a file without a route. */
  route: z.string().optional(),
});
export type BrowserListedFile = z.infer<typeof browserListedFile>;

/** Answer of `GET <mount>/list`. A page can be short or empty and still have a next one: only a null cursor is the end. */
export const browserListResponse = z.object({
  files: z.array(browserListedFile),
  next_cursor: z.string().nullable(),
});
export type BrowserListResponse = z.infer<typeof browserListResponse>;

/** Body of `POST <mount>/download`. */
export const browserDownloadRequest = downloadRequest.in
  .pick({ file_path: true, version: true, disposition: true, reuse: true, variant: true })
  .transform(camelKeys);
export type BrowserDownloadRequest = z.output<typeof browserDownloadRequest>;
/** The body in snake_case, as it is sent. */
export type BrowserDownloadRequestBody = z.input<typeof browserDownloadRequest>;

/** Query of `GET <mount>/download`, which redirects to the URL. */
export const browserDownloadQuery = downloadRequest.in
  .pick({ file_path: true, version: true, disposition: true, variant: true })
  .extend({
    reuse: optionalField(
      z
        .enum(["true", "false"], { error: "reuse must be true or false" })
        .transform((reuse) => reuse === "true"),
    ),
  })
  .transform(camelKeys);

/** Answer of `POST <mount>/download`. */
export const browserDownloadResponse = downloadResponse;
export type BrowserDownloadResponse = z.infer<typeof browserDownloadResponse>;

/** Body of `POST <mount>/downloads`. Repeated paths count once. */
export const browserDownloadsRequest = downloadsRequest.in
  .pick({ file_paths: true, disposition: true, reuse: true, variant: true })
  .transform(({ file_paths, ...rest }) => ({ ...rest, filePaths: [...new Set(file_paths)] }));
export type BrowserDownloadsRequest = z.output<typeof browserDownloadsRequest>;
/** The body in snake_case, as it is sent. */
export type BrowserDownloadsRequestBody = z.input<typeof browserDownloadsRequest>;

/** Answer of `POST <mount>/downloads`. */
export const browserDownloadsResponse = downloadsResponse;
export type BrowserDownloadsResponse = z.infer<typeof browserDownloadsResponse>;

/** Answer of `GET <mount>/usage`: the bytes that the caller stores and reserves, and the quota. */
export const browserUsageResponse = usageResponse;
export type BrowserUsageResponse = z.infer<typeof browserUsageResponse>;

/** Body of `POST <mount>/delete`, and of `POST <mount>/restore`, whose answer is an empty object. */
export const browserDeleteRequest = completeRequest.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserDeleteRequest = z.output<typeof browserDeleteRequest>;

/** Answer of `POST <mount>/delete`. */
export interface BrowserDeleteResponse {
  /** The file is in the trash, and `POST <mount>/restore` brings it back. Missing if it does not. */
  restorable?: true;
}

/** Body of `POST <mount>/update`: another name or another folder for a stored file. */
export const browserUpdateRequest = requestBody({
  ...browserDeleteRequest.in.shape,
  filename: optionalField(filename),
  folder: optionalField(folder),
})
  .refine(({ filename, folder }) => filename !== undefined || folder !== undefined, {
    error: "filename or folder is required",
  })
  .transform(camelKeys);
export type BrowserUpdateRequest = z.output<typeof browserUpdateRequest>;
/** The body in snake_case, as it is sent. */
export type BrowserUpdateRequestBody = z.input<typeof browserUpdateRequest>;

/** Query of `GET <mount>/folders`: the folders directly in `parent`, by name. */
export const browserFoldersQuery = listFoldersQuery.in
  .omit({ tenant_id: true })
  // A call without a query asks for the first page of the root.
  .prefault({})
  .transform(camelKeys);
export type BrowserFoldersQuery = z.output<typeof browserFoldersQuery>;
/** The query in snake_case, as it is sent. */
export interface BrowserFoldersQueryInput {
  /** @default "", the root */
  parent?: string | undefined;
  /** 1 to 100. @default 50 */
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Answer of `GET <mount>/folders`. A page can be short or empty and still have a next one: only a null cursor is the end. */
export const browserFoldersResponse = listFoldersResponse;
export type BrowserFoldersResponse = z.infer<typeof browserFoldersResponse>;
