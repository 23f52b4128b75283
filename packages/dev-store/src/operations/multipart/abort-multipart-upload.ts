import { NO_CONTENT } from "../../http/reply.js";
import { findUpload, removeUpload } from "../../storage/uploads.js";
import { bucketOf, keyOf, type Operation } from "../operation.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html */
export const abortMultipartUpload: Operation = async (context) => {
  const bucket = bucketOf(context);
  const uploadId = context.request.query.get("uploadId") ?? "";
  await bucket.lock(`upload ${uploadId}`, async () => {
    await removeUpload(bucket, await findUpload(bucket, keyOf(context), uploadId));
  });
  return NO_CONTENT;
};
