import { receiveDocument, requireDigest } from "../body/receive-document.js";
import { readCorsDocument, writeCorsRules } from "../cors/cors-document.js";
import { S3Error } from "../errors.js";
import { NO_CONTENT, xmlReply } from "../http/reply.js";
import { changeSettings } from "../storage/bucket.js";
import { writeXml } from "../xml/write-xml.js";
import { bucketOf, type Operation } from "./operation.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketCors.html */
export const putBucketCors: Operation = async (context) => {
  const bucket = bucketOf(context);
  requireDigest(context.body);
  const cors = readCorsDocument(await receiveDocument(context.body, "CORSConfiguration", 64 * 1024));
  await changeSettings(bucket, { cors });
  return { status: 200 };
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketCors.html; the default rules are not a configuration. */
export const getBucketCors: Operation = async (context) => {
  const { cors } = bucketOf(context).settings;
  if (!cors) throw new S3Error("NoSuchCORSConfiguration");
  return xmlReply(writeXml("CORSConfiguration", writeCorsRules(cors)));
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketCors.html; afterwards the default rules apply. */
export const deleteBucketCors: Operation = async (context) => {
  await changeSettings(bucketOf(context), { cors: undefined });
  return NO_CONTENT;
};
