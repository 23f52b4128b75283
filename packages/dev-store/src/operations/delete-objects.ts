import { receiveDocument, requireDigest } from "../body/receive-document.js";
import { S3Error } from "../errors.js";
import { NO_CONTENT, xmlReply } from "../http/reply.js";
import { removeObject } from "../storage/objects.js";
import { childText, childrenOf, type XmlNode } from "../xml/read-xml.js";
import { writeXml } from "../xml/write-xml.js";
import { readWriteCondition } from "./conditions.js";
import { bucketOf, keyOf, type Operation } from "./operation.js";

const MAX_KEYS = 1000;
/** 1,000 keys of 1,024 bytes, if nearly every character is written as a reference. */
const MAX_DOCUMENT_BYTES = 8 * 1024 ** 2;

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html: a missing object is not an error. */
export const deleteObject: Operation = async (context) => {
  await removeObject(bucketOf(context), keyOf(context), readWriteCondition(context.request));
  return NO_CONTENT;
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
export const deleteObjects: Operation = async (context) => {
  const bucket = bucketOf(context);
  requireDigest(context.body);
  const document = await receiveDocument(context.body, "Delete", MAX_DOCUMENT_BYTES);
  const keys = readKeys(document);
  const isQuiet = childText(document, "Quiet")?.trim() === "true";
  for (const key of keys) await removeObject(bucket, key, { kind: "none" });
  return xmlReply(writeXml("DeleteResult", isQuiet ? [] : keys.map((key) => ["Deleted", [["Key", key]]])));
};

function readKeys(document: XmlNode): string[] {
  const objects = childrenOf(document, "Object");
  if (objects.length < 1 || objects.length > MAX_KEYS) throw new S3Error("MalformedXML");
  return objects.map((object) => {
    const key = childText(object, "Key");
    if (!key || Buffer.byteLength(key) > 1024) throw new S3Error("MalformedXML");
    // A version, an ETag or a date is a condition. Deleting without checking it could lose data.
    if (object.children.length > 1)
      throw new S3Error("NotImplemented", "Only keys can be named for deletion.");
    return key;
  });
}
