import { S3Error } from "../errors.js";
import { xmlReply } from "../http/reply.js";
import { openObject } from "../storage/objects.js";
import { writeXml } from "../xml/write-xml.js";
import { bucketOf, keyOf, type Operation } from "./operation.js";

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html: no object of this store has tags. The AWS command
 * line asks for the tags of a source before it copies it in parts.
 */
export const getObjectTagging: Operation = async (context) => {
  const object = await openObject(bucketOf(context), keyOf(context));
  if (!object) throw new S3Error("NoSuchKey");
  await object.close();
  return xmlReply(writeXml("Tagging", [["TagSet", []]]));
};
