import { S3Error } from "../errors.js";
import { xmlReply } from "../http/reply.js";
import { uriEncodePath } from "../http/uri-encode.js";
import { listPage, type ListPosition } from "../storage/list-page.js";
import { writeXml } from "../xml/write-xml.js";
import { writeItem } from "./listed-items.js";
import { bucketOf, type Operation } from "./operation.js";
import { readCount, readEncoding } from "./read-parameter.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export const listObjectsV2: Operation = async (context) => {
  const bucket = bucketOf(context);
  const { query } = context.request;
  if (query.get("list-type") !== "2") throw new S3Error("InvalidArgument", "list-type must be 2");
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") || undefined;
  const maxKeys = readCount(query, "max-keys", 1000);
  const token = query.get("continuation-token");
  const startAfter = query.get("start-after");
  const encode = readEncoding(query) === "url" ? uriEncodePath : (text: string) => text;

  const after: ListPosition | undefined =
    token !== undefined ? readToken(token) : startAfter ? { kind: "key", name: startAfter } : undefined;
  const { items, next } = listPage(bucket.index, { prefix, delimiter, limit: maxKeys, after });
  return xmlReply(
    writeXml("ListBucketResult", [
      ["Name", bucket.name],
      ["Prefix", encode(prefix)],
      delimiter === undefined ? undefined : ["Delimiter", encode(delimiter)],
      startAfter === undefined ? undefined : ["StartAfter", encode(startAfter)],
      ["MaxKeys", maxKeys],
      query.has("encoding-type") ? ["EncodingType", "url"] : undefined,
      ["KeyCount", items.length],
      ["IsTruncated", next !== undefined],
      token === undefined ? undefined : ["ContinuationToken", token],
      next ? ["NextContinuationToken", writeToken(next)] : undefined,
      ...items.map((item) =>
        writeItem(item, { encode, hasOwner: query.get("fetch-owner")?.toLowerCase() === "true" }),
      ),
    ]),
  );
};

// A token names the last listed item, so later writes and deletes do not shift the pages.
function writeToken({ kind, name }: ListPosition): string {
  return Buffer.from(`${kind}:${name}`).toString("base64url");
}

function readToken(token: string): ListPosition {
  const shape = /^(key|prefix):([^]+)$/.exec(Buffer.from(token, "base64url").toString());
  if (!shape) throw new S3Error("InvalidArgument", "The continuation token provided is incorrect");
  return { kind: shape[1] as ListPosition["kind"], name: shape[2]! };
}
