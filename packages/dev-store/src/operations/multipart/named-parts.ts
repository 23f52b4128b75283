import { createHash } from "node:crypto";
import { algorithmOfName, type Checksum } from "../../body/checksums.js";
import { S3Error } from "../../errors.js";
import type { Upload } from "../../storage/open-uploads.js";
import { MAX_PARTS, MIN_PART_BYTES, openPart, type PartRecord } from "../../storage/uploads.js";
import { childrenOf, childText, type XmlNode } from "../../xml/read-xml.js";

/** A part in the client's completion request. */
export interface NamedPart {
  readonly partNumber: number;
  /** Without quotes. */
  readonly etag: string;
  readonly checksum: Checksum | undefined;
}

/** @throws S3Error MalformedXML, InvalidPartOrder, NotImplemented for an unknown checksum */
export function readNamedParts(document: XmlNode): readonly NamedPart[] {
  const nodes = childrenOf(document, "Part");
  if (nodes.length < 1 || nodes.length > MAX_PARTS || nodes.length !== document.children.length)
    throw new S3Error("MalformedXML");
  const parts = nodes.map(readPart);
  for (const [i, { partNumber }] of parts.entries()) {
    if (partNumber < 1 || partNumber > MAX_PARTS) throw new S3Error("InvalidPart");
    if (i > 0 && parts[i - 1]!.partNumber >= partNumber) throw new S3Error("InvalidPartOrder");
  }
  return parts;
}

/** Returns a digest of the numbers and ETags: two completions with the same digest ask for the same object. */
export function digestOfParts(parts: readonly NamedPart[]): string {
  const hash = createHash("sha256");
  for (const { partNumber, etag } of parts) hash.update(`${partNumber} ${etag}\n`);
  return hash.digest("hex");
}

/** Returns the named parts as they are stored. @throws S3Error InvalidPart, EntityTooSmall, InvalidRequest */
export async function requireParts(
  upload: Upload,
  named: readonly NamedPart[],
): Promise<(PartRecord & { sizeBytes: number })[]> {
  const stored: (PartRecord & { sizeBytes: number })[] = [];
  for (const [i, { partNumber, etag, checksum }] of named.entries()) {
    const part = await openPart(upload, partNumber);
    await part?.file.close();
    if (part?.record.etag !== etag) throw new S3Error("InvalidPart");
    const { algorithm, value } = part.record.checksum ?? {};
    if (checksum && (checksum.algorithm !== algorithm || checksum.value !== value))
      throw new S3Error("InvalidPart");
    if (!checksum && upload.checksum?.type === "COMPOSITE")
      throw new S3Error(
        "InvalidRequest",
        `The upload was created using a ${upload.checksum.algorithm} checksum. The complete request must include the ` +
          `checksum for each part. It was missing for part ${partNumber} in the request.`,
      );
    if (part.sizeBytes < MIN_PART_BYTES && i < named.length - 1) throw new S3Error("EntityTooSmall");
    stored.push({ ...part.record, sizeBytes: part.sizeBytes });
  }
  return stored;
}

function readPart(node: XmlNode): NamedPart {
  const number = /^\s*(\d{1,5})\s*$/.exec(childText(node, "PartNumber") ?? "");
  const etag = childText(node, "ETag")
    ?.trim()
    .replace(/^"(.*)"$/, "$1");
  if (!number || !etag) throw new S3Error("MalformedXML");
  const [checksum, ...others] = node.children.filter(({ name }) => name !== "PartNumber" && name !== "ETag");
  if (others.length > 0 || (checksum && !checksum.name.startsWith("Checksum")))
    throw new S3Error("MalformedXML");
  return {
    partNumber: Number(number[1]),
    etag,
    checksum: checksum && {
      algorithm: algorithmOfName(checksum.name.slice("Checksum".length)),
      value: checksum.text.trim(),
    },
  };
}
