import { CopyObjectCommand, UploadPartCopyCommand } from "@aws-sdk/client-s3";
import { SECOND_MS } from "#lib/time.js";
import { type CopyEnds, type CopyWay, limited, place } from "./copy-ends.js";
import { encryptionInput } from "./encryption.js";
import { encodePath } from "./presign.js";

/** Storage that copies more slowly than this is given up. */
const MIN_BYTES_PER_SECOND = 5 * 1024 ** 2;
const timeFor = (bytes: number) => (bytes / MIN_BYTES_PER_SECOND) * SECOND_MS;

/** Lets storage copy from one of its buckets into the other one, with the keys of the target. */
export function createCopyInside({ source, target, writer }: CopyEnds): CopyWay {
  const sourceOf = (from: string, etag: string) => ({
    CopySource: `${source.bucket}/${encodePath(from)}`,
    CopySourceIfMatch: `"${etag}"`,
  });
  return {
    async copyWhole({ from, to }, { etag, sizeBytes }) {
      const command = new CopyObjectCommand({
        ...place(target, to),
        ...sourceOf(from, etag),
        ...encryptionInput(target.encryption ?? null),
      });
      const answer = await limited((http) => writer.send(command, http), timeFor(sizeBytes));
      return answer.CopyObjectResult?.ETag?.replaceAll('"', "");
    },
    async copyPart(upload, { from, number, at, length, etag }) {
      const command = new UploadPartCopyCommand({
        ...upload,
        ...sourceOf(from, etag),
        PartNumber: number,
        CopySourceRange: `bytes=${at}-${at + length - 1}`,
      });
      const answer = await limited((http) => writer.send(command, http), timeFor(length));
      return answer.CopyPartResult?.ETag?.replaceAll('"', "");
    },
  };
}
