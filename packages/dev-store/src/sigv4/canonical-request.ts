import { createHash } from "node:crypto";
import type { S3Request } from "../http/s3-request.js";
import { uriEncode, uriEncodePath } from "../http/uri-encode.js";

/**
 * Builds the canonical request that client and server hash:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 *
 * S3 neither normalises the path nor encodes it twice, so `a//b` and `a/../b` are ordinary keys.
 */
export function canonicalRequest(
  request: S3Request,
  signedHeaders: readonly string[],
  payloadHash: string,
): string {
  return [
    request.method,
    uriEncodePath(request.path),
    canonicalQuery(request.query),
    ...signedHeaders.map((name) => `${name}:${canonicalValue(request.headers.get(name) ?? "")}`),
    "",
    signedHeaders.join(";"),
    payloadHash,
  ].join("\n");
}

/** Hex SHA-256 of a canonical request. Node decodes header values as Latin-1, so they are hashed as Latin-1. */
export function hashCanonicalRequest(text: string): string {
  return createHash("sha256").update(text, "latin1").digest("hex");
}

/** The search for a mistake (`explain-mismatch.ts`) asks for the same query a thousand times. */
const canonicalQueries = new WeakMap<ReadonlyMap<string, string>, string>();

function canonicalQuery(query: ReadonlyMap<string, string>): string {
  const known = canonicalQueries.get(query);
  if (known !== undefined) return known;
  const text = writeQuery(query);
  canonicalQueries.set(query, text);
  return text;
}

function writeQuery(query: ReadonlyMap<string, string>): string {
  return [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [uriEncode(name), uriEncode(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

// Not \s, which would match the bytes of UTF-8 that are blanks in Latin-1, such as the second byte of "à".
function canonicalValue(value: string): string {
  return value.replace(/[ \t]+/g, " ").replace(/^ | $/g, "");
}
