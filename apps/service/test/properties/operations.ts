import type { ScanVerdict } from "@stowage/schemas";
import type { ScanSetting } from "@stowage/operator-schemas";
import type { CrashPoint } from "./crash.js";

/** One operation. `file` is an index into the list of requested files, modulo its length. */
export type Operation =
  | ({
      do: "upload";
      project: number;
      tenant: number;
      size: number | null;
      key: string | null;
    } & UploadToItsEnd)
  | ({ do: "open parts"; project: number; tenant: number; size: number; key: string | null } & UploadToItsEnd)
  | UploadOperation
  | PartOperation
  | LifecycleOperation
  | { do: "call from another project"; file: number }
  | { do: "delete tenant"; project: number; tenant: number }
  /** The scan worker scans one file, if one is due. */
  | { do: "scan"; scanner: ScannerBehavior }
  | { do: "sweep" }
  | { do: "regenerate key"; project: number };

/** `hangs up`: it ends the connection without a verdict. `is late`: other bytes are sent to the files before its verdict is recorded. */
export type ScannerBehavior = "answers" | "hangs up" | "is late";

export interface UploadToItsEnd {
  /** Seconds. @default the file has no end */
  expiresAfter?: number | undefined;
  /** Sends the bytes and completes the upload in the same operation. @default false */
  isSent?: boolean;
  /** How many bytes are sent if no size was declared. @default 30 */
  sentBytes?: number;
}

/** An operation on an upload that was requested. */
export type UploadOperation =
  | { do: "put" | "put of another length"; file: number; size: number }
  | { do: "cut put" | "complete" | "read" | "cancel"; file: number }
  | { do: "event"; file: number; times: number };

/** An operation on the parts of a file. `part` is a part's number, modulo the number of parts. */
export type PartOperation =
  | { do: "sign parts"; file: number; part: number }
  /** Signs all parts and sends them. */
  | { do: "send parts"; file: number }
  /** With the oldest URL of the part, which may belong to an upload that has ended, or with the newest one. */
  | { do: "put part"; file: number; part: number; url: "oldest" | "newest" }
  | { do: "put part of another length"; file: number; part: number };

/** An operation on a file's ends, its hold and its scan. */
export type LifecycleOperation =
  | { do: "download" | "delete" | "purge" | "restore" | "hold" | "release"; file: number }
  /** The verdict of the customer's own scanner, about the bytes in storage or about others. */
  | { do: "report scan"; file: number; verdict: ScanVerdict; etag: "right" | "wrong" };

/** What a project of a history has decided. */
export interface LifecycleSettings {
  /** Counts only where an upload may have no size: a sized one keeps to it. */
  allowOverQuota: boolean;
  trashDays: number;
  scan: ScanSetting;
  allowUnscannable: boolean;
}

/** Operations that run at the same time on replicas, the point where the first one's process dies, and the time until the next step. */
export interface Step {
  operations: { operation: Operation; replica: number }[];
  crash: CrashPoint | null;
  advanceMs: number;
}

export const PROJECTS = 2;
export const TENANTS = 2;
/** A tenant with a larger quota, for files of two parts. */
export const LARGE_TENANT = 2;
export const REPLICAS = 2;
