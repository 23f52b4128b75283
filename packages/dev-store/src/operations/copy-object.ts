import { algorithmOfName } from "../body/checksums.js";
import { S3Error } from "../errors.js";
import { xmlReply } from "../http/reply.js";
import { amzValue } from "../http/s3-request.js";
import { withIncomingFile } from "../storage/incoming-file.js";
import { commitObject } from "../storage/objects.js";
import { writeXml } from "../xml/write-xml.js";
import { readWriteCondition } from "./conditions.js";
import { copyBytes, readCopySource, requireCopySize, withCopySource } from "./copy-source.js";
import { encryptionHeaders, etagOf, readEncryption } from "./demands.js";
import { checksumElements } from "./object-headers.js";
import { bucketOf, keyOf, type Operation, type OperationContext } from "./operation.js";
import { readStoredHeaders } from "./stored-headers.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
export const copyObject: Operation = async (context) => {
  const bucket = bucketOf(context);
  const key = keyOf(context);
  const source = readCopySource(context);
  const replacesMetadata = readDirective(context);
  const newHeaders = readStoredHeaders(context.request);
  const encryption = readEncryption(context);
  const condition = readWriteCondition(context.request);
  // A copy of a multipart upload is one object with a checksum of its bytes.
  const name = amzValue(context.request, "x-amz-checksum-algorithm");
  if (!replacesMetadata && source.bucket === bucket.name && source.key === key)
    throw new S3Error("InvalidRequest", "A copy onto itself must use the metadata directive REPLACE.");

  return await withCopySource(context, source, async (object) => {
    const { record: original, sizeBytes } = object;
    requireCopySize(sizeBytes);
    return await withIncomingFile(bucket.incomingDir, async (file) => {
      const { etag: md5, checksum } = await copyBytes(object, file, {
        algorithm: name === undefined ? original.checksum?.algorithm : algorithmOfName(name),
      });
      const etag = etagOf(md5, encryption);
      const record = {
        key,
        etag,
        lastModified: context.now().getTime(),
        headers: replacesMetadata ? newHeaders : original.headers,
        checksum,
        encryption,
      };
      await commitObject(bucket, { file, record, sizeBytes, event: "ObjectCreated:Copy" }, condition);
      const reply = xmlReply(
        writeXml("CopyObjectResult", [
          ["LastModified", new Date(record.lastModified).toISOString()],
          ["ETag", `"${etag}"`],
          ...checksumElements(checksum),
        ]),
      );
      return { ...reply, headers: { ...reply.headers, ...encryptionHeaders(encryption) } };
    });
  });
};

function readDirective({ request }: OperationContext): boolean {
  const directive = amzValue(request, "x-amz-metadata-directive") ?? "COPY";
  if (directive !== "COPY" && directive !== "REPLACE")
    throw new S3Error("InvalidArgument", "Unknown metadata directive.");
  return directive === "REPLACE";
}
