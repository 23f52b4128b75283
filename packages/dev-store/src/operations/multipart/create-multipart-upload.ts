import { xmlReply } from "../../http/reply.js";
import { createUpload } from "../../storage/uploads.js";
import { writeXml } from "../../xml/write-xml.js";
import { bucketOf, keyOf, type Operation } from "../operation.js";
import { readStoredHeaders } from "../stored-headers.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html */
export const createMultipartUpload: Operation = async (context) => {
  const bucket = bucketOf(context);
  const key = keyOf(context);
  const headers = readStoredHeaders(context.request);
  const { id } = await createUpload(bucket, { key, headers, initiated: context.now().getTime() });
  return xmlReply(
    writeXml("InitiateMultipartUploadResult", [
      ["Bucket", bucket.name],
      ["Key", key],
      ["UploadId", id],
    ]),
  );
};
