import { timingSafeEqual } from "node:crypto";
import { S3Error } from "../errors.js";
import { amzValue, type S3Request } from "../http/s3-request.js";
import { canonicalRequest, hashCanonicalRequest } from "./canonical-request.js";
import { explainMismatch } from "./explain-mismatch.js";
import { readHeaderClaim } from "./read-header-claim.js";
import { readQueryClaim } from "./read-query-claim.js";
import type { SignatureClaim } from "./signature-claim.js";
import { hmac, scopeText, signingKey } from "./signing-key.js";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** Finds temporary keys. @default none */
  readonly findSession?: ((accessKeyId: string) => Session | undefined) | undefined;
}

/** Temporary keys. Every request that they sign has their token. */
export interface Session {
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  /** From then on, every request is refused. */
  readonly expiration: Date;
}

/** A verified signature. Signed chunks of the body are chained to it. */
export interface Authentication {
  readonly claim: SignatureClaim;
  readonly key: Buffer;
}

/**
 * Verifies a request's signature. The order is AWS's: access key, time, other headers, and then the signature, compared in
 * constant time.
 *
 * @throws S3Error AccessDenied, InvalidAccessKeyId, InvalidToken, ExpiredToken, SignatureDoesNotMatch, and the errors of the claim readers
 */
export function authenticate(request: S3Request, credentials: Credentials, now: Date): Authentication {
  const claim = readClaim(request, credentials.region, now);
  const secretAccessKey = findSecret(claim.accessKeyId, request, credentials, now);
  refuseUnsignedAmzHeaders(request, claim.signedHeaders);

  const key = signingKey(secretAccessKey, claim.scope);
  const matches = (candidate: S3Request): boolean => {
    const hashed = hashCanonicalRequest(canonicalRequest(candidate, claim.signedHeaders, claim.payloadHash));
    const stringToSign = ["AWS4-HMAC-SHA256", claim.amzDate, scopeText(claim.scope), hashed].join("\n");
    return isSignature(claim.signature, hmac(key, stringToSign));
  };
  // A missing header must not pass as an empty one.
  const isComplete = claim.signedHeaders.every((name) => request.headers.has(name));
  if (!isComplete || !matches(request))
    throw mismatch(explainMismatch(request, claim.signedHeaders, matches));
  return { claim, key };
}

/** AWS does not know a temporary access key without its token either. */
function findSecret(
  accessKeyId: string,
  request: S3Request,
  { findSession, ...own }: Credentials,
  now: Date,
): string {
  const token = amzValue(request, "x-amz-security-token");
  const session = accessKeyId === own.accessKeyId ? undefined : findSession?.(accessKeyId);
  if (!session) {
    if (accessKeyId !== own.accessKeyId) throw new S3Error("InvalidAccessKeyId");
    if (token !== undefined) throw new S3Error("InvalidToken");
    return own.secretAccessKey;
  }
  if (token === undefined) throw new S3Error("InvalidAccessKeyId");
  if (token !== session.sessionToken) throw new S3Error("InvalidToken");
  if (now >= session.expiration) throw new S3Error("ExpiredToken");
  return session.secretAccessKey;
}

/** Compares 64 hex digits with a digest in constant time. */
export function isSignature(hex: string, digest: Buffer): boolean {
  const given = Buffer.from(hex, "hex");
  return given.length === digest.length && timingSafeEqual(given, digest);
}

function readClaim(request: S3Request, region: string, now: Date): SignatureClaim {
  const inHeader = request.headers.has("authorization");
  const inQuery = ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature"].some((name) =>
    request.query.has(name),
  );
  if (inHeader && inQuery)
    throw new S3Error(
      "InvalidArgument",
      "Only one auth mechanism allowed: the query or the Authorization header. A presigned URL needs no Authorization.",
    );
  if (inHeader) return readHeaderClaim(request, region, now);
  if (inQuery) return readQueryClaim(request, region, now);
  throw new S3Error("AccessDenied", "Access Denied. The request has no signature in its query or headers.");
}

function mismatch(explanation: string): S3Error {
  const { code, message } = new S3Error("SignatureDoesNotMatch");
  return new S3Error(code, `${message} ${explanation}`);
}

function refuseUnsignedAmzHeaders(request: S3Request, signedHeaders: readonly string[]): void {
  const unsigned = [...request.headers.keys()].filter(
    (name) => name.startsWith("x-amz-") && !signedHeaders.includes(name),
  );
  if (unsigned.length === 0) return;
  const names = unsigned.join(", ");
  throw new S3Error(
    "AccessDenied",
    `There were headers present in the request which were not signed: ${names}. Send only the headers of the answer that had the URL.`,
    {},
    { HeadersNotSigned: names },
  );
}
