import { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import { Hash } from "@smithy/hash-node";
import { HttpRequest } from "@smithy/protocol-http";
import type { PutGrant } from "./object-store.js";

export interface PresignOptions {
  /** The endpoint as browsers reach it. */
  endpoint: string;
  region: string;
  bucket: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/**
 * Makes a function that signs a PUT as AWS Signature Version 4 in the query string
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html).
 *
 * The SDK's signer is called on a request made by hand: `getSignedUrl` gives the same URL, but runs the whole client
 * for it. Type, length and MD5 are signed as *headers*, so that storage refuses a PUT that carries others.
 */
export function createPutPresigner(options: PresignOptions): (grant: PutGrant) => Promise<string> {
  const endpoint = new URL(options.endpoint);
  const basePath = endpoint.pathname.replace(/\/$/, "");
  const signer = new S3RequestPresigner({
    credentials: options.credentials,
    region: options.region,
    sha256: Hash.bind(null, "sha256"),
  });
  return async (grant) => {
    const headers: Record<string, string> = { host: endpoint.host, "content-type": grant.contentType };
    if (grant.sizeBytes !== undefined) headers["content-length"] = String(grant.sizeBytes);
    if (grant.contentMd5 !== undefined) headers["content-md5"] = grant.contentMd5;
    const request = new HttpRequest({
      method: "PUT",
      protocol: endpoint.protocol,
      hostname: endpoint.hostname,
      ...(endpoint.port ? { port: Number(endpoint.port) } : {}),
      path: `${basePath}/${options.bucket}/${encodePath(grant.path)}`,
      query: { "x-id": "PutObject" },
      headers,
    });
    const names = new Set(Object.keys(headers));
    const signed = await signer.presign(request, {
      signingDate: grant.signedAt,
      expiresIn: grant.expiresInSeconds,
      signableHeaders: names,
      unhoistableHeaders: names,
    });
    return toUrl(signed);
  };
}

/** RFC 3986 section 2.3: everything but unreserved characters is escaped; a slash stays a slash. */
function encodePath(path: string): string {
  return path
    .split("/")
    .map((segment) => encodeURIComponent(segment).replace(/[!'()*]/g, escapeCharacter))
    .join("/");
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function toUrl(request: {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: object;
}): string {
  const query = Object.entries(request.query ?? {})
    .map(
      ([name, value]) =>
        `${encodePath(name)}=${encodeURIComponent(String(value)).replace(/[!'()*]/g, escapeCharacter)}`,
    )
    .join("&");
  const port = request.port ? `:${request.port}` : "";
  return `${request.protocol}//${request.hostname}${port}${request.path}?${query}`;
}
