import type { FileStatus, ScanStatus } from "@stowage/schemas";
import { fileStatusTraits, type FileState } from "@stowage/operator-schemas";
import { useHasPassed } from "../use-has-passed.js";

/** The members of a file that its state depends on. */
export interface FileWithState {
  status: FileStatus;
  /** When the upload URL expires, or when an upload by parts ends. */
  urlExpiresAt: string;
  isLost: boolean;
  /** Null for a file of one PUT. */
  parts: object | null;
  scanStatus?: ScanStatus;
}

/** A file that is being deleted is in no list, but it may be on its own page when that happens. */
export type ShownState = FileState | "deleting";

/** The state of a file, which changes at the moment when the upload URL expires, or when the upload by parts ends. */
export function useFileState(file: FileWithState): ShownState {
  return fileState(file, useHasPassed(file.urlExpiresAt));
}

/** @param isUrlExpired whether the upload URL has expired, so that no bytes can arrive any more */
export function fileState(
  { status, isLost }: Pick<FileWithState, "status" | "isLost">,
  isUrlExpired: boolean,
): ShownState {
  switch (status) {
    case "stored":
    case "trashed":
    case "deleting":
      return status;
    case "pending":
      return isUrlExpired ? "unfinished" : "uploading";
    case "expired":
      return isLost ? "missing" : "unfinished";
  }
}

/** After a URL has expired, the service needs some seconds until it has asked storage and released the reservation. */
const SETTLED_AFTER_MS = 8_000;
const MIN_INTERVAL_MS = 10_000;
/** The service looks about this often for new parts of an open upload. */
const PARTS_INTERVAL_MS = 15_000;

/**
 * When to load files again, because an upload may have ended or got parts by then, or because a scan may have ended: a
 * `refetchInterval`, or false if no upload is open and no file waits for its scan.
 */
export function untilNextChange(files: FileWithState[], nowMs: number): number | false {
  const scans = files.some(({ scanStatus }) => scanStatus === "pending") ? [MIN_INTERVAL_MS] : [];
  const uploads = files
    .filter(({ status }) => status === "pending")
    .map(({ parts, urlExpiresAt }) =>
      parts === null ? Date.parse(urlExpiresAt) + SETTLED_AFTER_MS - nowMs : PARTS_INTERVAL_MS,
    );
  const changes = [...scans, ...uploads];
  return changes.length > 0 && Math.max(MIN_INTERVAL_MS, Math.min(...changes));
}

/** Whether a file is an upload whose bytes are not in storage and were not there before. An operator can discard it. */
export const isUnstored = ({ status, isLost }: Pick<FileWithState, "status" | "isLost">): boolean =>
  fileStatusTraits[status].mayArrive && !isLost;
