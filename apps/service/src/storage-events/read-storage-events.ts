import { parse } from "@stowage/schemas";
import * as z from "zod";

/** A hint that something happened to an object. It is only a reason to check the object. */
export interface StorageEvent {
  bucket: string;
  /** The object's key, decoded in each way that the sender may have encoded it. */
  keys: string[];
}

const MAX_RECORDS = 1000;

const unknownShape =
  "Request body must be a storage notification: Records, an SNS message, or an EventBridge event of aws.s3";
const incompleteRecord = "Each record must name s3.bucket.name and s3.object.key";
const text = (error: string) => z.string({ error }).min(1, { error });
const named = <Shape extends z.ZodRawShape>(shape: Shape, error: string) => z.object(shape, { error });

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html; Ceph and others use the same format.
 */
const records = z
  .array(
    named(
      {
        s3: named(
          {
            bucket: named({ name: text(incompleteRecord) }, incompleteRecord),
            object: named({ key: text(incompleteRecord) }, incompleteRecord),
          },
          incompleteRecord,
        ),
      },
      incompleteRecord,
    ),
    { error: unknownShape },
  )
  .max(MAX_RECORDS, { error: `A notification may hold at most ${MAX_RECORDS} records` });

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html */
const incompleteDetail = "The event must name detail.bucket.name and detail.object.key";
const eventBridgeEvent = z.object({
  detail: named(
    {
      bucket: named({ name: text(incompleteDetail) }, incompleteDetail),
      object: named({ key: text(incompleteDetail) }, incompleteDetail),
    },
    incompleteDetail,
  ),
});

/** S3 sends this once, when its notifications are configured. */
const testEvent = z.object({ Event: z.literal("s3:TestEvent") });
const hasRecords = z.object({ Records: z.unknown() });
const isFromEventBridge = z.object({ source: z.literal("aws.s3") });
const unknownNotification = z.never({ error: unknownShape });

/**
 * Reads the events of a notification from S3 (direct or through EventBridge), Ceph, or other storage that uses S3's format. The
 * kind of an event is ignored: the service checks the object in any case.
 *
 * @param body parsed JSON
 * @throws {StowageError} `invalid_request` for any other shape, and for more than 1,000 records
 */
export function readStorageEvents(body: unknown): StorageEvent[] {
  if (testEvent.safeParse(body).success) return [];
  const withRecords = hasRecords.safeParse(body);
  if (withRecords.success) {
    return parse(records, withRecords.data.Records).map(({ s3 }) => ({
      bucket: s3.bucket.name,
      keys: decodings(s3.object.key),
    }));
  }
  if (isFromEventBridge.safeParse(body).success) {
    const { detail } = parse(eventBridgeEvent, body);
    return [{ bucket: detail.bucket.name, keys: [detail.object.key] }];
  }
  return parse(unknownNotification, body);
}

/**
 * AWS form-encodes the keys in Records and Ceph does not. A notification does not say which one sent it, so both decodings are
 * checked.
 */
function decodings(key: string): string[] {
  try {
    return [...new Set([decodeURIComponent(key.replaceAll("+", " ")), key])];
  } catch {
    return [key];
  }
}
