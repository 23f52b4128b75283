import { xmlReply } from "../http/reply.js";
import { uriEncodePath } from "../http/uri-encode.js";
import { listPage, type ListPosition, type ListRequest } from "../storage/list-page.js";
import { writeXml } from "../xml/write-xml.js";
import { writeItem } from "./listed-items.js";
import { bucketOf, type Operation } from "./operation.js";
import { readCount, readEncoding } from "./read-parameter.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjects.html: the first version, which has markers and no tokens. */
export const listObjects: Operation = async (context) => {
  const bucket = bucketOf(context);
  const { query } = context.request;
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") || undefined;
  const marker = query.get("marker") ?? "";
  const maxKeys = readCount(query, "max-keys", 1000);
  const encode = readEncoding(query) === "url" ? uriEncodePath : (text: string) => text;

  const after = readMarker(marker, { prefix, delimiter });
  const { items, next } = listPage(bucket.index, { prefix, delimiter, limit: maxKeys, after });
  return xmlReply(
    writeXml("ListBucketResult", [
      ["Name", bucket.name],
      ["Prefix", encode(prefix)],
      ["Marker", encode(marker)],
      // Without a delimiter, S3 lets the client continue after the last key.
      next && delimiter !== undefined ? ["NextMarker", encode(next.name)] : undefined,
      delimiter === undefined ? undefined : ["Delimiter", encode(delimiter)],
      ["MaxKeys", maxKeys],
      query.has("encoding-type") ? ["EncodingType", "url"] : undefined,
      ["IsTruncated", next !== undefined],
      ...items.map((item) => writeItem(item, { encode, hasOwner: true })),
    ]),
  );
};

/** A marker that is a common prefix of this listing stands for all keys under it. Any other marker is a key. */
function readMarker(
  marker: string,
  { prefix, delimiter }: Pick<ListRequest, "prefix" | "delimiter">,
): ListPosition | undefined {
  if (marker === "") return undefined;
  const cut =
    delimiter !== undefined && marker.startsWith(prefix) ? marker.indexOf(delimiter, prefix.length) : -1;
  const isPrefix = delimiter !== undefined && cut >= 0 && cut + delimiter.length === marker.length;
  return { kind: isPrefix ? "prefix" : "key", name: marker };
}
