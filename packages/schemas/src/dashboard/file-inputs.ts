import * as z from "zod";
import { fileStatuses } from "../file.js";
import { limits } from "../limits.js";
import { searchText, tenantId } from "../members.js";
import { limit } from "./inputs.js";

/*
 * What the dashboard's calls about files take.
 */

/** What people call a file's type. */
export const fileKinds = ["image", "video", "audio", "pdf", "text", "other"] as const;
export type FileKind = (typeof fileKinds)[number];

export const fileSorts = ["created_at", "filename", "size"] as const;
export type FileSort = (typeof fileSorts)[number];

export const sortOrders = ["asc", "desc"] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Of the years 1 to 9998: PostgreSQL knows no year 0, and the day after the last has a year of four digits too. */
const date = (what: string) => {
  const error = `${what} must be a date like 2026-01-31`;
  return z.iso
    .date({ error })
    .refine((day) => day > "0001" && day < "9999", { error })
    .optional();
};
const oneOf = <const Names extends readonly string[]>(what: string, names: Names) =>
  z.enum(names, { error: `${what} must be one of ${names.join(", ")}` });

export const fileStatusList = z.array(oneOf("status", fileStatuses)).min(1).max(fileStatuses.length);

/** A file's name can be a part of it. */
const cursor = z.string().max(4000).optional();

export const fileFilters = z.object({
  tenantId: tenantId.optional(),
  /** Of these; left out, of all but those that are being deleted, which are in no list. */
  statuses: fileStatusList.optional(),
  kind: oneOf("kind", fileKinds).optional(),
  /** A part of the name. */
  q: searchText.optional(),
  /** The first and the last day of asking for the upload, in UTC. */
  from: date("from"),
  to: date("to"),
  sort: oneOf("sort", fileSorts).default("created_at"),
  order: oneOf("order", sortOrders).default("desc"),
});

export const inOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || from <= to;
export const notInOrder = { error: "from must not be after to", path: ["from"] };

export const filesListInput = fileFilters.extend({ cursor, limit }).refine(inOrder, notInOrder);

const fileId = z.int({ error: "fileId must be a file's id" }).min(1);
export const fileInput = z.object({ fileId });
export const deleteFilesInput = z.object({
  fileIds: z
    .array(fileId, { error: "fileIds must be a list of ids" })
    .min(1, { error: "fileIds must have at least 1 id" })
    .max(limits.deletePaths, { error: `fileIds must have at most ${limits.deletePaths} ids` })
    .transform((ids) => [...new Set(ids)]),
});

export type FilesListInput = z.output<typeof filesListInput>;
export type FileInput = z.output<typeof fileInput>;
export type DeleteFilesInput = z.output<typeof deleteFilesInput>;
