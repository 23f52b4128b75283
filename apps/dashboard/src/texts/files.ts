import type { FileKind, FileState } from "@stowage/schemas/dashboard";
import { formatBounded, formatBytes, formatCount } from "../components/format.js";

const count = (n: number) => (n === 1 ? "1 file" : `${formatCount(n)} files`);

/** Texts of the pages about files, and of the lists of files on other pages. */
export const files = {
  title: "Files",
  none: "No files yet",
  noneHint: "A file appears here as soon as your application requests its upload.",
  states: {
    stored: "Stored",
    uploading: "Uploading",
    unfinished: "Not finished",
    missing: "Missing",
    deleting: "Deleting",
  } satisfies Record<FileState | "deleting", string>,
  count: (found: { count: number; isExact: boolean }) =>
    `${formatBounded(found)} ${found.count === 1 && found.isExact ? "file" : "files"}`,
  views: "Files by state",
  allStates: "All files",
  holds: (bytes: number) => (bytes === 0 ? "holds no quota" : `holds ${formatBytes(bytes)}`),
  kinds: {
    image: "Images",
    video: "Videos",
    audio: "Audio",
    pdf: "PDF",
    text: "Text",
    other: "Other",
  } satisfies Record<FileKind, string>,

  searchName: "Search by name",
  tenant: "Tenant",
  tenantFilter: "Tenant ID",
  status: "Status",
  kind: "Type",
  anyKind: "Any type",

  name: "Name",
  size: "Size",
  created: "Created",
  sizeUnknown: "–",
  pathTitle: "Path",
  path: "path",
  pathOf: (name: string) => `path of ${name}`,
  partialResults: "There are more files to search",
  partialResultsHint: (found: number) =>
    found === 0
      ? "Long lists are searched in parts. This part has no results."
      : `Long lists are searched in parts. This part has ${count(found)}.`,
  continueSearch: "Search the next part",

  deleteOne: "Delete",
  deleteMany: (n: number) => `Delete ${count(n)}`,
  selected: (n: number, bytes: number) => `${count(n)} selected, ${formatBytes(bytes)}`,
  clearSelection: "Clear selection",
  deleteTitle: (n: number) => `Delete ${count(n)}?`,
  deleteWarning: (n: number, bytes: number) =>
    `${count(n)} (${formatBytes(bytes)}) will be removed from storage, and links to ${n === 1 ? "it" : "them"} will stop working. This cannot be undone.`,
  andMore: (n: number) => `and ${formatCount(n)} more`,
  deleted: (n: number) => (n === 1 ? "1 file was deleted." : `${formatCount(n)} files were deleted.`),
  alreadyDeleted: (n: number) =>
    n === 1 ? "1 file had already been deleted." : `${formatCount(n)} files had already been deleted.`,
  deleteFailed: "No files were deleted",

  back: "All files",
  file: "File",
  download: "Download",
  details: "Details",
  metadata: "Metadata",
  noMetadata: "This file has no metadata.",
  metadataName: "Name",
  metadataValue: "Value",
  contentType: "Content type",
  declared: (bytes: number) => `${formatBytes(bytes)} declared`,
  storedAt: "Stored",
  urlExpires: "Upload URL expires",
  urlExpired: "URL expired",
  reserved: "Reserved quota",
  reservedBytes: (bytes: number) => `${formatBytes(bytes)} of the tenant's quota`,
  reservesNothing: "Nothing. The upload declared no size.",
  reservationReleased: "Nothing. The reservation was released when the upload URL expired.",
  etag: "ETag",
  meaning: {
    stored: "The file is in storage.",
    uploading: "The upload was requested, and the bytes can still arrive.",
    unfinished:
      "The bytes did not arrive before the upload URL expired. The user must upload the file again.",
    missing: "The file was stored, but its object has disappeared from storage. See the history.",
    deleting: "The file is being removed from storage.",
  } satisfies Record<FileState | "deleting", string>,

  discardOne: "Discard upload",
  discardMany: (n: number) => (n === 1 ? "Discard 1 upload" : `Discard ${formatCount(n)} uploads`),
  isDeleted: "This file was deleted",
  isDeletedHint: "It is no longer in storage. Its history is kept for 90 days.",
  notFound: "File not found",
  notFoundHint: "The address may be wrong, or the file was deleted more than 90 days ago.",

  history: "History",
  events: {
    asked: "Upload requested",
    stored: "Stored",
    replayed: "Content replaced",
    expired: "Upload not received in time",
    lost: "Missing from storage",
    deleted: "Deleted",
  },
  by: (actor: string) => {
    if (actor === "customer") return "by your application";
    return actor === "service" ? "by Stowage" : `by ${actor}`;
  },

  preview: "Preview",
  previewOf: (name: string) => `Preview of ${name}`,
  showPreview: (bytes: number) => `Show preview (${formatBytes(bytes)})`,
  noPreview: "Files of this type have no preview. Download the file to open it.",
  notStoredYet: "The preview is available once the file is stored.",
  previewFailed: "This file cannot be shown. It may be damaged, or its content type may be wrong.",
  noPdf: "This browser cannot show PDFs inside a page. Download the file to open it.",
} as const;
