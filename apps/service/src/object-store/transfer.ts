import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { MINUTE_MS } from "#lib/time.js";
import { toProvider } from "./credentials.js";
import { encryptionInput } from "./encryption.js";
import type { StoredObject } from "./object-store.js";
import { connect, type S3Options } from "./s3.js";

/** Copies objects of a bucket to the same path of a bucket that may be at another storage. */
export interface Transfer {
  /**
   * Copies an object with its headers and its user metadata. The copy has the same ETag, because the service knows the bytes of a file by
   * it. It is encrypted as the settings of its storage say.
   *
   * @param object as it was listed
   * @param partSizeBytes of an object that was uploaded by parts, if it is known
   * @returns `missing` if there is no object, `changed` if it has another ETag by now
   */
  copy(path: string, object: StoredObject, partSizeBytes: number | null): Promise<TransferOutcome>;
  close(): void;
}

/** - `other_etag`: the copy got another ETag and was removed. For `missing` and `changed` nothing was written */
export type TransferOutcome = "copied" | "missing" | "changed" | "other_etag";

/** Larger bodies are streamed. */
const MAX_BUFFERED_BYTES = 8 * 1024 ** 2;
/** The limit of a single PUT and of a copy inside of storage. */
const MAX_PUT_BYTES = 5 * 1024 ** 3;
/** A body that is sent or received may stand still for this long. */
const STALL_MS = MINUTE_MS;

export function createTransfer(source: S3Options, target: S3Options): Transfer {
  const [reader, writer] = [connect(source), connect(target)];

  /** Copies inside of storage, if one server has both buckets and one key may read and write them. */
  async function copyInside(path: string, { etag }: StoredObject): Promise<string | undefined> {
    const answer = await limited((http) =>
      writer.send(
        new CopyObjectCommand({
          Bucket: target.bucket,
          Key: path,
          CopySource: encodeURI(`${source.bucket}/${path}`),
          CopySourceIfMatch: `"${etag}"`,
          ...encryptionInput(target.encryption ?? null),
        }),
        http,
      ),
    );
    return answer.CopyObjectResult?.ETag;
  }

  async function copyInOnePut(path: string, { etag, sizeBytes }: StoredObject): Promise<string | undefined> {
    return limited(async (http, touch) => {
      const found = await read(reader, source, path, etag, http);
      const body =
        sizeBytes > MAX_BUFFERED_BYTES
          ? watched(found.Body, touch)
          : await found.Body!.transformToByteArray();
      const answer = await writer.send(
        new PutObjectCommand({
          ...place(target, path),
          ...headersOf(found),
          ...encryptionInput(target.encryption ?? null),
          Body: body,
          ContentLength: sizeBytes,
          // Storage refuses bytes that are not those of the ETag.
          ...(/^[0-9a-f]{32}$/.test(etag) && { ContentMD5: Buffer.from(etag, "hex").toString("base64") }),
        }),
        http,
      );
      return answer.ETag;
    });
  }

  async function copyByParts(
    path: string,
    { etag, sizeBytes }: StoredObject,
    partSizeBytes: number,
  ): Promise<string | undefined> {
    const first = await limited(async (http) => {
      const found = await read(reader, source, path, etag, http, "bytes=0-0");
      await found.Body!.transformToByteArray();
      return found;
    });
    const { UploadId } = await limited((http) =>
      writer.send(
        new CreateMultipartUploadCommand({
          ...place(target, path),
          ...headersOf(first),
          ...encryptionInput(target.encryption ?? null),
        }),
        http,
      ),
    );
    const upload = { ...place(target, path), UploadId };
    try {
      const parts: { PartNumber: number; ETag: string | undefined }[] = [];
      for (let at = 0; at < sizeBytes; at += partSizeBytes) {
        const length = Math.min(partSizeBytes, sizeBytes - at);
        const PartNumber = parts.length + 1;
        const sent = await limited(async (http, touch) => {
          const found = await read(reader, source, path, etag, http, `bytes=${at}-${at + length - 1}`);
          const body =
            length > MAX_BUFFERED_BYTES
              ? watched(found.Body, touch)
              : await found.Body!.transformToByteArray();
          const part = { ...upload, PartNumber, Body: body, ContentLength: length };
          return writer.send(new UploadPartCommand(part), http);
        });
        parts.push({ PartNumber, ETag: sent.ETag });
      }
      const made = await limited((http) =>
        writer.send(
          new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
          http,
        ),
      );
      return made.ETag;
    } catch (error) {
      await limited((http) => writer.send(new AbortMultipartUploadCommand(upload), http)).catch(
        () => undefined,
      );
      throw error;
    }
  }

  async function mayCopyInside(): Promise<boolean> {
    if (source.endpoint !== target.endpoint || source.region !== target.region) return false;
    const [a, b] = await Promise.all([toProvider(source.credentials)(), toProvider(target.credentials)()]);
    return a.accessKeyId === b.accessKeyId;
  }

  async function send(path: string, object: StoredObject, partSizeBytes: number | null) {
    const parts = Number(/-(\d+)$/.exec(object.etag)?.[1] ?? 0);
    if (parts > 0) return copyByParts(path, object, partSizeOf(object, parts, partSizeBytes));
    const isInside = object.sizeBytes <= MAX_PUT_BYTES && (await mayCopyInside());
    return isInside ? copyInside(path, object) : copyInOnePut(path, object);
  }

  return {
    async copy(path, object, partSizeBytes) {
      let etag: string | undefined;
      try {
        etag = (await send(path, object, partSizeBytes))?.replaceAll('"', "");
      } catch (error) {
        if (error instanceof NoSuchKey || error instanceof NotFound) return "missing";
        const name = error instanceof S3ServiceException ? error.name : "";
        if (name === "PreconditionFailed") return "changed";
        // The ETag of the object is no MD5, for example because its bucket encrypts with KMS.
        if (name === "BadDigest" || name === "InvalidDigest") return "other_etag";
        throw error;
      }
      if (etag === object.etag) return "copied";
      await limited((http) => writer.send(new DeleteObjectCommand(place(target, path)), http));
      return "other_etag";
    },
    close: () => {
      reader.destroy();
      writer.destroy();
    },
  };
}

const place = ({ bucket }: S3Options, path: string) => ({ Bucket: bucket, Key: path });

interface Limits {
  abortSignal: AbortSignal;
  /** The SDK would warn of each body that takes longer than its own limit. 0: it has none. */
  requestTimeout: 0;
}

function read(
  client: S3Client,
  source: S3Options,
  path: string,
  etag: string,
  limits: Limits,
  range?: string,
): Promise<GetObjectCommandOutput> {
  return client.send(
    new GetObjectCommand({ ...place(source, path), IfMatch: `"${etag}"`, Range: range }),
    limits,
  );
}

/** @param work calls `touch` with each sign of progress. Without one for a minute its requests end */
async function limited<T>(work: (limits: Limits, touch: () => void) => Promise<T>): Promise<T> {
  const stalled = new AbortController();
  const end = () => stalled.abort(new Error("storage sent or took nothing for a minute"));
  const timer = setTimeout(end, STALL_MS);
  try {
    return await work({ abortSignal: stalled.signal, requestTimeout: 0 }, () => void timer.refresh());
  } finally {
    clearTimeout(timer);
  }
}

function watched(body: unknown, touch: () => void): Readable {
  const through = new Transform({
    transform(chunk, _encoding, done) {
      touch();
      done(null, chunk);
    },
  });
  // An error reaches the request that sends the stream.
  void pipeline(body as Readable, through).catch((error: Error) => through.destroy(error));
  return through;
}

/** What storage keeps with an object and sends with its bytes. */
function headersOf(found: GetObjectCommandOutput) {
  return {
    ContentType: found.ContentType,
    ContentDisposition: found.ContentDisposition,
    CacheControl: found.CacheControl,
    ContentEncoding: found.ContentEncoding,
    ContentLanguage: found.ContentLanguage,
    Metadata: found.Metadata,
  };
}

const MIB = 1024 ** 2;

/** The size of the parts but the last. The ETag depends on it. */
function partSizeOf({ sizeBytes }: StoredObject, parts: number, known: number | null): number {
  const fits = (size: number) => Math.ceil(sizeBytes / size) === parts;
  if (known !== null && fits(known)) return known;
  // Most programs take whole mebibytes.
  const least = Math.ceil(sizeBytes / parts / MIB) * MIB;
  return fits(least) ? least : Math.ceil(sizeBytes / parts);
}
