import type { PublicBucket } from "#object-store/object-store.js";
import {
  describe,
  isSuccess,
  NotChecked,
  type Probe,
  type ProbeContext,
  type ProbeResponse,
  type ProbeResult,
  SAMPLE,
  SAMPLE_TYPE,
  uploadSample,
} from "../probe.js";

const HEADERS = { contentType: SAMPLE_TYPE, contentDisposition: "inline" };

/**
 * Whether files can be published and taken back, and whether strangers can read published files and cannot list them. It asks the address
 * that readers use, which may be a CDN's address.
 */
export function publicFiles(published: PublicBucket): Probe {
  return {
    name: "Public files",
    run: (context) =>
      withPublicSample(context, published, async (path) => {
        const url = published.urlOf(path);
        const response = await context.send(url);
        if (!isSuccess(response) || response.body !== SAMPLE)
          return {
            verdict: "fail",
            found: `a published file cannot be read at PUBLIC_BASE_URL (${describe(response)})`,
            whatToDo: isKmsRefusal(context, response)
              ? KMS
              : `Allow everyone s3:GetObject in the public bucket, or let the CDN at ${new URL(url).origin} read it.`,
          };
        const copy = { path, etag: (await published.head(path))?.etag ?? "" };
        if (typeof (await published.takeBack(copy, HEADERS)) === "string")
          throw new Error("storage does not copy an object out of the public bucket");
        const folder = url.slice(0, url.length - path.length);
        const listing = await context.send(`${folder}?list-type=2`);
        if (isSuccess(listing) && listing.body.includes("<ListBucketResult"))
          return {
            verdict: "warn",
            found: "everyone can list the public bucket, and so find files that are not linked anywhere",
            whatToDo: "Allow everyone s3:GetObject only, and not s3:ListBucket.",
          };
        return { verdict: "ok", found: `everyone can read published files at ${folder}`, whatToDo: null };
      }).catch((error: unknown): ProbeResult => {
        if (!(error instanceof NotPublished)) throw error;
        return {
          verdict: "fail",
          found: error.message,
          whatToDo:
            "Create S3_PUBLIC_BUCKET, and allow the user PutObject, GetObject, DeleteObject and ListBucket in both buckets. Ceph 16 copies no encrypted objects.",
        };
      }),
  };
}

/** Storage decrypts with a key of KMS only for signed requests: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html */
const isKmsRefusal = ({ store }: ProbeContext, response: ProbeResponse) =>
  !isSuccess(response) && store.encryptionHeaders["x-amz-server-side-encryption"] === "aws:kms";
const KMS =
  "S3_ENCRYPTION=aws:kms encrypts published files too, and storage decrypts them for signed requests only. Set PUBLIC_BASE_URL to a CDN that signs its requests, such as CloudFront with origin access control, or use AES256.";

/**
 * Publishes a sample, and removes it from the public bucket afterwards.
 *
 * @throws {NotPublished} if storage does not copy it
 */
export async function withPublicSample(
  context: ProbeContext,
  published: PublicBucket,
  examine: (path: string) => Promise<ProbeResult>,
): Promise<ProbeResult> {
  const { path } = await uploadSample(context);
  const { etag = "" } = (await context.store.head(path)) ?? {};
  try {
    if (typeof (await published.publish({ path, etag }, HEADERS)) === "string")
      throw new Error("nothing was copied");
  } catch (error) {
    throw new NotPublished(`storage does not copy an object into the public bucket (${reasonOf(error)})`);
  }
  try {
    return await examine(path);
  } finally {
    await published.remove(path);
  }
}

class NotPublished extends NotChecked {}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.name : String(cause);
}
