import { receiveDocument } from "../body/receive-document.js";
import { S3Error } from "../errors.js";
import { requireBucketName } from "../storage/bucket-name.js";
import { childText } from "../xml/read-xml.js";
import { bucketOf, type Operation, type OperationContext } from "./operation.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html */
export const createBucket: Operation = async (context) => {
  const name = requireBucketName(context.request.bucket ?? "");
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

async function requireThisRegion({ request, body, region }: OperationContext): Promise<void> {
  if ((request.headers.get("content-length") ?? "0") === "0") return;
  const document = await receiveDocument(body, "CreateBucketConfiguration", 64 * 1024);
  const location = childText(document, "LocationConstraint")?.trim() || region;
  if (location !== region) throw new S3Error("IllegalLocationConstraintException");
}
