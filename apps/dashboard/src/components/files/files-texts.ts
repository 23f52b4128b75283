import type { FileKind, FileState } from "@stowage/operator-schemas";
import type { ScanState } from "./scan-state.js";
import { formatBounded, formatBytes, formatCount } from "../format.js";

export const countFiles = (n: number) => (n === 1 ? "1 file" : `${formatCount(n)} files`);
const countParts = (n: number) => (n === 1 ? "1 part" : `${formatCount(n)} parts`);

/** Texts of the lists of files, on any page. */
export const files = {
  title: "Files",
  none: "No files yet",
  noneHint: "A file appears here as soon as your application requests its upload.",
  states: {
    stored: "Stored",
    uploading: "Uploading",
    unfinished: "Not finished",
    missing: "Missing",
    trashed: "In the trash",
    deleting: "Deleting",
  } satisfies Record<FileState | "deleting", string>,
  scanStates: {
    waiting: "Waits for its scan",
    clean: "Clean",
    infected: "Infected",
    unscannable: "Cannot be scanned",
  } satisfies Record<Exclude<ScanState, "off">, string>,
  quarantine: "Quarantine",
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
  folderFilter: "Folder",
  status: "Status",
  kind: "Type",
  anyKind: "Any type",

  name: "Name",
  size: "Size",
  created: "Created",
  sizeUnknown: "–",
  urlExpired: "URL expired",
  partsStored: (parts: { storedCount: number; count: number; storedBytes: number }, bytes: number) =>
    `${formatCount(parts.storedCount)} of ${countParts(parts.count)}, ${formatBytes(parts.storedBytes)} of ${formatBytes(bytes)}`,
  progressOf: (name: string) => `Stored parts of ${name}`,
  endsAt: "by parts, ends",
  byPartsEnded: "by parts, ended",
  pathTitle: "Path",
  path: "path",
  pathOf: (name: string) => `path of ${name}`,
  partialResults: "There are more files to search",
  partialResultsHint: (found: number) =>
    found === 0
      ? "Long lists are searched in parts. This part has no results."
      : `Long lists are searched in parts. This part has ${countFiles(found)}.`,
  continueSearch: "Search the next part",

  deleteOne: "Delete",
  deleteMany: (n: number) => `Delete ${countFiles(n)}`,
  selected: (n: number, bytes: number) => `${countFiles(n)} selected, ${formatBytes(bytes)}`,
  clearSelection: "Clear selection",
  deleteTitle: (n: number) => `Delete ${countFiles(n)}?`,
  deleteWarning: (n: number, bytes: number) =>
    `${countFiles(n)} (${formatBytes(bytes)}) will be removed from storage, and links to ${n === 1 ? "it" : "them"} will stop working. This cannot be undone.`,
  andMore: (n: number) => `and ${formatCount(n)} more`,
  deleted: (n: number) => (n === 1 ? "1 file was deleted." : `${formatCount(n)} files were deleted.`),
  purgeOne: "Delete for good",
  purgeMany: (n: number) => `Delete ${countFiles(n)} for good`,
  purged: "removed",
  expires: "expires",
  onHold: "On hold",
  alreadyDeleted: (n: number) =>
    n === 1 ? "1 file had already been deleted." : `${formatCount(n)} files had already been deleted.`,
  deleteFailed: "No files were deleted",

  discardOne: "Discard upload",
  discardMany: (n: number) => (n === 1 ? "Discard 1 upload" : `Discard ${formatCount(n)} uploads`),
} as const;
