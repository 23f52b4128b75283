import { hash } from "node:crypto";
import type { PresignGetOptions, ObjectStore, PresignPutOptions } from "./object-store.js";
import { createSigningKeys, hmac } from "./signing-key.js";

export interface PresignerOptions {
  /** The endpoint as browsers reach it. */
  endpoint: string;
  region: string;
  bucket: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/** What every URL is signed with. */
type Grant = Pick<PresignGetOptions, "path" | "signedAt" | "expiresInSeconds">;

export interface Presigner extends Pick<ObjectStore, "presignPut" | "presignGet"> {
  /** For the service's own looks into storage. */
  presignHead(look: Grant): Promise<string>;
}

/** A name and its value. Not a member of an object: V8 keeps the shape of each such object until its next full collection. */
type Pair = [name: string, value: string];

interface Operation {
  method: "GET" | "HEAD" | "PUT";
  /** By lower-case names, in the order of the alphabet, in which they are signed: after those that begin with `X-Amz-`. */
  query: Pair[];
  /** By lower-case names, in the order of the alphabet. Signed as headers: whoever uses the URL must send exactly these. */
  headers: Pair[];
}

/**
 * Signs as AWS Signature Version 4 in the query string
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html).
 *
 * By hand, because the SDK runs a whole client for it (decision 0014). Its tests hold it to the SDK's own signatures.
 */
export function createPresigner(options: PresignerOptions): Presigner {
  const { region, credentials } = options;
  const endpoint = new URL(options.endpoint);
  const bucketPath = `${endpoint.pathname.replace(/\/$/, "")}/${options.bucket}/`;
  const signingKeyOf = createSigningKeys({ secretAccessKey: credentials.secretAccessKey, region });

  function sign({ path, signedAt, expiresInSeconds }: Grant, { method, query, headers }: Operation): string {
    const time = signedAt.toISOString().replace(/[-:]|\.\d+/g, "");
    const day = time.slice(0, 8);
    const scope = `${day}/${region}/s3/aws4_request`;
    const names = headers.map(([name]) => name).join(";");
    const resource = bucketPath + encodePath(path);
    const parameters = encodeQuery([
      ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"],
      ["X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD"],
      ["X-Amz-Credential", `${credentials.accessKeyId}/${scope}`],
      ["X-Amz-Date", time],
      ["X-Amz-Expires", String(expiresInSeconds)],
      ["X-Amz-SignedHeaders", names],
      ...query,
    ]);
    const lines = headers.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, " ")}\n`);
    const canonical = `${method}\n${resource}\n${parameters}\n${lines.join("")}\n${names}\nUNSIGNED-PAYLOAD`;
    const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash("sha256", canonical)}`;
    const signature = hmac(signingKeyOf(day), toSign).toString("hex");
    return `${endpoint.origin}${resource}?${parameters}&X-Amz-Signature=${signature}`;
  }

  const host: Pair = ["host", endpoint.host];
  return {
    presignPut: async (grant) =>
      sign(grant, {
        method: "PUT",
        // What the SDK's own client adds: it tells operations apart in access logs.
        query: [["x-id", "PutObject"]],
        headers: [...putHeaders(grant), host],
      }),
    presignGet: async (grant) => sign(grant, { method: "GET", query: getQuery(grant), headers: [host] }),
    presignHead: async (grant) => sign(grant, { method: "HEAD", query: [], headers: [host] }),
  };
}

/** Type, length and MD5 as headers, not as query: so storage refuses a PUT that carries others. */
function putHeaders({
  contentType,
  sizeBytes,
  contentMd5,
}: Pick<PresignPutOptions, "contentType" | "sizeBytes" | "contentMd5">): Pair[] {
  const headers: Pair[] = [["content-type", contentType]];
  if (contentMd5 !== undefined) headers.unshift(["content-md5", contentMd5]);
  if (sizeBytes !== undefined) headers.unshift(["content-length", String(sizeBytes)]);
  return headers;
}

function getQuery(grant: Pick<PresignGetOptions, "contentDisposition" | "contentType">): Pair[] {
  return [
    ["response-content-disposition", grant.contentDisposition],
    ["response-content-type", grant.contentType],
    ["x-id", "GetObject"],
  ];
}

function encodePath(path: string): string {
  return encode(path).replaceAll("%2F", "/");
}

function encodeQuery(query: Pair[]): string {
  return query.map(([name, value]) => `${name}=${encode(value)}`).join("&");
}

/** RFC 3986 section 2.3: everything but unreserved characters. */
function encode(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
