import { S3Error } from "../../errors.js";
import { childText, childrenOf, type XmlNode } from "../../xml/read-xml.js";
import { MAX_PARTS } from "./limits.js";

/** A part as the client names it to complete the upload. */
export interface NamedPart {
  readonly partNumber: number;
  /** Without quotes. */
  readonly etag: string;
}

/** @throws S3Error MalformedXML, InvalidPartOrder */
export function readNamedParts(document: XmlNode): readonly NamedPart[] {
  const parts = childrenOf(document, "Part").map((node) => {
    const number = /^\s*(\d{1,5})\s*$/.exec(childText(node, "PartNumber") ?? "");
    const etag = childText(node, "ETag")
      ?.trim()
      .replace(/^"(.*)"$/, "$1");
    if (!number || !etag) throw new S3Error("MalformedXML");
    return { partNumber: Number(number[1]), etag };
  });
  if (parts.length < 1 || parts.length > MAX_PARTS) throw new S3Error("MalformedXML");
  for (const [i, { partNumber }] of parts.entries()) {
    if (partNumber < 1 || partNumber > MAX_PARTS) throw new S3Error("InvalidPart");
    if (i > 0 && parts[i - 1]!.partNumber >= partNumber) throw new S3Error("InvalidPartOrder");
  }
  return parts;
}
