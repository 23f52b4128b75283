import { createHmac, hash } from "node:crypto";
import { limits } from "@stowage/schemas";
import { type AddressFinder, type Addressing, placeOf, toFinder } from "./addressing.js";
import { type Credentials, type CredentialsProvider, toProvider } from "./credentials.js";
import { type Encryption, encryptionHeaders } from "./encryption.js";
import type { PresignGetOptions, PresignPartOptions, PresignPutOptions, UrlSigner } from "./object-store.js";

export interface PresignerOptions {
  /** The endpoint that the URLs point to. */
  endpoint: string;
  region: string;
  bucket: string;
  credentials: Credentials | CredentialsProvider;
  /** @default "path" */
  addressing?: Addressing | AddressFinder;
  /** @default null: the bucket decides */
  encryption?: Encryption | null;
  /** The largest number of a part that storage takes. @default 10,000 */
  maxParts?: number;
}

export interface Presigner extends UrlSigner {
  /** Signs the URL of the service's own requests, which change no header of the answer. */
  presignOwn(method: "GET" | "HEAD", options: SignOptions): Promise<string>;
}

type SignOptions = Pick<PresignGetOptions, "path" | "signedAt" | "expiresInSeconds">;

/** A tuple and not a member of an object, because V8 keeps the shape of every such object until its next full collection. */
type Pair = [name: string, value: string];

interface Operation {
  method: "GET" | "HEAD" | "PUT";
  /** Names in alphabetical order that start with a lower-case letter: in the signature they follow those that start with `X-Amz-`. */
  query: Pair[];
  /**
   * Lower-case names in alphabetical order, before `host`. They are signed as headers, so the user of the URL must send exactly these
   * values.
   */
  headers: Pair[];
  /** Whether the headers of encryption follow. */
  isEncrypted?: boolean;
}

/** The last signed headers, which are the same for all URLs: their names and their lines. */
interface LastHeaders {
  names: string;
  lines: string;
}

/**
 * Signs URLs with AWS Signature Version 4 in the query string
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html).
 *
 * This does not use the SDK, which runs its whole client for each URL and takes many times the CPU (decision 0014). The tests
 * compare every signature with the SDK's.
 */
export function createPresigner(options: PresignerOptions): Presigner {
  const credentialsNow = toProvider(options.credentials);
  const finder = toFinder(options.addressing ?? "path");
  const encryption = encryptionHeaders(options.encryption ?? null);
  const placeIn = (addressing: Addressing) => {
    const place = placeOf(options.endpoint, options.bucket, addressing);
    const host: Pair = ["host", place.host];
    return {
      ...place,
      last: lastHeaders([host]),
      encrypted: lastHeaders([host, ...Object.entries(encryption)]),
    };
  };
  const places = { path: placeIn("path"), virtual: placeIn("virtual") };
  const signerOf = cacheSigner(options.region);

  async function sign(
    { path, signedAt, expiresInSeconds }: SignOptions,
    { method, query, headers, isEncrypted = false }: Operation,
  ): Promise<string> {
    const place = places[await finder.now()];
    const last = isEncrypted ? place.encrypted : place.last;
    const time = compactTime(signedAt);
    const signer = signerOf(await credentialsNow(), time.slice(0, 8));
    const names = [...headers.map(([name]) => name), last.names].join(";");
    const resource = place.path + encodePath(path);
    const rest = encodeQuery([["X-Amz-SignedHeaders", names], ...query]);
    const parameters = `${signer.before}&X-Amz-Date=${time}&X-Amz-Expires=${expiresInSeconds}${signer.after}&${rest}`;
    const canonical = `${method}\n${resource}\n${parameters}\n${linesOf(headers)}${last.lines}\n${names}\nUNSIGNED-PAYLOAD`;
    const toSign = `AWS4-HMAC-SHA256\n${time}\n${signer.scope}\n${hash("sha256", canonical)}`;
    const signature = createHmac("sha256", signer.key).update(toSign).digest("hex");
    return `${place.origin}${resource}?${parameters}&X-Amz-Signature=${signature}`;
  }

  const urlsEnd = async () => (await credentialsNow()).expiration ?? null;
  return {
    uploadUrlsEnd: urlsEnd,
    downloadUrlsEnd: urlsEnd,
    encryptionHeaders: encryption,
    maxParts: options.maxParts ?? limits.parts,
    presignPut: (put) =>
      sign(put, {
        method: "PUT",
        // The SDK adds x-id too. It names the operation in access logs.
        query: [["x-id", "PutObject"]],
        headers: putHeaders(put),
        isEncrypted: true,
      }),
    presignPart: (part) =>
      sign(part, {
        method: "PUT",
        query: [
          ["partNumber", String(part.number)],
          ["uploadId", part.uploadId],
          ["x-id", "UploadPart"],
        ],
        headers: lengthAndMd5(part),
      }),
    presignGet: (get) =>
      sign(get, { method: "GET", query: [...responseQuery(get), ["x-id", "GetObject"]], headers: [] }),
    presignOwn: (method, own) =>
      sign(own, { method, query: method === "GET" ? [["x-id", "GetObject"]] : [], headers: [] }),
  };
}

const linesOf = (headers: Pair[]) =>
  headers.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, " ")}\n`).join("");

const lastHeaders = (headers: Pair[]): LastHeaders => ({
  names: headers.map(([name]) => name).join(";"),
  lines: linesOf(headers),
});

/** They are signed as headers and not as query parameters, so that storage refuses a PUT with other values. In the order of their names. */
function putHeaders({ cacheControl, contentType, ...put }: PresignPutOptions): Pair[] {
  const headers: Pair[] = cacheControl === undefined ? [] : [["cache-control", cacheControl]];
  return [...headers, ...lengthAndMd5(put), ["content-type", contentType]];
}

function lengthAndMd5({
  sizeBytes,
  contentMd5,
}: Pick<PresignPutOptions | PresignPartOptions, "sizeBytes" | "contentMd5">): Pair[] {
  const headers: Pair[] = [];
  if (sizeBytes !== undefined) headers.push(["content-length", String(sizeBytes)]);
  if (contentMd5 !== undefined) headers.push(["content-md5", contentMd5]);
  return headers;
}

function responseQuery({
  cacheControl,
  contentDisposition,
  contentType,
  expires,
}: PresignGetOptions): Pair[] {
  const query: Pair[] = [];
  if (cacheControl !== undefined) query.push(["response-cache-control", cacheControl]);
  query.push(["response-content-disposition", contentDisposition], ["response-content-type", contentType]);
  if (expires !== undefined) query.push(["response-expires", expires.toUTCString()]);
  return query;
}

/** The headers that storage must set on its response, as a query. */
export function encodeGetQuery(options: PresignGetOptions): string {
  return encodeQuery(responseQuery(options));
}

export function encodePath(path: string): string {
  return encode(path).replaceAll("%2F", "/");
}

function encodeQuery(query: Pair[]): string {
  return query.map(([name, value]) => `${name}=${encode(value)}`).join("&");
}

/** Percent-encodes everything but the unreserved characters of RFC 3986 section 2.3. */
function encode(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** `YYYYMMDDTHHMMSSZ`. Each signature needs it, and a regular expression takes longer. */
function compactTime(date: Date): string {
  const iso = date.toISOString();
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`;
}

/** What all signatures of some keys have in common during a day. */
interface DaySigner {
  key: Buffer;
  scope: string;
  /** The parameters in front of the time, and those behind the lifetime. */
  before: string;
  after: string;
}

/**
 * Derives the signing key of a day from the secret (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html). The
 * last one is cached, because nearly every URL is signed by the same keys and on the same day as the one before. So a session token,
 * which has a thousand characters, is encoded once.
 *
 * @returns a function that takes the day as `YYYYMMDD`
 */
function cacheSigner(region: string): (credentials: Credentials, day: string) => DaySigner {
  let cached: { credentials: Credentials; day: string; signer: DaySigner } | undefined;
  return (credentials, day) => {
    if (cached?.day !== day || cached.credentials !== credentials)
      cached = { credentials, day, signer: createSigner(credentials, { day, region }) };
    return cached.signer;
  };
}

function createSigner(
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  { day, region }: { day: string; region: string },
): DaySigner {
  const dayKey = hmac(`AWS4${secretAccessKey}`, day);
  const scope = `${day}/${region}/s3/aws4_request`;
  return {
    key: hmac(hmac(hmac(dayKey, region), "s3"), "aws4_request"),
    scope,
    before: encodeQuery([
      ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"],
      ["X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD"],
      ["X-Amz-Credential", `${accessKeyId}/${scope}`],
    ]),
    after: sessionToken === undefined ? "" : `&X-Amz-Security-Token=${encode(sessionToken)}`,
  };
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
