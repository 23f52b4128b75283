import { randomBytes } from "node:crypto";
import { uriEncodePath } from "../http/uri-encode.js";
import type { Change } from "./change.js";

/**
 * Converts a change to an S3 event record, with a form-encoded key:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 *
 * @param sequencer increases with each change: of two records of one key, the greater one is later
 */
export function toRecord(change: Change, at: Date, place: { region: string; sequencer: bigint }): object {
  const created =
    change.event === "ObjectRemoved:Delete" ? {} : { size: change.sizeBytes, eTag: change.etag };
  return {
    eventVersion: "2.1",
    eventSource: "aws:s3",
    awsRegion: place.region,
    eventTime: at.toISOString(),
    eventName: change.event,
    userIdentity: { principalId: "dev-store" },
    requestParameters: { sourceIPAddress: "127.0.0.1" },
    responseElements: { "x-amz-request-id": randomBytes(8).toString("hex").toUpperCase() },
    s3: {
      s3SchemaVersion: "1.0",
      configurationId: "dev-store",
      bucket: {
        name: change.bucket,
        ownerIdentity: { principalId: "dev-store" },
        arn: `arn:aws:s3:::${change.bucket}`,
      },
      object: {
        key: uriEncodePath(change.key).replaceAll("%20", "+"),
        ...created,
        sequencer: place.sequencer.toString(16).toUpperCase().padStart(16, "0"),
      },
    },
  };
}
