import { type ScanVerdict, StowageError } from "@stowage/schemas";
import type { PartSizes } from "#files/parts/upload-of-parts.js";
import type { RequestedUpload } from "#files/upload/request-upload.js";
import type { Project } from "./invariants.js";
import type { LifecycleSettings } from "./operations.js";

/** A file that was requested, and what the test knows about it. */
export interface Requested {
  filePath: string;
  /** When its URL expires, or when its upload by parts ends. */
  expiresAt: string;
  isNewTenant: boolean;
  project: Project;
  declaredSize: number | null;
  /** The request's `Idempotency-Key`, with its project and tenant. */
  key: string | null;
  /** Until then the key answers this file, or 422. */
  keyExpiresAt: Date;
  /** Null for an upload by parts. */
  single: RequestedUpload | null;
  /** Null for a single PUT. */
  parts: Sender | null;
  /**
   * Storage has accepted at least one PUT, or may have accepted one. For an upload by parts: the file is stored, or may be stored,
   * because a PUT of each part was started.
   */
  put: "none" | "started" | "accepted";
  /** The sizes of all PUTs that were started. A replay may have another size. */
  putSizes: number[];
  /** A delete or cancel has succeeded. Or it got no answer, and may have succeeded. */
  mayBeGone: boolean;
  /** A cancel has succeeded: from then on the upload must never be stored. */
  isCancelled: boolean;
  /** When the service deletes the file by itself; null if it does not. */
  endsAt: Date | null;
  /** What an earlier step has deleted, and whether the file is certainly in the trash; null if it may have been restored since. */
  deleted: { at: Date; isInTrash: boolean } | null;
  /** Where the file was when it was last looked at, if it is certainly on hold. */
  held: "stored" | "trashed" | "unknown" | null;
  /** The last verdicts that may count for bytes with an ETag. */
  verdicts: Map<string, Set<ScanVerdict>>;
  /** Of its project. */
  settings: LifecycleSettings;
}

export interface PartUrl {
  number: number;
  url: string;
  uploadId: string;
  expiresAt: Date;
}

/** What a browser knows that sends a file in parts. */
export interface Sender {
  sizes: PartSizes;
  /** In the order in which they were answered. */
  urls: PartUrl[];
  /** How many PUTs of each part were started. */
  started: Map<number, number>;
  /** The parts that storage accepted before the end of the upload, by storage's ID of the upload. */
  accepted: Map<string, Set<number>>;
}

/** The code of an expected failure. Any other error, such as a crash, is thrown. */
export function codeOf(error: unknown): string {
  if (error instanceof StowageError) return error.code;
  throw error;
}
