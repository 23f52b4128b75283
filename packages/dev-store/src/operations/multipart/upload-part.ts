import { S3Error } from "../../errors.js";
import { withIncomingFile } from "../../storage/incoming-file.js";
import { commitPart, findUpload } from "../../storage/uploads.js";
import { checksumHeader } from "../object-headers.js";
import { bucketOf, keyOf, type Operation } from "../operation.js";
import { MAX_PARTS } from "./limits.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html */
export const uploadPart: Operation = async (context) => {
  const bucket = bucketOf(context);
  const { query } = context.request;
  const partNumber = Number(/^\d{1,5}$/.exec(query.get("partNumber") ?? "")?.[0] ?? 0);
  if (partNumber < 1 || partNumber > MAX_PARTS)
    throw new S3Error(
      "InvalidArgument",
      `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`,
    );
  const upload = await findUpload(bucket, keyOf(context), query.get("uploadId") ?? "");
  const { sizeBytes } = context.body.claims();

  return await withIncomingFile(bucket.incomingDir, sizeBytes, async (file) => {
    const { md5, checksum } = await context.body.receive(file);
    const record = { partNumber, etag: md5, lastModified: context.now().getTime(), checksum };
    await commitPart(bucket, upload, { file, record });
    return { status: 200, headers: { ETag: `"${md5}"`, ...checksumHeader(checksum) } };
  });
};
