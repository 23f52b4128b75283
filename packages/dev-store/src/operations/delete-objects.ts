import { receiveDocument, requireDigest } from "../body/receive-document.js";
import { S3Error } from "../errors.js";
import { NO_CONTENT, xmlReply } from "../http/reply.js";
import { removeObject, type WriteCondition } from "../storage/objects.js";
import { childText, childrenOf, requireOnly, type XmlNode } from "../xml/read-xml.js";
import { writeXml, type XmlElement } from "../xml/write-xml.js";
import { matchCondition, readWriteCondition } from "./conditions.js";
import { bucketOf, keyOf, type Operation } from "./operation.js";

const MAX_KEYS = 1000;
/** 1,000 keys of 1,024 bytes, if nearly every character is written as a reference. */
const MAX_DOCUMENT_BYTES = 8 * 1024 ** 2;

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html: a missing object is not an error. */
export const deleteObject: Operation = async (context) => {
  await removeObject(bucketOf(context), keyOf(context), readWriteCondition(context.request));
  return NO_CONTENT;
};

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
 *
 * An ETag is a condition: an object that has another one stays, and the answer names it as an error.
 */
export const deleteObjects: Operation = async (context) => {
  const bucket = bucketOf(context);
  requireDigest(context.body);
  const document = await receiveDocument(context.body, "Delete", MAX_DOCUMENT_BYTES);
  const deletions = readDeletions(document);
  const isQuiet = childText(document, "Quiet")?.trim() === "true";
  const results: XmlElement[] = [];
  for (const { key, condition } of deletions) {
    const error = await refusalOf(removeObject(bucket, key, condition));
    if (error)
      results.push([
        "Error",
        [
          ["Key", key],
          ["Code", error.code],
          ["Message", error.message],
        ],
      ]);
    else if (!isQuiet) results.push(["Deleted", [["Key", key]]]);
  }
  return xmlReply(writeXml("DeleteResult", results));
};

interface Deletion {
  readonly key: string;
  readonly condition: WriteCondition;
}

/** @throws S3Error MalformedXML; NotImplemented for conditions that S3 offers for directory buckets only */
function readDeletions(document: XmlNode): readonly Deletion[] {
  requireOnly(document, "Object", "Quiet");
  const objects = childrenOf(document, "Object");
  if (objects.length < 1 || objects.length > MAX_KEYS) throw new S3Error("MalformedXML");
  return objects.map((object) => {
    requireOnly(object, "Key", "ETag");
    const [key, ...moreKeys] = childrenOf(object, "Key");
    const [etag, ...moreEtags] = childrenOf(object, "ETag");
    if (!key?.text || Buffer.byteLength(key.text) > 1024) throw new S3Error("MalformedXML");
    if (moreKeys.length > 0 || moreEtags.length > 0) throw new S3Error("MalformedXML");
    return { key: key.text, condition: etag ? matchCondition(etag.text.trim()) : { kind: "none" } };
  });
}

/** Returns the refusal of one key. Any other failure ends the request. */
async function refusalOf(removal: Promise<void>): Promise<S3Error | undefined> {
  try {
    await removal;
    return undefined;
  } catch (error) {
    if (error instanceof S3Error) return error;
    throw error;
  }
}
