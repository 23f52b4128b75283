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
    if (value === undefined)
      throw new S3Error(MALFORMED, `The query parameter ${name} is missing.${explainDamage(request)}`);
    return value;
  };
  if (parameter("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256")
    throw new S3Error(MALFORMED, `X-Amz-Algorithm only supports AWS4-HMAC-SHA256.${explainDamage(request)}`);
  const credential = parameter("X-Amz-Credential");
  // No credential of a presigned URL has a % left.
  if (/%2f/i.test(credential))
    throw new S3Error(
      MALFORMED,
      "The query was percent-encoded twice: send the URL as it is, without encoding or parsing it.",
    );
  const { accessKeyId, scope } = readCredential(credential, region, MALFORMED);
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
    throw expired(signedAt + Number(lifetimeSeconds) * 1000, Number(lifetimeSeconds), now);
  return claim;
}

/** Has the elements of AWS's answer. */
function expired(endMs: number, lifetimeSeconds: number, now: Date): S3Error {
  const [end, time] = [new Date(endMs), now].map((date) => date.toISOString().replace(/\.\d+/, ""));
  return new S3Error(
    "AccessDenied",
    `Request has expired. The URL worked for ${lifetimeSeconds} seconds, until ${end}; it is ${time}. Ask for a new URL right before the request.`,
    {},
    { "X-Amz-Expires": String(lifetimeSeconds), Expires: end!, ServerTime: time! },
  );
}

/** Says how a URL is usually damaged on its way into a program. */
function explainDamage({ query }: S3Request): string {
  if ([...query.keys()].some((name) => name.startsWith("amp;")))
    return " The URL was copied from HTML or XML: write & for each &amp;.";
  if (query.get("X-Amz-Algorithm")?.includes("\\u0026"))
    return " The URL was copied from the text of JSON: write & for each \\u0026.";
  if ([...query].flat().some((text) => text.includes("&X-Amz-")))
    return " The & between the parameters was percent-encoded: send the URL as it is.";
  if (query.size === 1) return " The URL ends at its first &: put it between quotes in a shell.";
  return "";
}
