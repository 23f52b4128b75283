import { NO_CONTENT } from "../http/reply.js";
import { removeObject } from "../storage/objects.js";
import { bucketOf, keyOf, type Operation } from "./operation.js";
import { readWriteCondition } from "./read-write-condition.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html: no object is no error. */
export const deleteObject: Operation = async (context) => {
  await removeObject(bucketOf(context), keyOf(context), readWriteCondition(context.request));
  return NO_CONTENT;
};
