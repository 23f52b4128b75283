import { createHash } from "node:crypto";
import { type Checksum, startChecksum } from "../../body/checksums.js";
import { receiveDocument } from "../../body/receive-document.js";
import { S3Error } from "../../errors.js";
import { type Reply, xmlReply } from "../../http/reply.js";
import { amzValue, type S3Request } from "../../http/s3-request.js";
import { uriEncodePath } from "../../http/uri-encode.js";
import type { Bucket } from "../../storage/bucket.js";
import { withIncomingFile } from "../../storage/incoming-file.js";
import type { ObjectRecord } from "../../storage/object-records.js";
import { checkCondition, commitObject, openObject, type WriteCondition } from "../../storage/objects.js";
import { readBlocks } from "../../storage/sealed-file.js";
import { removeUpload, findUpload, openPart, type Upload } from "../../storage/uploads.js";
import { writeXml } from "../../xml/write-xml.js";
import { readWriteCondition } from "../conditions.js";
import { checksumElements } from "../object-headers.js";
import { bucketOf, keyOf, type Operation } from "../operation.js";
import { digestOfParts, type NamedPart, readNamedParts, requireParts } from "./named-parts.js";
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
      // A process that was killed after the commit has left the parts.
      await removeUpload(bucket, uploadId);
      if (completed.upload?.partsDigest !== digestOfParts(named)) throw new S3Error("NoSuchUpload");
      return replyWith(bucket, completed);
    }
    const upload = await findUpload(bucket, key, uploadId);
    checkCondition(bucket, key, condition);
    const sizeBytes = await requireParts(upload, named);
    requireSize(request, sizeBytes);
    const checksum = readObjectChecksum(request, upload);
    const lastModified = context.now().getTime();
    const record = await joinParts(bucket, { upload, named, sizeBytes, checksum, lastModified }, condition);
    await removeUpload(bucket, uploadId);
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
  await object?.file.close();
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
  readonly named: readonly NamedPart[];
  readonly sizeBytes: number;
  readonly checksum: ObjectChecksum | undefined;
  readonly lastModified: number;
}

/** @throws S3Error InvalidPart, BadDigest, PreconditionFailed */
async function joinParts(bucket: Bucket, input: JoinInput, condition: WriteCondition): Promise<ObjectRecord> {
  const { upload, named, sizeBytes, checksum, lastModified } = input;
  const running = checksum?.type === "FULL_OBJECT" ? startChecksum(checksum.algorithm) : undefined;
  const ofParts: (Checksum | undefined)[] = [];
  return await withIncomingFile(bucket.incomingDir, async (file) => {
    const md5OfMd5s = createHash("md5");
    for (const { partNumber } of named) {
      const part = await openPart(upload, partNumber);
      if (!part) throw new S3Error("InvalidPart");
      try {
        for await (const block of readBlocks(part)) {
          running?.update(block);
          // The ETag comes from the parts.
          await file.append(block);
        }
        md5OfMd5s.update(part.record.etag, "hex");
        ofParts.push(part.record.checksum);
      } finally {
        await part.file.close();
      }
    }
    const record: ObjectRecord = {
      key: upload.key,
      etag: `${md5OfMd5s.digest("hex")}-${named.length}`,
      lastModified,
      headers: upload.headers,
      checksum: checksum && verifyObject(checksum, running?.digest(), ofParts),
      upload: { id: upload.id, partsDigest: digestOfParts(named) },
    };
    const event = "ObjectCreated:CompleteMultipartUpload";
    await commitObject(bucket, { file, record, sizeBytes, event }, condition);
    return record;
  });
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

function replyWith(bucket: Bucket, { key, etag, checksum }: ObjectRecord): Reply {
  return xmlReply(
    writeXml("CompleteMultipartUploadResult", [
      ["Location", `/${bucket.name}/${uriEncodePath(key)}`],
      ["Bucket", bucket.name],
      ["Key", key],
      ["ETag", `"${etag}"`],
      ...checksumElements(checksum),
    ]),
  );
}
