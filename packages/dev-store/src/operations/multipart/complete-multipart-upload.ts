import { createHash } from "node:crypto";
import { type Checksum, startChecksum } from "../../body/checksums.js";
import { receiveDocument } from "../../body/receive-document.js";
import { S3Error } from "../../errors.js";
import { type Reply, xmlReply } from "../../http/reply.js";
import { amzValue, type S3Request } from "../../http/s3-request.js";
import { uriEncodePath } from "../../http/uri-encode.js";
import type { Bucket } from "../../storage/bucket.js";
import { withIncomingFile } from "../../storage/incoming-file.js";
import { type ObjectRecord, type PartSize, totalBytes } from "../../storage/object-records.js";
import { checkCondition, commitObject, openObject, type WriteCondition } from "../../storage/objects.js";
import type { Upload } from "../../storage/open-uploads.js";
import { readBlocks } from "../../storage/sealed-file.js";
import { closeUpload, findUpload, openPart, type PartRecord, removeUpload } from "../../storage/uploads.js";
import { writeXml } from "../../xml/write-xml.js";
import { readWriteCondition } from "../conditions.js";
import { encryptionHeaders } from "../demands.js";
import { checksumElements } from "../object-headers.js";
import { bucketOf, keyOf, type Operation } from "../operation.js";
import { digestOfParts, readNamedParts, requireParts } from "./named-parts.js";
import { compositeOf, type ObjectChecksum, readObjectChecksum } from "./upload-checksum.js";

/** Enough for 10,000 parts, each with an ETag and a checksum. */
const MAX_DOCUMENT_BYTES = 4 * 1024 ** 2;

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
 *
 * A client that got no answer completes again. It gets the same answer while the object exists and the parts are the same.
 */
export const completeMultipartUpload: Operation = async (context) => {
  const bucket = bucketOf(context);
  const key = keyOf(context);
  const { request } = context;
  const uploadId = request.query.get("uploadId") ?? "";
  const condition = readWriteCondition(request);
  const named = readNamedParts(
    await receiveDocument(context.body, "CompleteMultipartUpload", MAX_DOCUMENT_BYTES),
  );

  return await bucket.lock(`upload ${uploadId}`, async () => {
    const completed = await findCompleted(bucket, key, uploadId);
    if (completed) {
      // The first completion may have been interrupted after the commit.
      if (completed.parts) await closeUpload(bucket, uploadId, completed.parts);
      else await removeUpload(bucket, uploadId);
      if (completed.upload?.partsDigest !== digestOfParts(named)) throw new S3Error("NoSuchUpload");
      return replyWith(bucket, completed);
    }
    const upload = await findUpload(bucket, key, uploadId);
    checkCondition(bucket, key, condition);
    const parts = await requireParts(upload, named);
    requireSize(
      request,
      parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    );
    const checksum = readObjectChecksum(request, upload);
    const lastModified = context.now().getTime();
    const partsDigest = digestOfParts(named);
    const record = await joinParts(bucket, { upload, partsDigest, parts, checksum, lastModified }, condition);
    return replyWith(bucket, record);
  });
};

/** Returns the current object of the key, if this upload made it. */
async function findCompleted(
  bucket: Bucket,
  key: string,
  uploadId: string,
): Promise<ObjectRecord | undefined> {
  const object = await openObject(bucket, key);
  await object?.close();
  return object?.record.upload?.id === uploadId ? object.record : undefined;
}

/** @throws S3Error InvalidRequest */
function requireSize(request: S3Request, sizeBytes: number): void {
  const declared = amzValue(request, "x-amz-mp-object-size");
  if (declared === undefined || declared === String(sizeBytes)) return;
  throw new S3Error(
    "InvalidRequest",
    `The provided 'x-amz-mp-object-size' header value ${declared} does not match what was computed: ${sizeBytes}`,
  );
}

interface JoinInput {
  readonly upload: Upload;
  readonly partsDigest: string;
  readonly parts: readonly (PartRecord & { sizeBytes: number })[];
  readonly checksum: ObjectChecksum | undefined;
  readonly lastModified: number;
}

/**
 * Makes the parts the data of the object, where they are: it copies nothing, so the largest object takes as long as a small one.
 * One rename makes the object visible. A process that is killed after it has left upload.json, which the next start removes.
 *
 * @throws S3Error InvalidPart, BadDigest, PreconditionFailed
 */
async function joinParts(bucket: Bucket, input: JoinInput, condition: WriteCondition): Promise<ObjectRecord> {
  const { upload, partsDigest, parts, checksum, lastModified } = input;
  const md5OfMd5s = createHash("md5");
  for (const { etag } of parts) md5OfMd5s.update(etag, "hex");
  const whole = checksum?.type === "FULL_OBJECT" ? await checksumOf(upload, parts, checksum) : undefined;
  const ofParts = parts.map((part) => part.checksum);
  const sizes = parts.map(({ partNumber, sizeBytes }): PartSize => [partNumber, sizeBytes]);
  const record = {
    key: upload.key,
    etag: `${md5OfMd5s.digest("hex")}-${parts.length}`,
    lastModified,
    headers: upload.headers,
    checksum: checksum && verifyObject(checksum, whole, ofParts),
    encryption: upload.encryption,
    upload: { id: upload.id, partsDigest },
    parts: sizes,
  } satisfies ObjectRecord;
  await withIncomingFile(bucket.incomingDir, async (file) => {
    const event = "ObjectCreated:CompleteMultipartUpload";
    await commitObject(bucket, { file, record, sizeBytes: totalBytes(sizes), event }, condition);
  });
  await closeUpload(bucket, upload.id, sizes);
  return record;
}

/** Reads all parts. @throws S3Error InvalidPart */
async function checksumOf(
  upload: Upload,
  parts: readonly PartRecord[],
  { algorithm }: ObjectChecksum,
): Promise<string> {
  const running = startChecksum(algorithm);
  for (const { partNumber } of parts) {
    const part = await openPart(upload, partNumber);
    if (!part) throw new S3Error("InvalidPart");
    try {
      for await (const block of readBlocks(part)) running.update(block);
    } finally {
      await part.file.close();
    }
  }
  return running.digest();
}

/** @param whole the checksum of the joined bytes; undefined for a composite checksum */
function verifyObject(
  { algorithm, expected }: ObjectChecksum,
  whole: string | undefined,
  parts: readonly (Checksum | undefined)[],
): Checksum {
  const computed = whole ?? compositeOf(algorithm, parts);
  if (expected !== undefined && expected !== computed) throw new S3Error("BadDigest");
  return { algorithm, value: whole ?? `${computed}-${parts.length}` };
}

function replyWith(bucket: Bucket, { key, etag, checksum, encryption }: ObjectRecord): Reply {
  const reply = xmlReply(
    writeXml("CompleteMultipartUploadResult", [
      ["Location", `/${bucket.name}/${uriEncodePath(key)}`],
      ["Bucket", bucket.name],
      ["Key", key],
      ["ETag", `"${etag}"`],
      ...checksumElements(checksum),
    ]),
  );
  return { ...reply, headers: { ...reply.headers, ...encryptionHeaders(encryption) } };
}
