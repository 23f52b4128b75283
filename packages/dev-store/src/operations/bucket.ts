import { receiveDocument } from "../body/receive-document.js";
import { S3Error } from "../errors.js";
import { NO_CONTENT, xmlReply } from "../http/reply.js";
import { requireBucketName } from "../storage/bucket-name.js";
import { amzValue } from "../http/s3-request.js";
import { childText, requireOnly } from "../xml/read-xml.js";
import { writeXml } from "../xml/write-xml.js";
import { bucketOf, type Operation, type OperationContext } from "./operation.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html */
export const createBucket: Operation = async (context) => {
  const name = requireBucketName(context.request.bucket ?? "");
  if ((amzValue(context.request, "x-amz-acl") ?? "private") !== "private")
    throw new S3Error("InvalidBucketAclWithObjectOwnership");
  await requireThisRegion(context);
  const isNew = await context.storage.createBucket(name, context.now());
  // In us-east-1, AWS answers success when the owner creates a bucket again.
  if (!isNew && context.region !== "us-east-1") throw new S3Error("BucketAlreadyOwnedByYou");
  return { status: 200, headers: { Location: `/${name}` } };
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html */
export const headBucket: Operation = async (context) => {
  bucketOf(context);
  return { status: 200, headers: { "x-amz-bucket-region": context.region } };
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucket.html */
export const deleteBucket: Operation = async (context) => {
  await context.storage.deleteBucket(bucketOf(context).name);
  return NO_CONTENT;
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLocation.html: us-east-1 is an empty constraint. */
export const getBucketLocation: Operation = async (context) => {
  bucketOf(context);
  return xmlReply(writeXml("LocationConstraint", context.region === "us-east-1" ? "" : context.region));
};

async function requireThisRegion({ request, body, region }: OperationContext): Promise<void> {
  const isEmpty = (request.headers.get("content-length") ?? "0") === "0";
  if (isEmpty && !request.headers.has("transfer-encoding")) return;
  const document = await receiveDocument(body, "CreateBucketConfiguration", 64 * 1024);
  // Tags, zones and kinds of buckets: the bucket would not have them.
  requireOnly(document, "LocationConstraint");
  const location = childText(document, "LocationConstraint")?.trim() || region;
  // The AWS command line sends "aws-global", its name for the endpoint of us-east-1, if it has no region.
  if (location === "aws-global" && region === "us-east-1") return;
  if (location !== region) throw new S3Error("IllegalLocationConstraintException");
}
