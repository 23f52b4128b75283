import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  PutObjectCommand,
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
  return {
    copyWhole: (path, { etag, sizeBytes }) =>
      limited(async (http, touch) => {
        const found = await read(path, etag, http);
        const command = new PutObjectCommand({
          ...place(target, path),
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
    copyPart: (upload, { number, at, length, etag }) =>
      limited(async (http, touch) => {
        const found = await read(upload.Key, etag, http, `bytes=${at}-${at + length - 1}`);
        const command = new UploadPartCommand({
          ...upload,
          PartNumber: number,
          Body: await bodyOf(found, length, touch),
          ContentLength: length,
        });
        const answer = await writer.send(command, http);
        return answer.ETag?.replaceAll('"', "");
      }),
  };
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
