import { S3Error } from "../errors.js";
import { amzValues, type S3Request } from "../http/s3-request.js";

const KEPT = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "expires",
] as const;
const MAX_METADATA_BYTES = 2048;

/**
 * The headers an upload asks to have sent back with the object, by lower-case name.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html
 *
 * @throws S3Error MetadataTooLarge, and those of headers this store would have to lie about
 */
export function readStoredHeaders(request: S3Request): Record<string, string> {
  refuseWhatIsNotOffered(request);
  const headers: Record<string, string> = {
    "content-type": request.headers.get("content-type") || "binary/octet-stream",
  };
  for (const name of KEPT) {
    const value = request.headers.get(name);
    // aws-chunked is how the bytes travel, not what they are.
    const kept =
      name === "content-encoding"
        ? value?.replace(/(^|,)\s*aws-chunked\s*(?=,|$)/i, "").replace(/^,/, "")
        : value;
    if (kept) headers[name] = kept.trim();
  }
  let metadataBytes = 0;
  for (const [name, value] of amzValues(request)) {
    if (!name.startsWith("x-amz-meta-")) continue;
    metadataBytes += Buffer.byteLength(name.slice("x-amz-meta-".length)) + Buffer.byteLength(value);
    if (metadataBytes > MAX_METADATA_BYTES) throw new S3Error("MetadataTooLarge");
    headers[name] = asHeaderValue(value);
  }
  return headers;
}

/** A value that Node will send as it is. @throws S3Error InvalidArgument, AWS's own answer */
export function asHeaderValue(value: string): string {
  if (/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)) return value;
  throw new S3Error("InvalidArgument", "Header value cannot be represented using ISO-8859-1.");
}

const NOT_OFFERED =
  /^x-amz-(server-side-encryption|object-lock|tagging|website-redirect|grant-|write-offset)/;

function refuseWhatIsNotOffered(request: S3Request): void {
  const amz = amzValues(request);
  for (const name of amz.keys())
    if (NOT_OFFERED.test(name)) throw new S3Error("NotImplemented", `This store does not implement ${name}.`);
  if ((amz.get("x-amz-storage-class") ?? "STANDARD") !== "STANDARD") throw new S3Error("InvalidStorageClass");
  // Everything is private here; another ACL would be promised and not kept.
  if (!["private", "bucket-owner-full-control"].includes(amz.get("x-amz-acl") ?? "private"))
    throw new S3Error("AccessControlListNotSupported");
}
