import type { BrowserFile } from "@stowage/schemas";
import type { UploadTicket } from "../core/transport.js";

/** One file that the page was given leave for, and what came of it. */
export interface FakeUpload {
  readonly path: string;
  readonly name: string;
  readonly contentType: string;
  /** As announced, in bytes. */
  readonly size: number;
  readonly route: string | undefined;
  readonly input: unknown;
  /** What storage has; null before the PUT. */
  readonly bytes: Uint8Array | null;
  /** The page has completed it. */
  readonly isStored: boolean;
}

/** The same, as the transport keeps it. */
export interface KeptUpload extends FakeUpload {
  bytes: Uint8Array | null;
  isStored: boolean;
  createdAt: Date;
  storedAt: Date | null;
}

const LIFE_SECONDS = 3600;

export function ticketOf({ path, contentType, size, createdAt }: KeptUpload): UploadTicket {
  return {
    presigned_url: `https://storage.invalid/${path}`,
    file_path: path,
    content_type: contentType,
    headers: { "Content-Type": contentType },
    expires_at: new Date(createdAt.getTime() + LIFE_SECONDS * 1000).toISOString(),
    expires_in: LIFE_SECONDS,
    max_bytes: size,
  };
}

export function fileOf({ path, name, contentType, size, createdAt, storedAt }: KeptUpload): BrowserFile {
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
