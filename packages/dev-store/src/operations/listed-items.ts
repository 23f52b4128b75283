import type { ListedItem } from "../storage/list-page.js";
import type { XmlElement } from "../xml/write-xml.js";
import { OWNER } from "./owner.js";

/** Writes an item of ListObjects and ListObjectsV2: `Contents` for a key, `CommonPrefixes` for a prefix. */
export function writeItem(
  item: ListedItem,
  { encode, hasOwner }: { encode: (text: string) => string; hasOwner: boolean },
): XmlElement {
  if (item.kind === "prefix") return ["CommonPrefixes", [["Prefix", encode(item.name)]]];
  const { key, etag, sizeBytes, lastModified } = item.entry;
  return [
    "Contents",
    [
      ["Key", encode(key)],
      ["LastModified", new Date(lastModified).toISOString()],
      ["ETag", `"${etag}"`],
      ["Size", sizeBytes],
      hasOwner ? OWNER : undefined,
      ["StorageClass", "STANDARD"],
    ],
  ];
}
