import { S3Error } from "../errors.js";
import type { S3Request } from "../http/s3-request.js";
import type { WriteCondition } from "../storage/objects.js";

export interface Validators {
  /** Without quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
}

/**
 * Evaluates the conditions of a read in the order of RFC 9110 section 13.2.2. `prefix` is "" for a GET and
 * "x-amz-copy-source-" for the source of a copy.
 *
 * @throws S3Error PreconditionFailed
 */
export function readConditions(
  headers: ReadonlyMap<string, string>,
  prefix: "" | "x-amz-copy-source-",
  current: Validators,
): "modified" | "not-modified" {
  const ifMatch = headers.get(`${prefix}if-match`);
  const ifNoneMatch = headers.get(`${prefix}if-none-match`);
  const unmodifiedSince = readDate(headers.get(`${prefix}if-unmodified-since`));
  const modifiedSince = readDate(headers.get(`${prefix}if-modified-since`));
  // HTTP dates have whole seconds.
  const changedAt = Math.floor(current.lastModified / 1000) * 1000;

  if (ifMatch !== undefined) {
    if (!includesEtag(ifMatch, current.etag)) throw new S3Error("PreconditionFailed");
  } else if (unmodifiedSince !== undefined && changedAt > unmodifiedSince)
    throw new S3Error("PreconditionFailed");

  if (ifNoneMatch !== undefined) return includesEtag(ifNoneMatch, current.etag) ? "not-modified" : "modified";
  return modifiedSince !== undefined && changedAt <= modifiedSince ? "not-modified" : "modified";
}

/** RFC 9110 section 13.1.5: if the client has another version, it gets the whole object instead of the range. */
export function isRangeCurrent(ifRange: string | undefined, current: Validators): boolean {
  if (ifRange === undefined) return true;
  return (
    ifRange === `"${current.etag}"` || readDate(ifRange) === Math.floor(current.lastModified / 1000) * 1000
  );
}

/**
 * Reads the condition of a write: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 *
 * @throws S3Error NotImplemented for combinations that S3 does not support either
 */
export function readWriteCondition(request: S3Request): WriteCondition {
  const ifNoneMatch = request.headers.get("if-none-match");
  const ifMatch = request.headers.get("if-match");
  if (ifNoneMatch !== undefined && (ifNoneMatch !== "*" || ifMatch !== undefined))
    throw new S3Error("NotImplemented", "A write accepts If-None-Match: * or If-Match: <etag>, not both.");
  if (ifNoneMatch !== undefined) return { kind: "absent" };
  return ifMatch === undefined ? { kind: "none" } : matchCondition(ifMatch);
}

/** @param etag `*`, or an ETag with or without quotes */
export function matchCondition(etag: string): WriteCondition {
  return { kind: "match", etag: etag.replace(/^"(.*)"$/, "$1") };
}

function includesEtag(header: string, etag: string): boolean {
  return header.split(",").some((part) => {
    const given = part
      .trim()
      .replace(/^W\//, "")
      .replace(/^"(.*)"$/, "$1");
    return given === "*" || given === etag;
  });
}

function readDate(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
