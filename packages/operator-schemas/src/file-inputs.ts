import {
  filename,
  folder,
  limits,
  restoreVersionRequest,
  searchText,
  tenantId,
  visibility,
} from "@stowage/schemas";
import * as z from "zod";
import { fileStates, sortOrders } from "./constants.js";
import { cursor, day, hasOrderedDates, limit, oneOf, unorderedDates } from "./fields.js";

/*
 * Inputs of the calls about files.
 */

/** Groups of media types, as people name them. */
export const fileKinds = ["image", "video", "audio", "pdf", "text", "other"] as const;
export type FileKind = (typeof fileKinds)[number];

export const fileSorts = ["created_at", "filename", "size"] as const;
export type FileSort = (typeof fileSorts)[number];

export const fileStateList = z.array(oneOf("state", fileStates)).min(1).max(fileStates.length);

export const fileFilters = z.object({
  tenantId: tenantId.optional(),
  /** Only files in this folder, not below it. */
  folder: folder.optional(),
  /** Without it, files of every state are listed. */
  states: fileStateList.optional(),
  kind: oneOf("kind", fileKinds).optional(),
  /** Part of the file name. */
  q: searchText.optional(),
  /** First and last day, in UTC, on which the upload was requested. */
  from: day("from"),
  to: day("to"),
  sort: oneOf("sort", fileSorts).default("created_at"),
  order: oneOf("order", sortOrders).default("desc"),
});

/** The filters without the state, because the files of each state are counted. */
export const filesCountInput = fileFilters
  .omit({ states: true, sort: true, order: true })
  .refine(hasOrderedDates, unorderedDates);
export type FilesCountInput = z.output<typeof filesCountInput>;

/** Longer than other cursors: it can contain the name of a file or a folder. */
const longCursor = z.string().max(4000).optional();

export const filesListInput = fileFilters
  .extend({ cursor: longCursor, limit })
  .refine(hasOrderedDates, unorderedDates);
export type FilesListInput = z.output<typeof filesListInput>;

const fileId = z.int({ error: "fileId must be a file's id" }).min(1);

export const fileInput = z.object({ fileId });
export type FileInput = z.output<typeof fileInput>;

/** `etag` names the bytes that the operator saw. */
export const releaseInput = fileInput.extend({
  etag: z.string({ error: "etag is required" }).min(1).max(limits.etagLength),
});
export type ReleaseInput = z.output<typeof releaseInput>;

export const quarantineInput = z.object({ cursor, limit });
export type QuarantineInput = z.output<typeof quarantineInput>;

/** Duplicates are removed. */
const fileIds = (max: number) =>
  z
    .array(fileId, { error: "fileIds must be a list of ids" })
    .min(1, { error: "fileIds must have at least 1 id" })
    .max(max, { error: `fileIds must have at most ${max} ids` })
    .transform((ids) => [...new Set(ids)]);

export const deleteFilesInput = z.object({
  fileIds: fileIds(limits.deletePaths),
  /** Deletes for good: the files do not go to the trash, and files in the trash are deleted too. */
  purge: z.boolean().optional(),
});
export type DeleteFilesInput = z.output<typeof deleteFilesInput>;

export const restoreFilesInput = z.object({ fileIds: fileIds(limits.deletePaths) });
export type RestoreFilesInput = z.output<typeof restoreFilesInput>;

/** `hold`: true puts the files on hold, false releases them. */
export const holdFilesInput = z.object({ fileIds: fileIds(limits.deletePaths), hold: z.boolean() });
export type HoldFilesInput = z.output<typeof holdFilesInput>;

const { file_path, version } = restoreVersionRequest.in.shape;

/** A file and the path of one of its versions. */
export const versionInput = z.object({ filePath: file_path, version });
export type VersionInput = z.output<typeof versionInput>;

/** Another name or another folder; what is missing stays. */
export const updateFileInput = z
  .object({ fileId, filename: filename.optional(), folder: folder.optional() })
  .refine(({ filename, folder }) => filename !== undefined || folder !== undefined, {
    error: "filename or folder is required",
  });

/** The folders directly in `parent`. */
export const foldersInput = z.object({ tenantId, parent: folder.default(""), cursor: longCursor, limit });

export const visibilityInput = z.object({ fileId, visibility });
export type VisibilityInput = z.output<typeof visibilityInput>;

export const thumbnailsInput = z.object({ fileIds: fileIds(limits.pageSize) });
export type ThumbnailsInput = z.output<typeof thumbnailsInput>;

/** At most one page of a list: storage is asked about each upload before it is discarded. */
export const discardUploadsInput = z.object({ fileIds: fileIds(limits.maxPageSize) });
export type DiscardUploadsInput = z.output<typeof discardUploadsInput>;
