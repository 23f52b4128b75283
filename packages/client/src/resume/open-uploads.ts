import type { BrowserOpenResponse, BrowserOpenUpload } from "@stowage/schemas";
import { canSendParts, MAX_OPEN_UPLOADS, type UploadTransport } from "../transport.js";
import type { UploadSettings } from "../upload-settings.js";
import { listParts } from "../upload/parts/stored-parts.js";
import type { HeldMultipart } from "../upload/upload-job.js";
import { inputHash, parseFingerprint } from "./fingerprint.js";

/* The open uploads of the user, as the backend answers them. */

/** Pages may be short, so several are read. */
const MAX_PAGES = 3;

/**
 * Reads the newest open uploads of the user.
 *
 * @param firstPage the first answer, if it was asked for already
 */
export async function readOpenUploads(
  transport: UploadTransport,
  signal: AbortSignal,
  firstPage?: Promise<BrowserOpenResponse>,
): Promise<BrowserOpenUpload[]> {
  const uploads: BrowserOpenUpload[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && transport.open; page++) {
    const asked = page === 0 ? firstPage : undefined;
    const answer = await (asked ?? transport.open({ limit: MAX_OPEN_UPLOADS, cursor }, signal));
    uploads.push(...answer.uploads);
    if (answer.next_cursor === null) break;
    cursor = answer.next_cursor;
  }
  return uploads;
}

/** Adds up the sizes of the parts that storage has. Does not compare their bytes with a file. */
export async function storedBytes(
  transport: UploadTransport,
  path: string,
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0;
  if (canSendParts(transport)) {
    for await (const { size } of listParts(transport, path, signal)) bytes += size;
  }
  return bytes;
}

/** Whether the upload has the route of the list, and its input. An input that depends on the file is not compared. */
export function belongsTo(upload: BrowserOpenUpload, { route, input }: UploadSettings): boolean {
  const fingerprint = parseFingerprint(upload.fingerprint);
  const hasOtherInput =
    fingerprint !== null && typeof input !== "function" && fingerprint.input !== inputHash(input);
  return (upload.route ?? "") === (route ?? "") && !hasOtherInput;
}

/** The ticket that the backend answered when the upload was opened. */
export function heldOf(upload: BrowserOpenUpload, { type }: File, nowMs: number): HeldMultipart {
  const {
    file_path,
    content_type,
    part_size,
    part_count,
    expires_at,
    declared_size: size,
    fingerprint,
  } = upload;
  const expires_in = Math.max(0, (Date.parse(expires_at) - nowMs) / 1000);
  return {
    ticket: { file_path, content_type, part_size, part_count, expires_at, expires_in, max_bytes: size },
    signed: [],
    size,
    type,
    fingerprint,
    sent: null,
  };
}
