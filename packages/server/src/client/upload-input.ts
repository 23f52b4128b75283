import type { Readable } from "node:stream";
import { limits, type Visibility } from "@stowage/schemas";
import { parseSize, type Size } from "@stowage/schemas/rules";
import { DEFAULT_MULTIPART_FROM, readMultipartFrom } from "../routes/read-routes.js";
import type { OpenedUpload } from "../service-api/records.js";

interface Common {
  /** Your own ID of the user who owns the file. */
  tenantId: string;
  /** Media type. By default the service derives it from the filename. */
  contentType?: string | undefined;
  /** MD5 of the bytes in Base64. Storage refuses bytes that do not match it. Such a file is always sent with one PUT. */
  contentMd5?: string | undefined;
  /** Your own labels, stored with the file. */
  metadata?: Record<string, string> | undefined;
  /** Segments joined by `/`: `"reports/2026"`. @default "", the root */
  folder?: string | undefined;
  /** The service deletes the file this many seconds after the call: 60 to 315,360,000. @default never */
  expiresAfter?: number | undefined;
  /** The `Cache-Control` that storage sends with the file, such as `"public, max-age=31536000, immutable"`. @default none */
  cacheControl?: string | undefined;
  /** `public`: everyone may read the file at its `publicUrl`. The service needs a public bucket for it. @default "private" */
  visibility?: Visibility | undefined;
  /**
   * `filePath` of a stored file of the same tenant, which is deleted when this one is stored. Only what this one needs beyond it is
   * reserved. @default none
   */
  replaces?: string | undefined;
  /** Receives the progress, several times per megabyte. An error that it throws ends the upload like an abort. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  /**
   * Files of at least this size are uploaded by parts: bytes, or a text such as `"64MB"`. `false` uploads every file with one PUT,
   * which storage limits to 5 GiB. @default "32MiB"
   */
  multipartFrom?: Size | false | undefined;
  /** Size of each part, from 5 MiB to 5 GiB. @default chosen by the service: 5 to 10 MiB, or more for files over 49 GiB */
  partSize?: Size | undefined;
  /**
   * Parts that are sent at the same time, 1 to 64. This number of parts of a stream is held in memory, and one more while it is
   * resumed. @default 4
   */
  concurrency?: number | undefined;
  /**
   * Called when an upload by parts is open, before its first byte is sent. Save `filePath`: with it, `resume` continues the upload
   * in another process. The upload waits for a returned promise. An error that it throws ends the upload, and its parts are removed.
   */
  onOpen?: ((upload: OpenedUpload) => unknown) | undefined;
  /**
   * `filePath` of an upload by parts that was interrupted. Only the parts whose bytes are not in storage are sent. The filename, the
   * content type, the metadata, the end, the `cacheControl`, the `visibility` and the part size are the ones of the first call.
   */
  resume?: string | undefined;
  /** Whether an aborted upload by parts can be resumed. Otherwise its parts are removed. @default false */
  keepOnAbort?: boolean | undefined;
}

/** The file to upload. `filename` and `size` are required where they cannot be read from `file` itself. */
export type UploadInput = Common &
  (
    | { file: string | (Blob & { readonly name: string }); filename?: string | undefined }
    | { file: Blob | Uint8Array; filename: string }
    | { file: ReadableStream<Uint8Array> | Readable; filename: string; size: number }
  );

/** `sentBytes` includes what a resumed upload found in storage. It decreases when a failed PUT is sent again. */
export interface UploadProgress {
  sentBytes: number;
  sizeBytes: number;
}

/** What `upload` does with one file. */
export interface PartOptions {
  /** Files of at least this many bytes are uploaded by parts. Infinity: never. */
  multipartFrom: number;
  /** Bytes. By default the service chooses. */
  partSizeBytes: number | undefined;
  concurrency: number;
}

const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 64;

/** @throws {TypeError} one sentence on the first wrong member that concerns uploads by parts */
export function readPartOptions(input: UploadInput): PartOptions {
  const { partSize, concurrency = DEFAULT_CONCURRENCY, contentMd5, resume } = input;
  const multipartFrom = readMultipartFrom("upload: multipartFrom", input.multipartFrom);
  const isCount = Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= MAX_CONCURRENCY;
  if (!isCount)
    throw new TypeError(`upload: concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}`);
  if (contentMd5 !== undefined && resume !== undefined) {
    throw new TypeError("upload: contentMd5 is checked for one PUT only: leave it out to resume an upload");
  }
  return {
    multipartFrom: multipartFrom ?? DEFAULT_MULTIPART_FROM,
    partSizeBytes: partSize === undefined ? undefined : parseSize(partSize),
    concurrency,
  };
}

/** @throws {TypeError} for a `contentMd5` of a file that is too large for one PUT */
export function isUploadedByParts(
  { contentMd5 }: UploadInput,
  { multipartFrom }: PartOptions,
  sizeBytes: number,
): boolean {
  if (contentMd5 === undefined) return sizeBytes > 0 && sizeBytes >= multipartFrom;
  if (sizeBytes <= limits.fileSizeBytes) return false;
  throw new TypeError("upload: contentMd5 needs one PUT, which is possible up to 5 GiB");
}
