import { S3Error } from "../../errors.js";
import { xmlReply } from "../../http/reply.js";
import { amzValue } from "../../http/s3-request.js";
import { withIncomingFile } from "../../storage/incoming-file.js";
import type { ByteRange } from "../../storage/sealed-file.js";
import { commitPart, findUpload } from "../../storage/uploads.js";
import { writeXml } from "../../xml/write-xml.js";
import { copyBytes, readCopySource, requireCopySize, withCopySource } from "../copy-source.js";
import { etagOf } from "../demands.js";
import { partChecksumElements } from "../object-headers.js";
import { bucketOf, keyOf, type Operation, type OperationContext } from "../operation.js";
import { readPartNumber } from "./parts.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html */
export const uploadPartCopy: Operation = async (context) => {
  const bucket = bucketOf(context);
  const { query } = context.request;
  const partNumber = readPartNumber(context);
  const source = readCopySource(context);
  const upload = await findUpload(bucket, keyOf(context), query.get("uploadId") ?? "");

  return await withCopySource(context, source, async (object) => {
    const range = readSourceRange(context, object.sizeBytes);
    requireCopySize(range.last - range.first + 1);
    return await withIncomingFile(bucket.incomingDir, async (file) => {
      const { algorithm } = upload.checksum ?? {};
      const { etag: md5, checksum } = await copyBytes(object, file, { range, algorithm });
      const etag = etagOf(md5, upload.encryption);
      const record = { partNumber, etag, lastModified: context.now().getTime(), checksum };
      await commitPart(bucket, upload, { file, record });
      return xmlReply(
        writeXml("CopyPartResult", [
          ["LastModified", new Date(record.lastModified).toISOString()],
          ["ETag", `"${etag}"`],
          ...partChecksumElements(checksum),
        ]),
      );
    });
  });
};

/**
 * Reads `x-amz-copy-source-range`. Unlike a `Range`, it needs both ends, and both must be inside the source.
 *
 * @throws S3Error InvalidArgument
 */
function readSourceRange({ request }: OperationContext, sizeBytes: number): ByteRange {
  const text = amzValue(request, "x-amz-copy-source-range");
  if (text === undefined) return { first: 0, last: sizeBytes - 1 };
  const shape = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(text);
  const range = { first: Number(shape?.[1]), last: Number(shape?.[2]) };
  if (!shape || range.first > range.last)
    throw new S3Error(
      "InvalidArgument",
      "The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the " +
        "zero-based offsets of the first and last bytes to copy",
    );
  if (range.last >= sizeBytes)
    throw new S3Error(
      "InvalidArgument",
      `Range specified is not valid for source object of size: ${sizeBytes}`,
    );
  return range;
}
