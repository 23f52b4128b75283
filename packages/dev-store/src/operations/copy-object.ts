import { S3Error } from "../errors.js";
import { xmlReply } from "../http/reply.js";
import { amzValue } from "../http/s3-request.js";
import { withIncomingFile } from "../storage/incoming-file.js";
import { commitObject } from "../storage/objects.js";
import { readBlocks } from "../storage/sealed-file.js";
import { writeXml } from "../xml/write-xml.js";
import { readWriteCondition } from "./conditions.js";
import { readCopySource, requireCopySize, withCopySource } from "./copy-source.js";
import { bucketOf, keyOf, type Operation, type OperationContext } from "./operation.js";
import { readStoredHeaders } from "./stored-headers.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
export const copyObject: Operation = async (context) => {
  const bucket = bucketOf(context);
  const key = keyOf(context);
  const source = readCopySource(context);
  const replacesMetadata = readDirective(context);
  const newHeaders = readStoredHeaders(context.request);
  const condition = readWriteCondition(context.request);
  if (!replacesMetadata && source.bucket === bucket.name && source.key === key)
    throw new S3Error("InvalidRequest", "A copy onto itself must use the metadata directive REPLACE.");

  return await withCopySource(context, source, async (object) => {
    const { record: original, sizeBytes } = object;
    requireCopySize(sizeBytes);
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
  });
};

function readDirective({ request }: OperationContext): boolean {
  const directive = amzValue(request, "x-amz-metadata-directive") ?? "COPY";
  if (directive !== "COPY" && directive !== "REPLACE")
    throw new S3Error("InvalidArgument", "Unknown metadata directive.");
  return directive === "REPLACE";
}
