import { createHash } from "node:crypto";
import { receiveDocument } from "../../body/receive-document.js";
import { S3Error } from "../../errors.js";
import { xmlReply } from "../../http/reply.js";
import { uriEncodePath } from "../../http/uri-encode.js";
import type { Bucket } from "../../storage/bucket.js";
import { withIncomingFile } from "../../storage/incoming-file.js";
import { checkCondition, commitObject, type WriteCondition } from "../../storage/objects.js";
import { readBlocks } from "../../storage/sealed-file.js";
import {
  findUpload,
  MAX_PARTS,
  MIN_PART_BYTES,
  openPart,
  removeUpload,
  type Upload,
} from "../../storage/uploads.js";
import { childText, childrenOf, type XmlNode } from "../../xml/read-xml.js";
import { writeXml } from "../../xml/write-xml.js";
import { bucketOf, keyOf, type Operation } from "../operation.js";
import { readWriteCondition } from "../conditions.js";

/** Enough for 10,000 parts, each with an ETag and a checksum. */
const MAX_DOCUMENT_BYTES = 4 * 1024 ** 2;

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html */
export const completeMultipartUpload: Operation = async (context) => {
  const bucket = bucketOf(context);
  const key = keyOf(context);
  const uploadId = context.request.query.get("uploadId") ?? "";
  const condition = readWriteCondition(context.request);
  await findUpload(bucket, key, uploadId);
  const named = readNamedParts(
    await receiveDocument(context.body, "CompleteMultipartUpload", MAX_DOCUMENT_BYTES),
  );

  return await bucket.lock(`upload ${uploadId}`, async () => {
    const upload = await findUpload(bucket, key, uploadId);
    checkCondition(bucket, key, condition);
    const sizeBytes = await requireParts(upload, named);
    const etag = await joinParts(
      bucket,
      { upload, named, sizeBytes, lastModified: context.now().getTime() },
      condition,
    );
    await removeUpload(bucket, upload);
    return xmlReply(
      writeXml("CompleteMultipartUploadResult", [
        ["Location", `/${bucket.name}/${uriEncodePath(key)}`],
        ["Bucket", bucket.name],
        ["Key", key],
        ["ETag", `"${etag}"`],
      ]),
    );
  });
};

/** A part in the client's completion request. */
interface NamedPart {
  readonly partNumber: number;
  /** Without quotes. */
  readonly etag: string;
}

/** @throws S3Error MalformedXML, InvalidPartOrder */
function readNamedParts(document: XmlNode): readonly NamedPart[] {
  const parts = childrenOf(document, "Part").map((node) => {
    const number = /^\s*(\d{1,5})\s*$/.exec(childText(node, "PartNumber") ?? "");
    const etag = childText(node, "ETag")
      ?.trim()
      .replace(/^"(.*)"$/, "$1");
    if (!number || !etag) throw new S3Error("MalformedXML");
    return { partNumber: Number(number[1]), etag };
  });
  if (parts.length < 1 || parts.length > MAX_PARTS) throw new S3Error("MalformedXML");
  for (const [i, { partNumber }] of parts.entries()) {
    if (partNumber < 1 || partNumber > MAX_PARTS) throw new S3Error("InvalidPart");
    if (i > 0 && parts[i - 1]!.partNumber >= partNumber) throw new S3Error("InvalidPartOrder");
  }
  return parts;
}

/** Checks the named parts and returns their total size. @throws S3Error InvalidPart, EntityTooSmall */
async function requireParts(upload: Upload, named: readonly NamedPart[]): Promise<number> {
  let totalBytes = 0;
  for (const [i, { partNumber, etag }] of named.entries()) {
    const part = await openPart(upload, partNumber);
    await part?.file.close();
    if (part?.record.etag !== etag) throw new S3Error("InvalidPart");
    if (part.sizeBytes < MIN_PART_BYTES && i < named.length - 1) throw new S3Error("EntityTooSmall");
    totalBytes += part.sizeBytes;
  }
  return totalBytes;
}

interface JoinInput {
  readonly upload: Upload;
  readonly named: readonly NamedPart[];
  readonly sizeBytes: number;
  readonly lastModified: number;
}

async function joinParts(bucket: Bucket, input: JoinInput, condition: WriteCondition): Promise<string> {
  const { upload, named, sizeBytes, lastModified } = input;
  return await withIncomingFile(bucket.incomingDir, async (file) => {
    const md5OfMd5s = createHash("md5");
    for (const { partNumber } of named) {
      const part = await openPart(upload, partNumber);
      if (!part) throw new S3Error("InvalidPart");
      try {
        for await (const block of readBlocks(part)) await file.write(block);
        md5OfMd5s.update(part.record.etag, "hex");
      } finally {
        await part.file.close();
      }
    }
    await file.end();
    const etag = `${md5OfMd5s.digest("hex")}-${named.length}`;
    const record = { key: upload.key, etag, lastModified, headers: upload.headers };
    const event = "ObjectCreated:CompleteMultipartUpload";
    await commitObject(bucket, { file, record, sizeBytes, event }, condition);
    return etag;
  });
}
