import { createHash } from "node:crypto";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  PutObjectCommand,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { type CopyEnds, type CopyWay, headersOf, type HttpLimits, limited, place } from "./copy-ends.js";
import { encryptionInput } from "./encryption.js";

/** Larger bodies are streamed. */
const MAX_BUFFERED_BYTES = 8 * 1024 ** 2;

/** Reads the bytes from one storage and sends them to the other one. */
export function createCopyStreamed({ source, target, reader, writer }: CopyEnds): CopyWay {
  const read = (path: string, etag: string, http: HttpLimits, Range?: string) =>
    reader.send(new GetObjectCommand({ ...place(source, path), IfMatch: `"${etag}"`, Range }), http);

  async function sendPart(
    upload: CopiedUpload,
    part: CopiedPart,
    hash?: string,
  ): Promise<string | undefined> {
    return limited(async (http, touch) => {
      const found = await read(part.from, part.etag, http, rangeOf(part));
      const Body = await bodyOf(found, part.length, touch);
      const command = new UploadPartCommand({
        ...upload,
        PartNumber: part.number,
        Body,
        ContentLength: part.length,
        ContentMD5: hash ?? (Body instanceof Uint8Array ? md5(Body) : undefined),
      });
      const answer = await writer.send(command, http);
      return answer.ETag?.replaceAll('"', "");
    });
  }

  /** Reads the bytes of a part that is too large for memory. */
  async function hashPart(part: CopiedPart): Promise<string> {
    return limited(async (http, touch) => {
      const { Body } = await read(part.from, part.etag, http, rangeOf(part));
      const hash = createHash("md5");
      await pipeline(watched(Body, touch), hash);
      return hash.digest("base64");
    });
  }

  let demandsHash = false;
  return {
    copyWhole: ({ from, to }, { etag, sizeBytes }) =>
      limited(async (http, touch) => {
        const found = await read(from, etag, http);
        const command = new PutObjectCommand({
          ...place(target, to),
          ...headersOf(found),
          ...encryptionInput(target.encryption ?? null),
          Body: await bodyOf(found, sizeBytes, touch),
          ContentLength: sizeBytes,
          // Storage refuses bytes that are not those of the ETag.
          ...(/^[0-9a-f]{32}$/.test(etag) && { ContentMD5: Buffer.from(etag, "hex").toString("base64") }),
        });
        const answer = await writer.send(command, http);
        return answer.ETag?.replaceAll('"', "");
      }),
    async copyPart(upload, part) {
      const isBuffered = part.length <= MAX_BUFFERED_BYTES;
      try {
        if (isBuffered || !demandsHash) return await sendPart(upload, part);
      } catch (error) {
        if (isBuffered || !(isDemand(error) || isBrokenOff(error))) throw error;
        demandsHash ||= isDemand(error);
      }
      return sendPart(upload, part, await hashPart(part));
    },
  };
}

type CopiedUpload = Parameters<CopyWay["copyPart"]>[0];
type CopiedPart = Parameters<CopyWay["copyPart"]>[1];

const rangeOf = ({ at, length }: CopiedPart) => `bytes=${at}-${at + length - 1}`;

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("base64");

/** A bucket with Object Lock takes no part without its MD5. */
function isDemand(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === "InvalidRequest";
}

/** A storage that refuses a part while it is sent closes the connection, and its answer can be lost (RFC 9112, section 9.6). */
function isBrokenOff(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "ECONNRESET");
}

async function bodyOf({ Body }: GetObjectCommandOutput, sizeBytes: number, touch: () => void) {
  return sizeBytes > MAX_BUFFERED_BYTES ? watched(Body, touch) : Body!.transformToByteArray();
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
