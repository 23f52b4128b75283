import { createHash } from "node:crypto";

export interface OpenUpload {
  name: string;
  size: number;
  partSize: number;
  contentType: string;
  fingerprint: string | null;
  parts: Map<number, { bytes: Buffer; etag: string }>;
}

/** A refusal of the helper or of storage. */
export interface Refusal {
  status: number;
  body: { detail: string; code: string };
}

/** The uploads by parts of the tests' backend. A path that is not open here was completed, cancelled or never opened. */
export function createOpenUploads() {
  const open = new Map<string, OpenUpload>();

  const refuse = (status: number, code: string, detail: string): Refusal => ({
    status,
    body: { detail, code },
  });
  const notFound = refuse(404, "file_not_found", "File not found");
  const countOf = ({ size, partSize }: OpenUpload) => Math.ceil(size / partSize);
  const sizeOf = ({ size, partSize }: OpenUpload, number: number) =>
    Math.min(partSize, size - (number - 1) * partSize);

  return {
    /** The uploads that are open, by their path. */
    open,

    add(
      path: string,
      upload: { filename: string; size: number; content_type: string; fingerprint?: string },
      partSize: number,
    ) {
      const { filename: name, size, content_type: contentType, fingerprint = null } = upload;
      const added = { name, size, partSize, contentType, fingerprint, parts: new Map() };
      open.set(path, added);
      return { part_size: partSize, part_count: countOf(added) };
    },

    sign(path: string, numbers: number[], origin: string, expiresIn: number, signature: number) {
      const upload = open.get(path);
      if (!upload) return notFound;
      const parts = numbers.map((number) => ({
        number,
        presigned_url: `${origin}/${path}?partNumber=${number}&signature=${signature}`,
        headers: {},
        size: sizeOf(upload, number),
        expires_at: "2026-01-01T00:00:00Z",
        expires_in: expiresIn,
      }));
      return { status: 200, body: { parts } };
    },

    /** Stores a part, as storage does. @returns the HTTP status */
    put(path: string, number: number, bytes: Buffer): number {
      const upload = open.get(path);
      if (!upload) return 404;
      if (bytes.length !== sizeOf(upload, number)) return 403;
      upload.parts.set(number, { bytes, etag: createHash("md5").update(bytes).digest("hex") });
      return 200;
    },

    /** One page of the stored parts. The cursor is the number of the last part of the page before. */
    list(path: string, cursor: number, pageSize: number) {
      const upload = open.get(path);
      if (!upload) return notFound;
      const numbers = [...upload.parts.keys()].filter((number) => number > cursor).sort((a, b) => a - b);
      const page = numbers.slice(0, pageSize);
      const parts = page.map((number) => {
        const { bytes, etag } = upload.parts.get(number)!;
        return { number, size: bytes.length, etag };
      });
      return {
        status: 200,
        body: { parts, next_cursor: page.length < numbers.length ? `${page.at(-1)}` : null },
      };
    },

    /** Joins the parts. @returns the whole file, or why it is not complete */
    complete(path: string): { bytes: Buffer; contentType: string } | Refusal | null {
      const upload = open.get(path);
      if (!upload) return null;
      const { parts, contentType } = upload;
      if (parts.size < countOf(upload)) {
        const detail = `Upload is incomplete: ${parts.size} of ${countOf(upload)} parts are stored`;
        return refuse(409, "upload_incomplete", detail);
      }
      open.delete(path);
      const numbers = [...parts.keys()].sort((a, b) => a - b);
      return { bytes: Buffer.concat(numbers.map((number) => parts.get(number)!.bytes)), contentType };
    },

    /** All uploads that are open, newest first. */
    listOpen() {
      const uploads = [...open].map(([file_path, upload]) => ({
        file_path,
        filename: upload.name,
        content_type: upload.contentType,
        size: null,
        status: "pending",
        etag: null,
        created_at: "2026-01-01T00:00:00Z",
        stored_at: null,
        declared_size: upload.size,
        part_size: upload.partSize,
        part_count: countOf(upload),
        parts_stored: upload.parts.size,
        bytes_stored: [...upload.parts.values()].reduce((sum, { bytes }) => sum + bytes.length, 0),
        expires_at: "2026-01-08T00:00:00Z",
        fingerprint: upload.fingerprint,
      }));
      return { uploads: uploads.toReversed(), next_cursor: null };
    },
  };
}
