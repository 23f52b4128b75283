import type { FileStatus, ScanStatus } from "@stowage/schemas";
import { fileStatusTraits, type ScanSetting } from "@stowage/operator-schemas";

/** What virus scans mean for a file. `off`: no scan concerns it. */
export type ScanState = "off" | "waiting" | "clean" | "infected" | "unscannable";

interface ScannedFile {
  status: FileStatus;
  scanStatus: ScanStatus;
}

interface ScanPolicy {
  scan: ScanSetting;
  allowUnscannable: boolean;
}

/** @param policy undefined while the project is loaded; only an infected file is then known to be refused */
export function scanState({ status, scanStatus }: ScannedFile, policy: ScanPolicy | undefined): ScanState {
  if (!fileStatusTraits[status].counts) return "off";
  // An infected file stays in quarantine after its project has stopped scanning.
  if (scanStatus === "infected") return "infected";
  if (policy === undefined || policy.scan === "off") return "off";
  // Files that were stored before the project scanned are scanned too.
  return scanStatus === "none" || scanStatus === "pending" ? "waiting" : scanStatus;
}

/** Whether the service refuses downloads and previews of the file because of its scan. */
export function isRefused(file: ScannedFile, policy: ScanPolicy | undefined): boolean {
  const state = scanState(file, policy);
  if (state === "unscannable") return policy?.allowUnscannable !== true;
  return state === "waiting" || state === "infected";
}
