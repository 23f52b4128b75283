import { withIncomingFile } from "../storage/incoming-file.js";
import { checkCondition, commitObject } from "../storage/objects.js";
import { encryptionHeaders, etagOf, readEncryption, requireChecksum } from "./demands.js";
import { objectChecksumHeaders } from "./object-headers.js";
import { bucketOf, keyOf, type Operation } from "./operation.js";
import { readStoredHeaders } from "./stored-headers.js";
import { readWriteCondition } from "./conditions.js";

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 *
 * All checks that need no body run before the first byte of the body is read.
 */
export const putObject: Operation = async (context) => {
  const bucket = bucketOf(context);
  const key = keyOf(context);
  const headers = readStoredHeaders(context.request);
  const encryption = readEncryption(context);
  const condition = readWriteCondition(context.request);
  requireChecksum(context, context.body.claims(), "Object");
  checkCondition(bucket, key, condition);

  return await withIncomingFile(bucket.incomingDir, async (file) => {
    const { md5, checksum, sizeBytes } = await context.body.receive(file);
    const etag = etagOf(md5, encryption);
    const record = { key, etag, lastModified: context.now().getTime(), headers, checksum, encryption };
    await commitObject(bucket, { file, record, sizeBytes, event: "ObjectCreated:Put" }, condition);
    return {
      status: 200,
      headers: { ETag: `"${etag}"`, ...objectChecksumHeaders(checksum), ...encryptionHeaders(encryption) },
    };
  });
};
