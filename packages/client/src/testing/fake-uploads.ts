import type { BrowserFile, BrowserListedFile } from "@stowage/schemas";
import type { UploadTicket } from "../transport.js";

/** One file for which the page got a ticket, and what has become of it. */
export interface FakeUpload {
  readonly path: string;
  readonly name: string;
  /** The folder of the file; "" is the root. */
  readonly folder: string;
  readonly contentType: string;
  /** Size that the page declared, in bytes. */
  readonly size: number;
  readonly route: string | undefined;
  readonly input: unknown;
  /** The bytes in storage; null before the PUT, and before an upload by parts is complete. */
  readonly bytes: Uint8Array | null;
  /** Null for an upload by one PUT. */
  readonly parts: FakeParts | null;
  /** True when the page has completed the upload. */
  readonly isStored: boolean;
}

/** The record of the fake backend: a `FakeUpload` that it may change. */
export interface UploadRecord extends FakeUpload {
  name: string;
  folder: string;
  bytes: Uint8Array | null;
  parts: PartsRecord | null;
  isStored: boolean;
  createdAt: Date;
  storedAt: Date | null;
  /** The path of the file that it replaces when it is stored. */
  replaces: string | null;
}

/** The parts of an upload that the fake storage has. */
export interface FakeParts {
  /** Bytes of each part but the last. */
  readonly partSize: number;
  /** The stored parts by their number, from 1. */
  readonly stored: ReadonlyMap<number, Uint8Array>;
  readonly fingerprint: string | null;
}

/** The record of the fake backend: `FakeParts` that it may change. */
export interface PartsRecord extends FakeParts {
  readonly stored: Map<number, Uint8Array>;
}

const TICKET_SECONDS = 3600;

export function ticketOf({ path, contentType, size, createdAt }: UploadRecord): UploadTicket {
  return {
    presigned_url: `https://storage.invalid/${path}`,
    file_path: path,
    content_type: contentType,
    headers: { "Content-Type": contentType },
    expires_at: new Date(createdAt.getTime() + TICKET_SECONDS * 1000).toISOString(),
    expires_in: TICKET_SECONDS,
    max_bytes: size,
  };
}

export function fileOf({ path, name, contentType, size, createdAt, storedAt }: UploadRecord): BrowserFile {
  return {
    file_path: path,
    filename: name,
    content_type: contentType,
    size,
    status: "stored",
    etag: null,
    created_at: createdAt.toISOString(),
    stored_at: storedAt?.toISOString() ?? null,
  };
}

/** The entry of a list for an upload that the page has completed. */
export function listedFileOf(upload: UploadRecord): BrowserListedFile {
  const { route, size, createdAt, storedAt } = upload;
  return {
    ...fileOf(upload),
    size,
    stored_at: (storedAt ?? createdAt).toISOString(),
    ...(route !== undefined && { route }),
  };
}
