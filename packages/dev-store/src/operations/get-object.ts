import { S3Error } from "../errors.js";
import type { Reply } from "../http/reply.js";
import { openObject, type StoredObject } from "../storage/objects.js";
import { askedChecksum, objectHeaders } from "./object-headers.js";
import { bucketOf, keyOf, type Operation, type OperationContext } from "./operation.js";
import { isRangeCurrent, readConditions } from "./read-conditions.js";
import { readRange } from "./read-range.js";

const READ_BYTES = 512 * 1024;

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 *
 * The file is opened once and read to its end: an overwrite or a delete meanwhile does not reach this answer.
 */
export const getObject: Operation = async (context) => {
  const object = await openObject(bucketOf(context), keyOf(context));
  if (!object) throw new S3Error("NoSuchKey");
  try {
    const reply = describe(context, object);
    if (!reply.bytes) {
      await object.file.close();
      return reply;
    }
    const { first, last } = reply.bytes;
    // The stream closes the file, also when it is destroyed before its end.
    const body = object.file.createReadStream({ start: first, end: last, highWaterMark: READ_BYTES });
    return { ...reply, body };
  } catch (error) {
    await object.file.close();
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
    await object.file.close();
  }
};

/** The answer without its body; `bytes` is what the body is to hold, when it is to hold any. */
function describe(
  { request }: OperationContext,
  object: StoredObject,
): Reply & { bytes?: { first: number; last: number } } {
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
  const asked = isRangeCurrent(request.headers.get("if-range"), record)
    ? request.headers.get("range")
    : undefined;
  const range = readRange(asked, sizeBytes);
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
    headers: { ...headers, ...askedChecksum(request, object), "content-length": String(sizeBytes) },
    ...(sizeBytes > 0 ? { bytes: { first: 0, last: sizeBytes - 1 } } : {}),
  };
}

function isGiven(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}
