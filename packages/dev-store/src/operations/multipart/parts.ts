import { S3Error } from "../../errors.js";
import { xmlReply } from "../../http/reply.js";
import { withIncomingFile } from "../../storage/incoming-file.js";
import { commitPart, findUpload, listParts as storedParts, MAX_PARTS } from "../../storage/uploads.js";
import { writeXml, type XmlElement } from "../../xml/write-xml.js";
import { demandsOf, encryptionHeaders, etagOf, requireChecksum } from "../demands.js";
import { checksumHeader, partChecksumElements } from "../object-headers.js";
import { bucketOf, keyOf, type Operation, type OperationContext } from "../operation.js";
import { readCount } from "../read-parameter.js";
import { requirePartChecksum, uploadChecksumElements } from "./upload-checksum.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html */
export const uploadPart: Operation = async (context) => {
  const bucket = bucketOf(context);
  const { query } = context.request;
  const partNumber = readPartNumber(context);
  const upload = await findUpload(bucket, keyOf(context), query.get("uploadId") ?? "");
  const claims = context.body.claims();
  requirePartChecksum(upload, claims.checksum?.algorithm ?? claims.trailer);
  requireChecksum(context, claims, "Part");

  return await withIncomingFile(bucket.incomingDir, async (file) => {
    const { md5, checksum } = await context.body.receive(file);
    const { encryption } = upload;
    const etag = etagOf(md5, encryption);
    const record = { partNumber, etag, lastModified: context.now().getTime(), checksum };
    await commitPart(bucket, upload, { file, record });
    return {
      status: 200,
      headers: { ETag: `"${etag}"`, ...checksumHeader(checksum), ...encryptionHeaders(encryption) },
    };
  });
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html */
export const listParts: Operation = async (context) => {
  const bucket = bucketOf(context);
  const { query } = context.request;
  const maxParts = readCount(query, "max-parts", 1000);
  const marker = query.has("part-number-marker") ? readCount(query, "part-number-marker", MAX_PARTS) : 0;
  const upload = await findUpload(bucket, keyOf(context), query.get("uploadId") ?? "");
  const { parts, hasMore } = await storedParts(upload, { after: marker, limit: maxParts });
  return xmlReply(
    writeXml("ListPartsResult", [
      ["Bucket", bucket.name],
      ["Key", upload.key],
      ["UploadId", upload.id],
      ["PartNumberMarker", marker],
      ["NextPartNumberMarker", parts.at(-1)?.partNumber ?? marker],
      ["MaxParts", maxParts],
      ["IsTruncated", hasMore],
      ...uploadChecksumElements(upload),
      ...parts.map(({ partNumber, lastModified, etag, sizeBytes, checksum }): XmlElement => [
        "Part",
        [
          ["PartNumber", partNumber],
          ["LastModified", new Date(lastModified).toISOString()],
          ["ETag", `"${etag}"`],
          ["Size", sizeBytes],
          ...partChecksumElements(checksum),
        ],
      ]),
    ]),
  );
};

/** @throws S3Error InvalidArgument */
export function readPartNumber({ request, demands }: OperationContext): number {
  const most = demandsOf(request, demands).maxPartNumber ?? MAX_PARTS;
  const partNumber = Number(/^\d{1,5}$/.exec(request.query.get("partNumber") ?? "")?.[0] ?? 0);
  if (partNumber >= 1 && partNumber <= most) return partNumber;
  throw new S3Error("InvalidArgument", `Part number must be an integer between 1 and ${most}, inclusive`);
}
