import { receiveDocument, requireDigest } from "../body/receive-document.js";
import { S3Error } from "../errors.js";
import { NO_CONTENT, xmlReply } from "../http/reply.js";
import { changeSettings } from "../storage/bucket.js";
import { childText, requireOnly } from "../xml/read-xml.js";
import { writeXml, type XmlElement } from "../xml/write-xml.js";
import { bucketOf, type Operation } from "./operation.js";

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutPublicAccessBlock.html
 *
 * `RestrictPublicBuckets` ends reads without a signature. The others are stored and returned only: the store has no ACLs and no policies.
 */
export const putPublicAccessBlock: Operation = async (context) => {
  const bucket = bucketOf(context);
  requireDigest(context.body);
  const document = await receiveDocument(context.body, "PublicAccessBlockConfiguration", 64 * 1024);
  requireOnly(document, "BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets");
  const flag = (name: string): boolean => readFlag(childText(document, name));
  await changeSettings(bucket, {
    publicAccessBlock: {
      BlockPublicAcls: flag("BlockPublicAcls"),
      IgnorePublicAcls: flag("IgnorePublicAcls"),
      BlockPublicPolicy: flag("BlockPublicPolicy"),
      RestrictPublicBuckets: flag("RestrictPublicBuckets"),
    },
  });
  return { status: 200 };
};

export const getPublicAccessBlock: Operation = async (context) => {
  const { publicAccessBlock } = bucketOf(context).settings;
  if (!publicAccessBlock) throw new S3Error("NoSuchPublicAccessBlockConfiguration");
  const flags = Object.entries(publicAccessBlock).map(([name, isOn]): XmlElement => [name, isOn === true]);
  return xmlReply(writeXml("PublicAccessBlockConfiguration", flags));
};

export const deletePublicAccessBlock: Operation = async (context) => {
  await changeSettings(bucketOf(context), { publicAccessBlock: undefined });
  return NO_CONTENT;
};

function readFlag(text: string | undefined): boolean {
  const word = text?.trim().toLowerCase() ?? "false";
  if (word !== "true" && word !== "false") throw new S3Error("MalformedXML");
  return word === "true";
}
