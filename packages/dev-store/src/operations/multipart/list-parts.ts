import { xmlReply } from "../../http/reply.js";
import { findUpload, listParts as storedParts } from "../../storage/uploads.js";
import { writeXml, type XmlElement } from "../../xml/write-xml.js";
import { bucketOf, keyOf, type Operation } from "../operation.js";
import { readCount } from "../read-parameter.js";
import { MAX_PARTS } from "./limits.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html */
export const listParts: Operation = async (context) => {
  const bucket = bucketOf(context);
  const { query } = context.request;
  const maxParts = readCount(query, "max-parts", 1000);
  const marker = query.has("part-number-marker") ? readCount(query, "part-number-marker", MAX_PARTS) : 0;
  const upload = await findUpload(bucket, keyOf(context), query.get("uploadId") ?? "");
  const remaining = (await storedParts(upload)).filter(({ partNumber }) => partNumber > marker);
  const page = remaining.slice(0, maxParts);
  return xmlReply(
    writeXml("ListPartsResult", [
      ["Bucket", bucket.name],
      ["Key", upload.key],
      ["UploadId", upload.id],
      ["PartNumberMarker", marker],
      ["NextPartNumberMarker", page.at(-1)?.partNumber ?? marker],
      ["MaxParts", maxParts],
      ["IsTruncated", page.length < remaining.length],
      ...page.map(({ partNumber, lastModified, etag, sizeBytes }): XmlElement => [
        "Part",
        [
          ["PartNumber", partNumber],
          ["LastModified", new Date(lastModified).toISOString()],
          ["ETag", `"${etag}"`],
          ["Size", sizeBytes],
        ],
      ]),
    ]),
  );
};
