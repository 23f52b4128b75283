import { limits, type ScanVerdict, StowageError } from "@stowage/schemas";
import type { PartSizes } from "#files/parts/upload-of-parts.js";
import type { RequestedUpload } from "#files/upload/request-upload.js";
import { lastCheckAt } from "#files/record/check-schedule.js";
import { addMs, DAY_MS, SECOND_MS } from "#lib/time.js";
import type { World } from "../fixtures/a-world.js";
import type { LifecycleSettings } from "./operations.js";

/** How long an upload by parts may take. */
export const SESSION_DAYS = 1;

/** What the test knows about projects and files. The operations write it, and the checks compare the service with it. */

export type Project = Awaited<ReturnType<World["project"]>>;

export interface HistoryProject extends Project {
  settings: LifecycleSettings;
  /** Tenants that an operation of the current step deletes. */
  deletingTenants: Set<string>;
  /** Every upload declares its size. */
  requiresSize: boolean;
  /** An upload on hold may have arrived after it had expired, or without a size. It is kept although it does not fit the quota. */
  mayExceedQuota: boolean;
  /** A tenant's deletion may have removed its daily usage. The project's daily usage stays. */
  mayMissDays: boolean;
}

/** A file that was requested, and what the test knows about it. */
export interface Requested {
  filePath: string;
  /** When its URL expires, or when its upload by parts ends. */
  expiresAt: string;
  isNewTenant: boolean;
  project: HistoryProject;
  tenantId: string;
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
  /** A delete or cancel has succeeded. Or it got no answer, and may have succeeded. Or its bytes may not have fitted the quota. */
  mayBeGone: boolean;
  /** The deletion of its tenant was started, which also forgets that the upload was cancelled. */
  mayBeForgotten: boolean;
  /** It was deleted with its tenant, so the service knows nothing of it any more. */
  isForgotten: boolean;
  /** A cancel has succeeded: from then on the upload must never be stored. */
  isCancelled: boolean;
  /** When the service deletes the file by itself; null if it does not. */
  endsAt: Date | null;
  /** What an earlier step has deleted, and whether the file is certainly in the trash; null if it may have been restored since. */
  deleted: { at: Date; isInTrash: boolean } | null;
  /** Its status when it was last looked at, if it is certainly on hold. */
  held: "pending" | "expired" | "stored" | "trashed" | "unknown" | null;
  /** A hold was started. */
  mayBeHeld: boolean;
  /** The last verdicts that may count for bytes with an ETag. */
  verdicts: Map<string, Set<ScanVerdict>>;
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

/**
 * Storage accepted the bytes before the upload could expire. After that, late bytes need not fit the quota. The object of an upload
 * by parts is stored by the service, so it is never late.
 */
export function hasArrivedInTime({ put, parts, expiresAt }: Requested, now: Date): boolean {
  return put === "accepted" && (parts !== null || now < new Date(expiresAt));
}

/** Bytes that no reservation covers may be found not to fit, and then the file is removed. */
export function mayBeRefused({ declaredSize, project }: Requested): boolean {
  return declaredSize === null && !project.settings.allowOverQuota;
}

/** Storage's clock does not advance with the test's, so storage also accepts a PUT later than a real one can run. */
export function canStillPut({ expiresAt }: { expiresAt: string }, now: Date): boolean {
  return now < lastCheckAt(new Date(expiresAt));
}

/**
 * A cancelled upload is known until no PUT to it can still be running. For an upload by parts, that is counted from its cancel, as if a URL
 * had been signed then; so it may be earlier than the end of the upload.
 */
export function mayHaveForgottenCancel({ parts, expiresAt }: Requested, now: Date): boolean {
  const openedAt = addMs(
    new Date(expiresAt),
    parts ? -SESSION_DAYS * DAY_MS : -limits.uploadUrlSeconds * SECOND_MS,
  );
  return now >= lastCheckAt(addMs(openedAt, limits.uploadUrlSeconds * SECOND_MS));
}

/** The code of an expected failure. Any other error, such as a crash, is thrown. */
export function codeOf(error: unknown): string {
  if (error instanceof StowageError) return error.code;
  throw error;
}
