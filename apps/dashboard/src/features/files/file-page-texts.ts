import type { FileState } from "@stowage/operator-schemas";
import { formatBytes, formatCount } from "../../components/format.js";

/** Texts of the page of one file. */
export const filePage = {
  back: "All files",
  file: "File",
  download: "Download",
  update: "Rename or move",
  folder: "Folder",
  noFolder: "None",
  details: "Details",
  metadata: "Metadata",
  noMetadata: "This file has no metadata.",
  metadataName: "Name",
  metadataValue: "Value",
  contentType: "Content type",
  declared: (bytes: number) => `${formatBytes(bytes)} declared`,
  storedAt: "Stored",
  expiresAt: "Expires",
  urlExpires: "Upload URL expires",
  upload: "Upload",
  byParts: ({ count, sizeBytes }: { count: number; sizeBytes: number }) =>
    count === 1
      ? "By parts: 1 part"
      : `By parts: ${formatCount(count)} parts of up to ${formatBytes(sizeBytes)}`,
  uploadEnds: "Upload ends",
  uploadEnded: "Upload ended",
  reserved: "Reserved quota",
  reservedBytes: (bytes: number) => `${formatBytes(bytes)} of the tenant's quota`,
  reservesNothing: "Nothing. The upload declared no size.",
  reservationReleased: (isByParts: boolean) =>
    `Nothing. The reservation was released when the upload ${isByParts ? "ended" : "URL expired"}.`,
  replacedBy: "Replaced by",
  replaces: "Replaces",
  etag: "ETag",
  publicUrl: "Public URL",
  makePublic: "Make public",
  makePublicTitle: "Make this file public?",
  makePublicHint:
    "Everyone who knows its URL can read the file then, without an end. What others have loaded cannot be taken back.",
  madePublic: "The file is public.",
  makePrivate: "Make private",
  makePrivateTitle: "Make this file private?",
  makePrivateHint:
    "Pages that show the file at its public URL show it no more. Browsers that have loaded it may keep it.",
  madePrivate: "The file is private.",
  isBeingMoved: "The file is on its way to the public bucket, or back.",
  meaning: {
    stored: "The file is in storage.",
    uploading: "The upload was requested, and the bytes can still arrive.",
    unfinished:
      "The bytes did not arrive before the upload URL expired. The user must upload the file again.",
    missing: "The file was stored, but its object has disappeared from storage. See the history.",
    trashed: "The file was deleted. It can be restored until it is removed from the trash.",
    deleting: "The file is being removed from storage.",
  } satisfies Record<FileState | "deleting", string>,
  meaningByParts: {
    uploading: "The upload is open, and parts can still arrive.",
    unfinished:
      "Some parts did not arrive before the upload ended, and the others were removed. The user must upload the file again.",
  } satisfies Partial<Record<FileState, string>> as Partial<Record<FileState | "deleting", string>>,

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
    trashed: "Moved to the trash",
    restored: "Restored from the trash",
    held: "Put on hold",
    released: "Hold released",
    updated: "Renamed, moved, or metadata changed",
  },
  by: (actor: string) => {
    if (actor === "customer") return "by your application";
    if (actor === "quota") return "by Stowage, because it did not fit the quota";
    return actor === "service" ? "by Stowage" : `by ${actor}`;
  },

  preview: "Preview",
  previewOf: (name: string) => `Preview of ${name}`,
  showPreview: (bytes: number) => `Show preview (${formatBytes(bytes)})`,
  isVariant: "This is a smaller variant of the image.",
  isOriginal: "This is the original image.",
  showOriginal: (bytes: number) => `Show original (${formatBytes(bytes)})`,
  showVariant: "Show variant",
  noPreview: "Files of this type have no preview. Download the file to open it.",
  notInTrash: "The preview is available once the file is restored.",
  notClean: "The preview is available once the virus scan finds nothing.",
  notStoredYet: "The preview is available once the file is stored.",
  previewFailed: "This file cannot be shown. It may be damaged, or its content type may be wrong.",
  isFirstPage: "This is the first page. Download the file to read it.",
  noPdf: "This browser cannot show PDFs inside a page. Download the file to open it.",
} as const;
