import type { FileStatus } from "@stowage/schemas";
import type { FileKind } from "@stowage/schemas/dashboard";
import { formatBytes, formatCount } from "../components/format.js";

const count = (n: number) => (n === 1 ? "1 file" : `${formatCount(n)} files`);

export const files = {
  title: "Files",
  hint: "What your users have uploaded, and what is on its way.",
  none: "No files yet",
  noneHint: "A file is listed here as soon as your application asks for its upload.",
  statuses: {
    pending: "Uploading",
    stored: "Stored",
    expired: "Not arrived",
    deleting: "Being deleted",
  } satisfies Record<FileStatus, string>,
  kinds: {
    image: "Images",
    video: "Videos",
    audio: "Audio",
    pdf: "PDF",
    text: "Text",
    other: "Other",
  } satisfies Record<FileKind, string>,

  filters: "Filters",
  filtersOn: (n: number) => (n === 0 ? "Filters" : `Filters (${n})`),
  searchName: "Search by name",
  tenant: "Tenant",
  tenantFilter: "Tenant ID",
  status: "Status",
  anyStatus: "Any status",
  kind: "Type",
  anyKind: "Any type",
  from: "From day (UTC)",
  to: "To day (UTC)",
  calendar: {
    previousMonth: "Previous month",
    nextMonth: "Next month",
    monthLevelControl: "Choose the month",
    previousYear: "Previous year",
    nextYear: "Next year",
    yearLevelControl: "Choose the year",
    previousDecade: "Previous decade",
    nextDecade: "Next decade",
  },
  clear: "Clear filters",

  name: "Name",
  size: "Size",
  created: "Created",
  sizeUnknown: "–",
  pathTitle: "Path",
  path: "path",
  pathOf: (name: string) => `path of ${name}`,
  searchGoesOn: "There are more files to search",
  searchedSome: (found: number) =>
    found === 0
      ? "Long lists are searched a part at a time. Nothing was found in this part."
      : `Long lists are searched a part at a time. In this part: ${count(found)}.`,
  searchOn: "Search the next part",

  deleteOne: "Delete",
  deleteMany: (n: number) => `Delete ${count(n)}`,
  selected: (n: number, bytes: number) => `${count(n)} selected, ${formatBytes(bytes)}`,
  unselect: "Unselect all",
  deleteTitle: (n: number) => `Delete ${count(n)}?`,
  deleteWarning: (n: number, bytes: number) =>
    `${count(n)} with ${formatBytes(bytes)} will be gone from storage, and links to ${n === 1 ? "it stop" : "them stop"} working. This cannot be undone.`,
  andMore: (n: number) => `and ${formatCount(n)} more`,
  deleted: (n: number) => (n === 1 ? "1 file is deleted" : `${formatCount(n)} files are deleted`),
  goneBefore: (n: number) =>
    n === 1
      ? "1 file could not be deleted: it was gone already."
      : `${formatCount(n)} files could not be deleted: they were gone already.`,
  deleteFailed: "Nothing was deleted",

  back: "All files",
  file: "File",
  download: "Download",
  details: "Details",
  metadata: "Metadata",
  noMetadata: "Your application gave this file no metadata.",
  metadataName: "Name",
  metadataValue: "Value",
  contentType: "Content type",
  announced: (bytes: number) => `${formatBytes(bytes)} announced`,
  storedAt: "Stored",
  urlExpires: "Upload link ends",
  etag: "ETag",
  meaning: {
    pending: "The upload was asked for, and its bytes are not there yet.",
    stored: "The bytes are in storage.",
    expired: "The bytes never came, or are not in storage any more. The history says which.",
    deleting: "The file is on its way out of storage.",
  } satisfies Record<FileStatus, string>,
  isDeleted: "This file is deleted",
  isDeletedHint: "Its bytes are gone from storage. What happened to it is kept for 90 days.",
  notFound: "There is no such file",
  notFoundHint: "The address may be wrong, or the file was deleted more than 90 days ago.",

  history: "History",
  events: {
    asked: "Upload asked for",
    stored: "Stored",
    replayed: "Replaced by other bytes",
    expired: "Given up: the upload never came",
    lost: "Found missing from storage",
    deleted: "Deleted",
  },
  by: (who: string) => {
    if (who === "customer") return "by your application";
    return who === "service" ? "by Stowage" : `by ${who}`;
  },

  preview: "Preview",
  previewOf: (name: string) => `Preview of ${name}`,
  showPreview: (bytes: number) => `Show preview (${formatBytes(bytes)})`,
  noPreview: "Files of this type are not shown here, only downloaded.",
  notStoredYet: "There is nothing to show before the file is stored.",
  notShown: "This file cannot be shown. It may be damaged, or of another type than it says.",
  noPdf: "This browser does not show PDFs inside of pages. Download it instead.",
} as const;
