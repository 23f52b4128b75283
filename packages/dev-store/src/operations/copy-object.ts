import { S3Error } from "../errors.js";
import { xmlReply } from "../http/reply.js";
import { amzValue, amzValues } from "../http/s3-request.js";
import { withIncomingFile } from "../storage/incoming-file.js";
import { commitObject, openObject, type StoredObject } from "../storage/objects.js";
import { readBlocks } from "../storage/sealed-file.js";
import { writeXml } from "../xml/write-xml.js";
import { bucketOf, keyOf, type Operation, type OperationContext } from "./operation.js";
import { readConditions } from "./conditions.js";
import { readStoredHeaders } from "./stored-headers.js";
import { readWriteCondition } from "./conditions.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
export const copyObject: Operation = async (context) => {
  const bucket = bucketOf(context);
  const key = keyOf(context);
  const source = readSource(context);
  const replacesMetadata = readDirective(context);
  const newHeaders = readStoredHeaders(context.request);
  const condition = readWriteCondition(context.request);
  if (!replacesMetadata && source.bucket === bucket.name && source.key === key)
    throw new S3Error("InvalidRequest", "A copy onto itself must use the metadata directive REPLACE.");

  const object = await openSource(context, source);
  try {
    const { record: original, sizeBytes } = object;
    const result = readConditions(amzValues(context.request), "x-amz-copy-source-", original);
    if (result === "not-modified") throw new S3Error("PreconditionFailed");
    return await withIncomingFile(bucket.incomingDir, async (file) => {
      for await (const block of readBlocks(object)) await file.write(block);
      const record = {
        key,
        etag: (await file.end()).toString("hex"),
        lastModified: context.now().getTime(),
        headers: replacesMetadata ? newHeaders : original.headers,
        checksum: original.checksum,
      };
      await commitObject(bucket, { file, record, sizeBytes, event: "ObjectCreated:Copy" }, condition);
      return xmlReply(
        writeXml("CopyObjectResult", [
          ["LastModified", new Date(record.lastModified).toISOString()],
          ["ETag", `"${record.etag}"`],
        ]),
      );
    });
  } finally {
    await object.file.close();
  }
};

interface Source {
  readonly bucket: string;
  readonly key: string;
}

function readSource({ request }: OperationContext): Source {
  const text = amzValue(request, "x-amz-copy-source") ?? "";
  const mark = text.indexOf("?");
  if (mark >= 0) throw new S3Error("NotImplemented", "This store has no versions.");
  const shape = /^\/?([^/]+)\/([^]+)$/.exec(decode(text));
  if (!shape)
    throw new S3Error("InvalidArgument", "x-amz-copy-source must be <bucket>/<key>, percent-encoded.");
  return { bucket: shape[1]!, key: shape[2]! };
}

function readDirective({ request }: OperationContext): boolean {
  const directive = amzValue(request, "x-amz-metadata-directive") ?? "COPY";
  if (directive !== "COPY" && directive !== "REPLACE")
    throw new S3Error("InvalidArgument", "Unknown metadata directive.");
  return directive === "REPLACE";
}

async function openSource({ storage }: OperationContext, { bucket, key }: Source): Promise<StoredObject> {
  const from = storage.bucket(bucket);
  if (!from) throw new S3Error("NoSuchBucket");
  const object = await openObject(from, key);
  if (!object) throw new S3Error("NoSuchKey");
  return object;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error("InvalidArgument", "x-amz-copy-source is not valid percent-encoding.");
  }
}
