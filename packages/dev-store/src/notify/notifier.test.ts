import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { aReceiver, type Receiver } from "../../test/a-receiver.js";
import { aStore, BUCKET } from "../../test/a-store.js";
import { createNotifier, type Notifier, type NotifierDeps } from "./notifier.js";

afterEach(() => void vi.useRealTimers());

const heard = ({ records }: Receiver): string[] =>
  records.map(({ eventName, s3 }) => `${eventName} ${s3.object.key}`);

function aNotifier(
  receiver: Pick<Receiver, "url">,
  deps: Partial<NotifierDeps> = {},
): Notifier & { errors: string[]; put(key: string): void } {
  const errors: string[] = [];
  const notifier = createNotifier(
    { url: receiver.url, secret: "the secret" },
    {
      region: "us-east-1",
      now: () => new Date(),
      onError: (error) => errors.push((error as Error).message),
      retryDelaysMs: [1, 1, 1],
      ...deps,
    },
  );
  onTestFinished(() => notifier.stop());
  const put = (key: string): void =>
    notifier.notify({ event: "ObjectCreated:Put", bucket: BUCKET, key, etag: "e", sizeBytes: 1 });
  return { ...notifier, errors, put };
}

test("reports each written or removed object, and nothing else", async () => {
  const receiver = await aReceiver();
  const { client } = await aStore({ notify: { url: receiver.url, secret: "a secret of events" } });
  const at = (Key: string) => ({ Bucket: BUCKET, Key });
  await client.send(new PutObjectCommand({ ...at("a"), Body: "hello" }));
  await client.send(new CopyObjectCommand({ ...at("b"), CopySource: `${BUCKET}/a` }));
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at("c")));
  const { ETag } = await client.send(
    new UploadPartCommand({ ...at("c"), UploadId, PartNumber: 1, Body: "part" }),
  );
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await client.send(new CompleteMultipartUploadCommand({ ...at("c"), UploadId, MultipartUpload }));
  const refused = client.send(new PutObjectCommand({ ...at("a"), Body: "x", IfNoneMatch: "*" }));
  await expect(refused).rejects.toMatchObject({ name: "PreconditionFailed" });
  await client.send(new DeleteObjectCommand(at("a")));
  await client.send(new DeleteObjectCommand(at("never-was")));
  const Delete = { Objects: [{ Key: "b" }, { Key: "c" }] };
  await client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete, ChecksumAlgorithm: "CRC32" }));
  await expect.poll(() => receiver.records).toHaveLength(6);
  expect(heard(receiver)).toEqual([
    "ObjectCreated:Put a",
    "ObjectCreated:Copy b",
    "ObjectCreated:CompleteMultipartUpload c",
    "ObjectRemoved:Delete a",
    "ObjectRemoved:Delete b",
    "ObjectRemoved:Delete c",
  ]);
  expect(receiver.records[0]).toMatchObject({
    eventVersion: "2.1",
    eventSource: "aws:s3",
    s3: {
      bucket: { name: BUCKET },
      object: { key: "a", size: 5, eTag: "5d41402abc4b2a76b9719d911017c592" },
    },
  });
  const sequencers = receiver.records.map(({ s3 }) => s3.object.sequencer);
  expect(sequencers).toEqual([...new Set(sequencers)].sort());
  expect(receiver.requests[0]?.authorization).toBe("Bearer a secret of events");
});

test("form-encodes keys", async () => {
  const receiver = await aReceiver();
  const { client } = await aStore({ notify: { url: receiver.url } });
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "a/ü 1+1=100%'.txt", Body: "" }));
  await expect.poll(() => receiver.records).toHaveLength(1);
  expect(receiver.records[0]?.s3.object.key).toBe("a/%C3%BC+1%2B1%3D100%25%27.txt");
});

test("does not delay or fail a client if the receiver does not listen or answer", async () => {
  const [silent, gone] = [await aReceiver(), await aReceiver()];
  silent.answers.push("nothing");
  await gone.stop();
  for (const { url } of [silent, gone]) {
    const { client, stop } = await aStore({ notify: { url } });
    const startedAt = Date.now();
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "a", Body: "x" }));
    await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: "a" }));
    await stop();
    // The attempts to reach the receiver take 21 seconds.
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  }
});

test("retries while the receiver is down, and keeps the order", async () => {
  const receiver = await aReceiver();
  receiver.answers.push(503, 500, 429);
  const notifier = aNotifier(receiver);
  for (const key of ["a", "b", "c", "d"]) notifier.put(key);
  await expect.poll(() => receiver.records).toHaveLength(4);
  expect(heard(receiver).join()).toBe("a,b,c,d".replaceAll(/\w/g, "ObjectCreated:Put $&"));
  expect(notifier.errors).toEqual([]);
});

test("drops events after the last retry, reports it once, and continues with the next", async () => {
  const receiver = await aReceiver();
  receiver.answers.push(503, 503, 503, 503);
  const notifier = aNotifier(receiver);
  notifier.put("lost");
  await expect.poll(() => notifier.errors).toEqual(["Events dropped: 1, because the receiver answered 503"]);
  notifier.put("heard");
  await expect.poll(() => heard(receiver)).toEqual(["ObjectCreated:Put heard"]);
});

test.each([400, 401, 404, 302])("does not retry after %i", async (status) => {
  const receiver = await aReceiver();
  receiver.answers.push(status);
  const notifier = aNotifier(receiver);
  notifier.put("refused");
  await expect
    .poll(() => notifier.errors)
    .toEqual([`Events dropped: 1, because the receiver answered ${status}`]);
  notifier.put("heard");
  await expect.poll(() => heard(receiver)).toEqual(["ObjectCreated:Put heard"]);
  expect(receiver.requests).toHaveLength(2);
});

test("keeps the newest events if the queue is full, and reports how many it dropped", async () => {
  const receiver = await aReceiver();
  receiver.answers.push(503);
  const notifier = aNotifier(receiver, { queueLength: 3, retryDelaysMs: [100] });
  notifier.put("first");
  await expect.poll(() => receiver.requests).toHaveLength(1);
  for (const key of ["a", "b", "c", "d", "e"]) notifier.put(key);
  await expect.poll(() => receiver.records).toHaveLength(4);
  expect(heard(receiver)).toEqual(["first", "c", "d", "e"].map((key) => `ObjectCreated:Put ${key}`));
  expect(notifier.errors).toEqual(["Events dropped: 2, because the queue was full"]);
});

test("reports neither the URL nor the secret", async () => {
  const gone = await aReceiver();
  await gone.stop();
  const notifier = aNotifier({ url: `${gone.url}?secret=hidden` });
  notifier.put("a");
  await expect.poll(() => notifier.errors).toHaveLength(1);
  expect(notifier.errors[0]).toBe("Events dropped: 1, because the receiver did not answer (ECONNREFUSED)");
});

test("stops within a second with events in the queue, and sends nothing more", async () => {
  const receiver = await aReceiver();
  receiver.answers.push("nothing");
  const notifier = aNotifier(receiver);
  notifier.put("a");
  await expect.poll(() => receiver.requests).toHaveLength(1);
  notifier.put("b");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stopped = notifier.stop();
  vi.advanceTimersByTime(1000);
  await stopped;
  vi.useRealTimers();
  notifier.put("c");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(receiver.requests).toHaveLength(1);
  expect(notifier.errors).toEqual([]);
});
