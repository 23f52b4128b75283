import { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import { Hash } from "@smithy/hash-node";
import { HttpRequest } from "@smithy/protocol-http";
import type { GetGrant, ObjectStore, PutGrant } from "./object-store.js";

export interface PresignOptions {
  /** The endpoint as browsers reach it. */
  endpoint: string;
  region: string;
  bucket: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

interface Signable {
  method: "GET" | "PUT";
  path: string;
  query: Record<string, string>;
  /** Signed as headers: whoever uses the URL must send exactly these. */
  headers: Record<string, string>;
  signedAt: Date;
  expiresInSeconds: number;
}

/**
 * Signs as AWS Signature Version 4 in the query string
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html).
 *
 * The SDK's signer is called on a request made by hand: `getSignedUrl` gives the same URL, but runs the whole client
 * for it.
 */
export function createPresigner(options: PresignOptions): Pick<ObjectStore, "presignPut" | "presignGet"> {
  const endpoint = new URL(options.endpoint);
  const basePath = endpoint.pathname.replace(/\/$/, "");
  const signer = new S3RequestPresigner({
    credentials: options.credentials,
    region: options.region,
    sha256: Hash.bind(null, "sha256"),
  });

  async function sign(signable: Signable): Promise<string> {
    const headers = { host: endpoint.host, ...signable.headers };
    const request = new HttpRequest({
      method: signable.method,
      protocol: endpoint.protocol,
      hostname: endpoint.hostname,
      ...(endpoint.port ? { port: Number(endpoint.port) } : {}),
      path: `${basePath}/${options.bucket}/${encodePath(signable.path)}`,
      query: signable.query,
      headers,
    });
    const names = new Set(Object.keys(headers));
    const signed = await signer.presign(request, {
      signingDate: signable.signedAt,
      expiresIn: signable.expiresInSeconds,
      signableHeaders: names,
      unhoistableHeaders: names,
    });
    return `${endpoint.origin}${signed.path}?${encodeQuery(signed.query ?? {})}`;
  }

  return {
    presignPut: ({ path, signedAt, expiresInSeconds, ...grant }) =>
      // x-id is what the SDK's own client adds: it tells operations apart in access logs.
      sign({
        method: "PUT",
        path,
        query: { "x-id": "PutObject" },
        headers: putHeaders(grant),
        signedAt,
        expiresInSeconds,
      }),
    presignGet: ({ path, signedAt, expiresInSeconds, ...grant }) =>
      sign({ method: "GET", path, query: getQuery(grant), headers: {}, signedAt, expiresInSeconds }),
  };
}

/** Type, length and MD5 as headers, not as query: so storage refuses a PUT that carries others. */
function putHeaders(
  grant: Pick<PutGrant, "contentType" | "sizeBytes" | "contentMd5">,
): Record<string, string> {
  return {
    "content-type": grant.contentType,
    ...(grant.sizeBytes === undefined ? {} : { "content-length": String(grant.sizeBytes) }),
    ...(grant.contentMd5 === undefined ? {} : { "content-md5": grant.contentMd5 }),
  };
}

function getQuery(grant: Pick<GetGrant, "contentDisposition" | "contentType">): Record<string, string> {
  return {
    "response-content-disposition": grant.contentDisposition,
    "response-content-type": grant.contentType,
    "x-id": "GetObject",
  };
}

function encodePath(path: string): string {
  return path.split("/").map(encode).join("/");
}

function encodeQuery(query: Record<string, unknown>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join("&");
}

/** RFC 3986 section 2.3: everything but unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
