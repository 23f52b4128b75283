import type { Checksum } from "../body/checksums.js";
import { amzValue, type S3Request } from "../http/s3-request.js";
import type { StoredObject } from "../storage/objects.js";
import { asHeaderValue } from "./stored-headers.js";

/** `response-*` parameters of a signed GET or HEAD, and the headers they stand in for. */
const OVERRIDES = {
  "response-cache-control": "cache-control",
  "response-content-disposition": "content-disposition",
  "response-content-encoding": "content-encoding",
  "response-content-language": "content-language",
  "response-content-type": "content-type",
  "response-expires": "expires",
} as const;

/** What GET and HEAD say about an object besides its length. @throws S3Error InvalidArgument for an override */
export function objectHeaders(request: S3Request, { record }: StoredObject): Record<string, string> {
  const headers: Record<string, string> = {
    ...record.headers,
    etag: `"${record.etag}"`,
    "last-modified": new Date(record.lastModified).toUTCString(),
    "accept-ranges": "bytes",
  };
  for (const [parameter, name] of Object.entries(OVERRIDES)) {
    const value = request.query.get(parameter);
    if (value !== undefined) headers[name] = asHeaderValue(value);
  }
  return headers;
}

export function checksumHeader(checksum: Checksum | undefined): Record<string, string> {
  return checksum ? { [`x-amz-checksum-${checksum.algorithm}`]: checksum.value } : {};
}

/** The checksum when it is asked for and is of all that is sent. */
export function askedChecksum(request: S3Request, { record }: StoredObject): Record<string, string> {
  return amzValue(request, "x-amz-checksum-mode")?.toUpperCase() === "ENABLED"
    ? checksumHeader(record.checksum)
    : {};
}
