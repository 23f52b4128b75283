import { createHash } from "node:crypto";
import { S3Error } from "../errors.js";
import { readXml, type XmlNode } from "../xml/read-xml.js";
import type { RequestBody } from "./request-body.js";

/**
 * Reads a small XML document into memory.
 *
 * @throws S3Error MaxMessageLengthExceeded, before it reads a byte of a body that is too long; MalformedXML
 */
export async function receiveDocument(body: RequestBody, root: string, maxBytes: number): Promise<XmlNode> {
  if (body.claims().sizeBytes > maxBytes) throw new S3Error("MaxMessageLengthExceeded");
  const chunks: Buffer[] = [];
  const md5 = createHash("md5");
  await body.receive({
    write(chunk) {
      md5.update(chunk);
      chunks.push(Buffer.from(chunk));
    },
    end: () => md5.digest(),
  });
  return readXml(decodeUtf8(Buffer.concat(chunks)), root);
}

/**
 * Requires a digest, as AWS does for this document: the store must not act on a truncated or changed list of deletions.
 *
 * @throws S3Error InvalidRequest
 */
export function requireDigest(body: RequestBody): void {
  const { md5, checksum, trailer } = body.claims();
  if (md5 || checksum || trailer) return;
  throw new S3Error("InvalidRequest", "Missing required header: Content-MD5 or x-amz-checksum-*");
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new S3Error("MalformedXML");
  }
}
