import { StowageError } from "@stowage/schemas";
import { describe, expect, test } from "vitest";
import { readStorageEvents } from "./read-storage-events.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html */
const fromAws = (key: string, eventName = "ObjectCreated:Put") => ({
  eventVersion: "2.1",
  eventSource: "aws:s3",
  awsRegion: "us-west-2",
  eventTime: "1970-01-01T00:00:00.000Z",
  eventName,
  userIdentity: { principalId: "AIDAJDPLRKLG7UEXAMPLE" },
  requestParameters: { sourceIPAddress: "127.0.0.1" },
  responseElements: {
    "x-amz-request-id": "C3D13FE58DE4C810",
    "x-amz-id-2": "FMyUVURIY8/IgAtTv8xRjskZQpcIZ9",
  },
  s3: {
    s3SchemaVersion: "1.0",
    configurationId: "testConfigRule",
    bucket: {
      name: "amzn-s3-demo-bucket",
      ownerIdentity: { principalId: "A3NL1KOZZKExample" },
      arn: "arn:aws:s3:::amzn-s3-demo-bucket",
    },
    object: {
      key,
      size: 1024,
      eTag: "d41d8cd98f00b204e9800998ecf8427e",
      versionId: "096fKKXTRTtl3on89fVO.nfljtsv6qko",
      sequencer: "0055AED6DCD90281E5",
    },
  },
});

/** https://docs.ceph.com/en/latest/radosgw/s3-notification-compatibility/ and the notifications page beside it */
const fromCeph = (key: string, eventName = "ObjectCreated:Put") => ({
  eventVersion: "2.2",
  eventSource: "ceph:s3",
  awsRegion: "default",
  eventTime: "2026-11-21T06:00:00.000000Z",
  eventName,
  userIdentity: { principalId: "stowage" },
  requestParameters: { sourceIPAddress: "" },
  responseElements: { "x-amz-request-id": "a.4185.1", "x-amz-id-2": "1059-default-default" },
  s3: {
    s3SchemaVersion: "1.0",
    configurationId: "events",
    bucket: {
      name: "files",
      ownerIdentity: { principalId: "stowage" },
      arn: "arn:aws:s3:default::files",
      id: "a.4157.1",
    },
    object: {
      key,
      size: 5,
      eTag: "5d41402abc4b2a76b9719d911017c592",
      versionId: "",
      sequencer: "F7E6",
      metadata: [],
    },
  },
  eventId: "1574334000.0.5d41402abc4b2a76b9719d911017c592",
  opaqueData: "",
});

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html */
const fromEventBridge = (key: string, detailType = "Object Created") => ({
  version: "0",
  id: "17793124-05d4-b198-2fde-7ededc63b103",
  "detail-type": detailType,
  source: "aws.s3",
  account: "111122223333",
  time: "2021-11-12T00:00:00Z",
  region: "ca-central-1",
  resources: ["arn:aws:s3:::amzn-s3-demo-bucket1"],
  detail: {
    version: "0",
    bucket: { name: "amzn-s3-demo-bucket1" },
    object: { key, size: 5, etag: "b1946ac92492d2347c6235b4d2611184", sequencer: "00617F08299329D189" },
    "request-id": "N4N7GDK58NMKJ12R",
    requester: "123456789012",
    "source-ip-address": "1.2.3.4",
    reason: "PutObject",
  },
});

const bucket = { aws: "amzn-s3-demo-bucket", ceph: "files", eventBridge: "amzn-s3-demo-bucket1" };

describe("a notification", () => {
  test.each<[string, unknown, unknown]>([
    ["of AWS", { Records: [fromAws("a/b.txt")] }, [{ bucket: bucket.aws, keys: ["a/b.txt"] }]],
    [
      "of AWS with its key form-encoded",
      { Records: [fromAws("a/%D0%BF%D1%80+%2B1.txt")] },
      [{ bucket: bucket.aws, keys: ["a/пр +1.txt", "a/%D0%BF%D1%80+%2B1.txt"] }],
    ],
    [
      "of AWS with its slashes encoded",
      { Records: [fromAws("a%2Fb.txt")] },
      [{ bucket: bucket.aws, keys: ["a/b.txt", "a%2Fb.txt"] }],
    ],
    [
      "of a removal by AWS",
      { Records: [fromAws("a", "ObjectRemoved:Delete")] },
      [{ bucket: bucket.aws, keys: ["a"] }],
    ],
    [
      "of Ceph with a raw key",
      { Records: [fromCeph("a/пр.txt", "s3:ObjectCreated:Put")] },
      [{ bucket: bucket.ceph, keys: ["a/пр.txt"] }],
    ],
    [
      "of Ceph with a raw key that could be an encoded one",
      { Records: [fromCeph("a/1+1%41")] },
      [{ bucket: bucket.ceph, keys: ["a/1 1A", "a/1+1%41"] }],
    ],
    [
      "of Ceph with a raw key that cannot be an encoded one",
      { Records: [fromCeph("100%+")] },
      [{ bucket: bucket.ceph, keys: ["100%+"] }],
    ],
    [
      "of EventBridge, whose keys are never encoded",
      fromEventBridge("a/1+1%41"),
      [{ bucket: bucket.eventBridge, keys: ["a/1+1%41"] }],
    ],
    [
      "of a removal by EventBridge",
      fromEventBridge("a", "Object Deleted"),
      [{ bucket: bucket.eventBridge, keys: ["a"] }],
    ],
    [
      "with several records",
      { Records: [fromAws("a"), fromCeph("b")] },
      [
        { bucket: bucket.aws, keys: ["a"] },
        { bucket: bucket.ceph, keys: ["b"] },
      ],
    ],
    ["with none", { Records: [] }, []],
    [
      "that tries whether we are there",
      {
        Service: "Amazon S3",
        Event: "s3:TestEvent",
        Time: "2014-10-13T15:57:02.089Z",
        Bucket: "amzn-s3-demo-bucket",
        RequestId: "5582815E1AEA5ADF",
        HostId: "8cLeGAmw098X5cv4Zkwcmo8vvZa3eH3eKxsPzbB9wrR+YstdA6Knx4Ip8EXAMPLE",
      },
      [],
    ],
  ])("%s is understood", (_what, body, events) => {
    expect(readStorageEvents(body)).toEqual(events);
  });

  const unknownShape =
    "Request body must be a storage notification: Records, an SNS message, or an EventBridge event of aws.s3";
  const incomplete = "Each record must name s3.bucket.name and s3.object.key";
  const incompleteDetail = "The event must name detail.bucket.name and detail.object.key";
  test.each<[string, unknown, string]>([
    ["null", null, unknownShape],
    ["text", "Records", unknownShape],
    ["a list", [fromAws("a")], unknownShape],
    ["an object of another kind", { event: "put" }, unknownShape],
    ["an EventBridge event of another service", { ...fromEventBridge("a"), source: "aws.ec2" }, unknownShape],
    ["Records that are no list", { Records: "all" }, unknownShape],
    ["a record that is null", { Records: [null] }, incomplete],
    ["a record of another service", { Records: [{ eventSource: "aws:sqs", body: "" }] }, incomplete],
    ["a record without a key", { Records: [{ s3: { bucket: { name: "b" }, object: {} } }] }, incomplete],
    [
      "a record with a number for a key",
      { Records: [{ s3: { bucket: { name: "b" }, object: { key: 1 } } }] },
      incomplete,
    ],
    ["a record without a bucket", { Records: [{ s3: { object: { key: "a" } } }] }, incomplete],
    ["an EventBridge event without a detail", { source: "aws.s3" }, incompleteDetail],
    [
      "1,001 records",
      { Records: Array.from({ length: 1001 }, () => fromAws("a")) },
      "A notification may hold at most 1000 records",
    ],
  ])("that is %s is refused", (_what, body, detail) => {
    expect(() => readStorageEvents(body)).toThrow(new StowageError("invalid_request", { detail }));
  });
});
