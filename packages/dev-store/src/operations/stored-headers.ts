import { S3Error } from "../errors.js";
import { amzValues, type S3Request } from "../http/s3-request.js";
import { encodeWords } from "./encoded-word.js";

const STORED_HEADERS = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "expires",
] as const;
const MAX_METADATA_BYTES = 2048;

/**
 * Reads the headers that are stored with an object and sent back with it, by lower-case name.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html
 *
 * @throws S3Error MetadataTooLarge, and InvalidStorageClass, AccessControlListNotSupported, InvalidArgument
 */
export function readStoredHeaders(request: S3Request): Record<string, string> {
  refuseUnsupportedValues(request);
  const headers: Record<string, string> = {
    "content-type": request.headers.get("content-type") || "binary/octet-stream",
  };
  for (const name of STORED_HEADERS) {
    const value = request.headers.get(name);
    const kept = name === "content-encoding" ? codingsOfObject(value) : value?.trim();
    if (kept) headers[name] = kept;
  }
  let metadataBytes = 0;
  for (const [name, value] of amzValues(request)) {
    if (!name.startsWith("x-amz-meta-")) continue;
    // A presigned query can contain any name.
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
      throw new S3Error("InvalidArgument", "The name of a metadata header is not valid.");
    metadataBytes += Buffer.byteLength(name.slice("x-amz-meta-".length)) + Buffer.byteLength(value);
    if (metadataBytes > MAX_METADATA_BYTES) throw new S3Error("MetadataTooLarge");
    // Node decodes headers as Latin-1, and so does AWS: UTF-8 in a header comes back as the text of its single bytes.
    headers[name] = encodeWords(value);
  }
  return headers;
}

/** Removes aws-chunked, which describes the transfer and not the object: `aws-chunked,gzip` becomes `gzip`. */
function codingsOfObject(value = ""): string {
  const codings = value.split(",").map((coding) => coding.trim());
  return codings.filter((coding) => coding !== "" && coding.toLowerCase() !== "aws-chunked").join(",");
}

/** Checks that Node can send a value in a header. @throws S3Error InvalidArgument, as AWS does */
export function asHeaderValue(value: string): string {
  if (/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)) return value;
  throw new S3Error("InvalidArgument", "Header value cannot be represented using ISO-8859-1.");
}

/** `honoured-inputs.ts` has refused headers that no operation honours; these are honoured with some values. */
function refuseUnsupportedValues(request: S3Request): void {
  const amz = amzValues(request);
  if ((amz.get("x-amz-storage-class") ?? "STANDARD") !== "STANDARD") throw new S3Error("InvalidStorageClass");
  // The store has no ACLs, so it cannot honour another one.
  if (!["private", "bucket-owner-full-control"].includes(amz.get("x-amz-acl") ?? "private"))
    throw new S3Error("AccessControlListNotSupported");
}
