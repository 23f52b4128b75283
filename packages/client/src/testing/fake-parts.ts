import type {
  BrowserListPartsResponse,
  BrowserOpenUpload,
  BrowserSignPartsRequestBody,
  BrowserSignPartsResponse,
} from "@stowage/schemas";
import { choosePartSize, countParts, parseSize, type Size, sizeOfPart } from "@stowage/schemas/page-rules";
import { MIN_FINGERPRINT_BYTES, type MultipartTicket } from "../transport.js";
import { UploadError } from "../upload-error.js";
import {
  type FakeParts,
  type FakeUpload,
  fileOf,
  type PartsRecord,
  type UploadRecord,
} from "./fake-uploads.js";
import { toError } from "./fault-injection.js";

const SESSION_SECONDS = 7 * 24 * 3600;
const PART_URL_SECONDS = 3600;

/** Returns the record of a new upload by parts, or null for a file that is sent by one PUT. */
export function openParts(
  body: {
    size?: number | null | undefined;
    accepts_parts?: boolean | null | undefined;
    slow_line?: boolean | null | undefined;
    fingerprint?: string | null | undefined;
  },
  { multipartFrom = "32MB", partSize }: { multipartFrom?: Size | undefined; partSize?: Size | undefined },
): PartsRecord | null {
  const size = body.size ?? 0;
  const from = Math.max(1, parseSize(multipartFrom));
  const isLarge = size >= from || (body.slow_line && size > MIN_FINGERPRINT_BYTES);
  if (!body.accepts_parts || !isLarge) return null;
  return {
    partSize: partSize === undefined ? choosePartSize(size) : parseSize(partSize),
    stored: new Map(),
    fingerprint: body.fingerprint ?? null,
  };
}

export function multipartTicketOf(upload: UploadRecord, { partSize }: PartsRecord): MultipartTicket {
  const { path, contentType, size } = upload;
  return {
    file_path: path,
    content_type: contentType,
    part_size: partSize,
    part_count: countParts(size, partSize),
    expires_at: expiryOf(upload),
    expires_in: SESSION_SECONDS,
    max_bytes: size,
  };
}

export function signPartsOf(
  upload: FakeUpload,
  { parts }: BrowserSignPartsRequestBody,
  now: Date,
): BrowserSignPartsResponse {
  const { partSize } = partsOf(upload);
  const tooLarge = parts.find(({ number }) => number > countParts(upload.size, partSize));
  if (tooLarge) throw toError("invalid_request");
  if (upload.bytes) throw toError("upload_already_stored");
  const signed = parts.map(({ number }) => ({
    number,
    presigned_url: `https://storage.invalid/${upload.path}?partNumber=${number}`,
    headers: {},
    size: sizeOfPart(number, { sizeBytes: upload.size, partSizeBytes: partSize }),
    expires_at: new Date(now.getTime() + PART_URL_SECONDS * 1000).toISOString(),
    expires_in: PART_URL_SECONDS,
  }));
  return { parts: signed };
}

/** One page of the stored parts. The cursor is the number of the last part. */
export function listPartsOf(
  upload: FakeUpload,
  cursor: string | undefined,
  limit = 1000,
): BrowserListPartsResponse {
  const { stored } = partsOf(upload);
  const numbers = [...stored.keys()].sort((a, b) => a - b).filter((number) => number > Number(cursor ?? 0));
  const page = numbers.slice(0, limit);
  return {
    parts: page.map((number) => ({ number, size: stored.get(number)?.length ?? 0, etag: `part-${number}` })),
    next_cursor: page.length < numbers.length ? String(page.at(-1)) : null,
  };
}

/** The bytes of all parts. @throws {UploadError} upload_incomplete if parts are missing */
export function joinParts({ size, parts }: UploadRecord): Uint8Array | null {
  if (!parts) return null;
  const count = countParts(size, parts.partSize);
  if (parts.stored.size < count) {
    const { code, status } = toError("upload_incomplete");
    const detail = `Upload is incomplete: ${parts.stored.size} of ${count} parts are stored`;
    throw new UploadError(code, { status, detail });
  }
  const bytes = new Uint8Array(size);
  for (const [number, part] of parts.stored) bytes.set(part, (number - 1) * parts.partSize);
  return bytes;
}

/** The entry of the list of uploads that are not complete. */
export function openUploadOf(upload: UploadRecord): BrowserOpenUpload {
  const { partSize, stored, fingerprint } = partsOf(upload);
  let bytesStored = 0;
  for (const part of stored.values()) bytesStored += part.length;
  return {
    ...fileOf(upload),
    status: "pending",
    size: null,
    declared_size: upload.size,
    part_size: partSize,
    part_count: countParts(upload.size, partSize),
    parts_stored: stored.size,
    bytes_stored: bytesStored,
    expires_at: expiryOf(upload),
    fingerprint,
    ...(upload.route !== undefined && { route: upload.route }),
  };
}

const expiryOf = ({ createdAt }: UploadRecord) =>
  new Date(createdAt.getTime() + SESSION_SECONDS * 1000).toISOString();

export function partsOf<Parts extends FakeParts>({ parts }: { parts: Parts | null }): Parts {
  if (parts) return parts;
  const { code, status } = toError("invalid_request");
  throw new UploadError(code, { status, detail: "file_path is not an upload by parts" });
}
