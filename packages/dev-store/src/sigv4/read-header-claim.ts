import { S3Error } from "../errors.js";
import type { S3Request } from "../http/s3-request.js";
import {
  MAX_CLOCK_SKEW_MS,
  readAmzDate,
  readCredential,
  readSignature,
  readSignedHeaders,
  type SignatureClaim,
} from "./signature-claim.js";

const MALFORMED = "AuthorizationHeaderMalformed";
const SHAPE = /^AWS4-HMAC-SHA256\s+Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([^,\s]+)$/;

/**
 * Reads the signature of an `Authorization` header and checks its time:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 *
 * @throws S3Error AuthorizationHeaderMalformed, AccessDenied, InvalidRequest, RequestTimeTooSkewed
 */
export function readHeaderClaim(request: S3Request, region: string, now: Date): SignatureClaim {
  const shape = SHAPE.exec(request.headers.get("authorization") ?? "");
  if (!shape) throw new S3Error(MALFORMED, "Only AWS4-HMAC-SHA256 authorization is supported.");
  const { accessKeyId, scope } = readCredential(shape[1]!, region, MALFORMED);
  const amzDate = request.headers.get("x-amz-date");
  if (amzDate === undefined)
    throw new S3Error("AccessDenied", "AWS authentication requires an x-amz-date header");
  const payloadHash = request.headers.get("x-amz-content-sha256");
  if (payloadHash === undefined)
    throw new S3Error("InvalidRequest", "Missing required header for this request: x-amz-content-sha256");
  const signedAt = readAmzDate(amzDate, scope, MALFORMED);
  if (Math.abs(now.getTime() - signedAt) > MAX_CLOCK_SKEW_MS) throw new S3Error("RequestTimeTooSkewed");
  return {
    accessKeyId,
    scope,
    amzDate,
    signedHeaders: readSignedHeaders(shape[2]!, MALFORMED),
    signature: readSignature(shape[3]!, MALFORMED),
    payloadHash,
  };
}
