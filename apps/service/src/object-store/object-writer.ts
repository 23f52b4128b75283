import { createHash, hash } from "node:crypto";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { keepTrying } from "#lib/keep-trying.js";
import { SECOND_MS } from "#lib/time.js";
import { type HttpLimits, type KeptHeaders, limited, place } from "./copy-ends.js";
import { encryptionInput } from "./encryption.js";
import { toWriteError } from "./object-errors.js";
import type { ByteRange } from "./object-store.js";
import { PART_BYTES, partBytesOf } from "./part-bytes.js";
import { connect, type S3Options } from "./s3.js";

/** Storage that takes bytes more slowly than this is given up. */
const MIN_BYTES_PER_SECOND = 256 * 1024;

export interface NewObject {
  headers: KeptHeaders;
  sizeBytes: number;
  /** Reads bytes of it; null for all. Parts are read in their order. */
  read(range: ByteRange | null): Promise<Uint8Array>;
}

/** Writes objects whose bytes come from elsewhere, and holds one part of each in memory. It repeats requests that fail. */
export interface ObjectWriter {
  /**
   * Writes an object, encrypted as the settings of its storage say. Storage compares each part with its MD5.
   *
   * @returns the MD5 of all bytes as hexadecimal digits
   * @throws the errors of `read`; {@link StowageError} `unavailable`
   */
  write(key: string, object: NewObject): Promise<string>;
  /** How many bytes of an object are in memory while it is written. */
  partBytesOf(sizeBytes: number): number;
  close(): void;
}

export function createObjectWriter(
  options: S3Options,
  sleep: (ms: number) => Promise<unknown>,
): ObjectWriter {
  const client = connect(options);
  const encryption = encryptionInput(options.encryption ?? null);

  /** Sends a request, and repeats it. @param sizeBytes of its body. @default 0 */
  const send = <T>(request: (http: HttpLimits) => Promise<T>, sizeBytes = 0): Promise<T> =>
    keepTrying(sleep, async () => {
      try {
        return await limited(request, timeFor(sizeBytes));
      } catch (error) {
        throw toWriteError(error);
      }
    });

  async function putWhole(key: string, { headers, sizeBytes, read }: NewObject): Promise<string> {
    const bytes = await read(null);
    const command = new PutObjectCommand({
      ...place(options, key),
      ...headers,
      ...encryption,
      ...bodyOf(bytes),
    });
    await send((http) => client.send(command, http), sizeBytes);
    return hash("md5", bytes, "hex");
  }

  async function putParts(key: string, { headers, sizeBytes, read }: NewObject): Promise<string> {
    const started = new CreateMultipartUploadCommand({ ...place(options, key), ...headers, ...encryption });
    const { UploadId } = await send((http) => client.send(started, http));
    const upload = { ...place(options, key), UploadId };
    const whole = createHash("md5");
    const size = partBytesOf(sizeBytes, options.maxParts);
    let isComplete = false;
    try {
      const parts: { PartNumber: number; ETag: string | undefined }[] = [];
      for (let at = 0; at < sizeBytes; at += size) {
        const bytes = await read({ at, length: Math.min(size, sizeBytes - at) });
        whole.update(bytes);
        const PartNumber = parts.length + 1;
        const command = new UploadPartCommand({ ...upload, PartNumber, ...bodyOf(bytes) });
        const { ETag } = await send((http) => client.send(command, http), bytes.length);
        parts.push({ PartNumber, ETag });
      }
      const done = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } });
      await send((http) => client.send(done, http));
      isComplete = true;
      return whole.digest("hex");
    } finally {
      if (!isComplete)
        await limited((http) => client.send(new AbortMultipartUploadCommand(upload), http)).catch(
          () => undefined,
        );
    }
  }

  return {
    write: (key, object) => (object.sizeBytes <= PART_BYTES ? putWhole(key, object) : putParts(key, object)),
    partBytesOf: (sizeBytes) => partBytesOf(sizeBytes, options.maxParts),
    close: () => client.destroy(),
  };
}

const bodyOf = (bytes: Uint8Array) => ({
  Body: bytes,
  ContentLength: bytes.length,
  ContentMD5: hash("md5", bytes, "base64"),
});

const timeFor = (bytes: number) => (bytes / MIN_BYTES_PER_SECOND) * SECOND_MS;
