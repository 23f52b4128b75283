import { S3Error } from "../errors.js";
import { amzValue, type S3Request } from "../http/s3-request.js";
import {
  MAX_CLOCK_SKEW_MS,
  readAmzDate,
  readCredential,
  readSignature,
  readSignedHeaders,
  type SignatureClaim,
} from "./signature-claim.js";

const MALFORMED = "AuthorizationQueryParametersError";
const WEEK_SECONDS = 604_800;

/**
 * Reads the signature of a presigned URL, and checks that the URL is valid now:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 *
 * @throws S3Error AuthorizationQueryParametersError; AccessDenied if the URL has expired or is not valid yet
 */
export function readQueryClaim(request: S3Request, region: string, now: Date): SignatureClaim {
  const parameter = (name: string): string => {
    const value = request.query.get(name);
    if (value === undefined) throw new S3Error(MALFORMED, `The query parameter ${name} is missing.`);
    return value;
  };
  if (parameter("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256")
    throw new S3Error(MALFORMED, "X-Amz-Algorithm only supports AWS4-HMAC-SHA256.");
  const { accessKeyId, scope } = readCredential(parameter("X-Amz-Credential"), region, MALFORMED);
  const amzDate = parameter("X-Amz-Date");
  const signedAt = readAmzDate(amzDate, scope, MALFORMED);
  const lifetimeSeconds = parameter("X-Amz-Expires");
  if (
    !/^\d{1,6}$/.test(lifetimeSeconds) ||
    Number(lifetimeSeconds) < 1 ||
    Number(lifetimeSeconds) > WEEK_SECONDS
  )
    throw new S3Error(MALFORMED, `X-Amz-Expires must be between 1 and ${WEEK_SECONDS} seconds.`);
  const claim: SignatureClaim = {
    accessKeyId,
    scope,
    amzDate,
    signedHeaders: readSignedHeaders(parameter("X-Amz-SignedHeaders"), MALFORMED),
    signature: readSignature(parameter("X-Amz-Signature"), MALFORMED),
    payloadHash: amzValue(request, "x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD",
  };
  if (signedAt > now.getTime() + MAX_CLOCK_SKEW_MS)
    throw new S3Error("AccessDenied", "Request is not yet valid");
  if (now.getTime() >= signedAt + Number(lifetimeSeconds) * 1000)
    throw new S3Error("AccessDenied", "Request has expired");
  return claim;
}
