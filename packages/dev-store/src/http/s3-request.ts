import type { IncomingMessage } from "node:http";
import { S3Error } from "../errors.js";

/**
 * A parsed request. The signature check and the operations use the same decoded values: no later step reads the raw URL
 * or Node's merged headers.
 */
export interface S3Request {
  readonly method: string;
  /** Decoded, `/bucket/key`, or `/key` if the host names the bucket. */
  readonly path: string;
  readonly bucket: string | undefined;
  readonly key: string | undefined;
  readonly query: ReadonlyMap<string, string>;
  /** Lower-case names. A repeated header is joined by a comma, so it does not match a signature of one value. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether the host names the bucket, and not the path. */
  readonly isVirtual: boolean;
}

const MAX_KEY_BYTES = 1024;

/**
 * Parses target and headers. A host such as `files.localhost` names the bucket:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 *
 * @throws S3Error InvalidURI, InvalidArgument, KeyTooLongError
 */
export function readS3Request(message: IncomingMessage): S3Request {
  const target = message.url ?? "";
  if (!target.startsWith("/")) throw new S3Error("InvalidURI");
  const mark = target.indexOf("?");
  const path = decode(mark < 0 ? target : target.slice(0, mark));
  const headers = readHeaders(message.rawHeaders);
  const hosted = /^(.+)\.localhost(?::\d+)?$/i.exec(headers.get("host") ?? "")?.[1];
  const slash = path.indexOf("/", 1);
  const bucket = hosted?.toLowerCase() ?? (slash < 0 ? path.slice(1) : path.slice(1, slash));
  const keyStart = hosted === undefined ? slash + 1 : 1;
  const key = keyStart === 0 ? "" : path.slice(keyStart);
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error("KeyTooLongError");
  return {
    method: message.method ?? "",
    path,
    bucket: bucket === "" ? undefined : bucket,
    key: key === "" ? undefined : key,
    query: readQuery(mark < 0 ? "" : target.slice(mark + 1)),
    headers,
    isVirtual: hosted !== undefined,
  };
}

/**
 * Returns an `x-amz-*` value from the headers or from the query, where presigners put such headers. Both are signed:
 * `authenticate` has refused unsigned `x-amz-*` headers before an operation reads them.
 */
export function amzValue(request: S3Request, name: `x-amz-${string}`): string | undefined {
  return amzValues(request).get(name);
}

/** Returns every `x-amz-*` value by lower-case name. */
export function amzValues(request: S3Request): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const source of [request.query, request.headers])
    for (const [name, value] of source) {
      const lower = name.toLowerCase();
      if (lower.startsWith("x-amz-")) values.set(lower, value);
    }
  return values;
}

function readQuery(text: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decodeForm(equals < 0 ? pair : pair.slice(0, equals));
    // Signer and store could choose different ones of two equal names.
    if (query.has(name)) throw new S3Error("InvalidArgument", "A query parameter is given twice.");
    query.set(name, equals < 0 ? "" : decodeForm(pair.slice(equals + 1)));
  }
  return query;
}

function readHeaders(raw: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    const before = headers.get(name);
    headers.set(name, before === undefined ? raw[i + 1]! : `${before},${raw[i + 1]!}`);
  }
  return headers;
}

/** Reads a `+` as a space, as S3 does. Some HTTP clients rewrite `%20` of a presigned URL to it. */
function decodeForm(text: string): string {
  return decode(text.replaceAll("+", " "));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error("InvalidURI");
  }
}
