import { type Checksum, typeOfChecksum } from "../body/checksums.js";
import { amzValue, type S3Request } from "../http/s3-request.js";
import type { StoredObject } from "../storage/stored-object.js";
import type { XmlElement } from "../xml/write-xml.js";
import { encryptionHeaders } from "./demands.js";
import { asHeaderValue } from "./stored-headers.js";

/** `response-*` parameters of a signed GET or HEAD, and the headers that they override. */
const OVERRIDES = {
  "response-cache-control": "cache-control",
  "response-content-disposition": "content-disposition",
  "response-content-encoding": "content-encoding",
  "response-content-language": "content-language",
  "response-content-type": "content-type",
  "response-expires": "expires",
} as const;

/** The headers of GET and HEAD, without the length. @throws S3Error InvalidArgument for an override */
export function objectHeaders(request: S3Request, { record }: StoredObject): Record<string, string> {
  const headers: Record<string, string> = {
    ...record.headers,
    ...encryptionHeaders(record.encryption),
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

/** The checksum of a part. */
export function checksumHeader(checksum: Checksum | undefined): Record<string, string> {
  return checksum ? { [`x-amz-checksum-${checksum.algorithm}`]: checksum.value } : {};
}

/** The checksum of an object, and whether it covers its bytes or its parts. */
export function objectChecksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  return checksum ? { ...checksumHeader(checksum), "x-amz-checksum-type": typeOfChecksum(checksum) } : {};
}

/** The same as XML elements. */
export function checksumElements(checksum: Checksum | undefined): XmlElement[] {
  if (!checksum) return [];
  return [...partChecksumElements(checksum), ["ChecksumType", typeOfChecksum(checksum)]];
}

export function partChecksumElements(checksum: Checksum | undefined): XmlElement[] {
  return checksum ? [[`Checksum${checksum.algorithm.toUpperCase()}`, checksum.value]] : [];
}

/** The checksum headers, if the request asks for them. Only valid when the whole object is sent. */
export function requestedChecksum(request: S3Request, { record }: StoredObject): Record<string, string> {
  return amzValue(request, "x-amz-checksum-mode")?.toUpperCase() === "ENABLED"
    ? objectChecksumHeaders(record.checksum)
    : {};
}
