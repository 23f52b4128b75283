import { S3Error } from "../errors.js";
import type { Reply } from "../http/reply.js";
import { openObject } from "../storage/objects.js";
import type { ByteRange } from "../storage/sealed-file.js";
import type { StoredObject } from "../storage/stored-object.js";
import { requestedChecksum, objectHeaders } from "./object-headers.js";
import { bucketOf, keyOf, type Operation, type OperationContext } from "./operation.js";
import { isRangeCurrent, readConditions } from "./conditions.js";

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 *
 * The object is opened once and read to its end, so an overwrite or a delete in the meantime does not change this answer.
 */
export const getObject: Operation = async (context) => {
  const object = await openObject(bucketOf(context), keyOf(context));
  if (!object) throw new S3Error("NoSuchKey");
  try {
    const reply = describe(context, object);
    if (!reply.bytes) {
      await object.close();
      return reply;
    }
    return { ...reply, body: object.stream(reply.bytes) };
  } catch (error) {
    await object.close();
    throw error;
  }
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html */
export const headObject: Operation = async (context) => {
  const object = await openObject(bucketOf(context), keyOf(context));
  if (!object) throw new S3Error("NoSuchKey");
  try {
    return describe(context, object);
  } finally {
    await object.close();
  }
};

/** Builds the answer without its body. `bytes` is the range that the body must contain, if there is a body. */
function describe({ request }: OperationContext, object: StoredObject): Reply & { bytes?: ByteRange } {
  const { record, sizeBytes } = object;
  if (readConditions(request.headers, "", record) === "not-modified") {
    const {
      etag,
      "last-modified": lastModified,
      "cache-control": cacheControl,
    } = objectHeaders(request, object);
    const kept = { etag, "last-modified": lastModified, "cache-control": cacheControl };
    return { status: 304, headers: Object.fromEntries(Object.entries(kept).filter(isGiven)) };
  }
  const headers = objectHeaders(request, object);
  const rangeHeader = isRangeCurrent(request.headers.get("if-range"), record)
    ? request.headers.get("range")
    : undefined;
  const range = readRange(rangeHeader, sizeBytes);
  if (range)
    return {
      status: 206,
      headers: {
        ...headers,
        "content-length": String(range.last - range.first + 1),
        "content-range": `bytes ${range.first}-${range.last}/${sizeBytes}`,
      },
      bytes: range,
    };
  return {
    status: 200,
    headers: { ...headers, ...requestedChecksum(request, object), "content-length": String(sizeBytes) },
    ...(sizeBytes > 0 ? { bytes: { first: 0, last: sizeBytes - 1 } } : {}),
  };
}

function isGiven(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}

/**
 * Parses a single `Range`, RFC 9110 section 14.1.2. Undefined means the whole object: S3 ignores several ranges and units
 * other than bytes.
 *
 * @throws S3Error InvalidRange, with the Content-Range header of a 416
 */
function readRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const shape = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!shape || (shape[1] === "" && shape[2] === "")) return undefined;
  const isSuffix = shape[1] === "";
  // A number above 2^53 is beyond every file, so its lost precision does not matter.
  const first = isSuffix ? Math.max(0, sizeBytes - Number(shape[2])) : Number(shape[1]);
  const last = isSuffix || shape[2] === "" ? sizeBytes - 1 : Math.min(Number(shape[2]), sizeBytes - 1);
  if (!isSuffix && shape[2] !== "" && Number(shape[2]) < first) return undefined;
  if (first >= sizeBytes || (isSuffix && Number(shape[2]) === 0))
    throw new S3Error("InvalidRange", undefined, { "Content-Range": `bytes */${sizeBytes}` });
  return { first, last };
}
