import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { freePort } from "@stowage/dev-postgres";
import { startDevStore } from "@stowage/dev-store";
import type { UploadResponse } from "@stowage/schemas";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aSns, OTHER_TOPIC, type TestSns, TOPIC } from "../fixtures/a-sns.js";
import { type Answer, anOpenUpload, anUpload, call, putBytes } from "../fixtures/call.js";
import { queryDatabase, readStoredObject } from "../fixtures/direct-access.js";
import { completeInStorage, sendParts } from "../fixtures/send-parts.js";

const SECRET = "the-secret-of-storage";
const PATH = "/internal/storage-events";
const bytes = Buffer.from("hello");

let service: RunningService;
let sns: TestSns;
let key: string;
beforeAll(async () => {
  sns = await aSns();
  service = await aService(
    { STORAGE_EVENTS_SECRET: SECRET, STORAGE_EVENTS_SNS_TOPICS: TOPIC },
    { snsAgent: sns.agent },
  );
  key = (await aProject()).apiKey;
});
afterAll(async () => {
  await service.close();
  sns.close();
});

const post = (
  body: unknown,
  headers: Record<string, string> = { Authorization: `Bearer ${SECRET}` },
): Promise<Answer<{ looked_at?: number; detail?: string }>> => call(service.url + PATH, { body, headers });

const bucket = () => inject("servers").S3_BUCKET;
const encoded = (path: string) => encodeURIComponent(path).replaceAll("%2F", "/").replaceAll("%20", "+");
const record = (objectKey: string, eventName = "ObjectCreated:Put", bucketName = bucket()) => ({
  eventName,
  s3: { bucket: { name: bucketName }, object: { key: objectKey } },
});
const fromAws = (path: string) => ({ Records: [{ eventSource: "aws:s3", ...record(encoded(path)) }] });

/** Makes an upload whose bytes are in storage. The service has got neither a completion nor an event for it. */
async function aPut(filename = "naïve café.txt"): Promise<UploadResponse> {
  const upload = await anUpload(service.url, key, { tenant_id: "t", filename });
  expect(await putBytes(upload, bytes)).toBe(200);
  return upload;
}

async function rowOf(path: string): Promise<{ status: string; size: number | null } | undefined> {
  const [row] = await queryDatabase<{ status: string; size: string | null }>(
    "select status, size from files where path = $1",
    [path],
  );
  return row && { status: row.status, size: row.size === null ? null : Number(row.size) };
}

describe("an event", () => {
  test.each<[string, (path: string) => unknown, string]>([
    ["the format of AWS", fromAws, "application/json"],
    [
      "the format of Ceph",
      (path) => ({
        Records: [{ eventVersion: "2.2", eventSource: "ceph:s3", ...record(path, "s3:ObjectCreated:Put") }],
      }),
      "application/json",
    ],
    [
      "the format of EventBridge",
      (path) => ({
        source: "aws.s3",
        "detail-type": "Object Created",
        detail: { bucket: { name: bucket() }, object: { key: path } },
      }),
      "application/json",
    ],
    [
      "the format of SNS",
      (path) => sns.notification(JSON.stringify(fromAws(path))),
      "text/plain; charset=UTF-8",
    ],
    [
      "the format of SNS with signature version 1",
      (path) => sns.notification(JSON.stringify(fromAws(path)), { SignatureVersion: "1" }),
      "text/plain; charset=UTF-8",
    ],
    [
      "a removal",
      (path) => ({ Records: [record(encoded(path), "ObjectRemoved:Delete")] }),
      "application/json",
    ],
  ])("makes the service check storage: %s", async (_format, toBody, contentType) => {
    const { file_path: path } = await aPut();
    expect(await rowOf(path)).toEqual({ status: "pending", size: null });
    const headers = { Authorization: `Bearer ${SECRET}`, "Content-Type": contentType };
    const answer = await post(JSON.stringify(toBody(path)), headers);
    expect(answer).toMatchObject({ status: 200, body: { looked_at: 1 } });
    expect(await rowOf(path)).toEqual({ status: "stored", size: bytes.length });
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await post(JSON.stringify(toBody(path)), headers)).toMatchObject({ status: 200 });
    expect(await rowOf(path)).toEqual({ status: "stored", size: bytes.length });
  });

  test("changes nothing before the bytes arrive", async () => {
    const upload = await anUpload(service.url, key, { tenant_id: "t", filename: "a.txt" });
    expect(await post(fromAws(upload.file_path))).toMatchObject({ status: 200, body: { looked_at: 1 } });
    expect(await rowOf(upload.file_path)).toEqual({ status: "pending", size: null });
  });
});

test("an event for a deleted file removes its object, also after its URL was replayed", async () => {
  const upload = await aPut();
  const path = upload.file_path;
  await post(fromAws(path));
  await queryDatabase(
    `with deleted as (update files set status = 'deleting' where path = $1 returning *)
     update tenants set used_bytes = used_bytes - size, file_count = file_count - 1 from deleted
     where tenants.project_id = deleted.project_id and tenants.id = deleted.tenant`,
    [path],
  );
  expect(await post(fromAws(path))).toMatchObject({ status: 200 });
  expect(await rowOf(path)).toBeUndefined();
  expect(await readStoredObject(path)).toBeNull();

  expect(await putBytes(upload, bytes)).toBe(200);
  expect(await post(fromAws(path))).toMatchObject({ status: 200, body: { looked_at: 1 } });
  expect(await readStoredObject(path)).toBeNull();
});

test("events for unknown paths and other buckets are ignored", async () => {
  const { file_path: path } = await aPut();
  const [, ref, , tenant] = path.split("/");
  const others = [
    "a.txt",
    "",
    `projects/${ref}`,
    `projects/${ref}/tenants/${tenant}/unknown.txt`,
    `projects/${ref}/tenants/${tenant}/\0`,
    `projects/${ref}/tenants/${tenant}/half of a pair \ud83d.txt`,
    path.replace(ref!, "0".repeat(22)),
    `${path}/x`,
    "x".repeat(2000),
  ].filter(Boolean);
  const events = { Records: [...others.map((other) => record(other)), record(path, "x", "another-bucket")] };
  expect(await post(events)).toMatchObject({ status: 200, body: { looked_at: 0 } });
  expect(await post({ Service: "Amazon S3", Event: "s3:TestEvent", Bucket: bucket() })).toMatchObject({
    status: 200,
    body: { looked_at: 0 },
  });
  expect(await rowOf(path)).toEqual({ status: "pending", size: null });
});

test("one request checks 1,000 records, each path once", async () => {
  const own = await aProject();
  const uploads: UploadResponse[] = [];
  for (let i = 0; i < 20; i++) {
    const batch = Array.from({ length: 50 }, () =>
      anUpload(service.url, own.apiKey, { tenant_id: "many", filename: "a b.txt" }),
    );
    uploads.push(...(await Promise.all(batch)));
  }
  const stored = uploads.filter((_, i) => i % 10 === 0);
  for (const upload of stored) await putBytes(upload, bytes);
  const all = { Records: uploads.map(({ file_path: path }) => record(encoded(path))) };
  expect(await post(all)).toMatchObject({ status: 200, body: { looked_at: 1000 } });
  const usage = () =>
    queryDatabase(
      `select used_bytes::int as used, file_count as files from tenants
       where tenant_id = 'many' and project_id = (select id from projects where ref = $1)`,
      [own.ref],
    );
  expect(await usage()).toEqual([{ used: 100 * bytes.length, files: 100 }]);

  const same = { Records: Array.from({ length: 1000 }, () => record(encoded(uploads[0]!.file_path))) };
  expect(await post(same)).toMatchObject({ status: 200, body: { looked_at: 1 } });
  expect(await usage()).toEqual([{ used: 100 * bytes.length, files: 100 }]);
}, 300_000);

describe("the secret", () => {
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

  test.each<[string, Record<string, string>, string]>([
    ["as a bearer token", { Authorization: `Bearer ${SECRET}` }, ""],
    ["as a bearer token with the scheme in lower case", { Authorization: `bearer ${SECRET}` }, ""],
    ["as a password", { Authorization: basic("events", SECRET) }, ""],
    ["in the URL", {}, `?secret=${SECRET}`],
  ])("is accepted %s", async (_how, headers, query) => {
    const answer = await call(service.url + PATH + query, { body: { Records: [] }, headers });
    expect(answer).toMatchObject({ status: 200, body: { looked_at: 0 } });
  });

  test.each<[string, () => Record<string, string>, string]>([
    ["no secret", () => ({}), ""],
    ["a wrong secret", () => ({ Authorization: "Bearer another-secret-altogether" }), ""],
    ["a part of the secret", () => ({ Authorization: `Bearer ${SECRET.slice(0, -1)}` }), ""],
    ["a customer's key", () => ({ Authorization: `Bearer ${key}` }), ""],
    ["a wrong password", () => ({ Authorization: basic(SECRET, "") }), ""],
    ["the secret in another scheme", () => ({ Authorization: `Digest ${SECRET}` }), ""],
    ["a wrong secret in the URL", () => ({}), "?secret=x"],
    ["two secrets in the URL", () => ({}), `?secret=${SECRET}&secret=x`],
  ])("is required: %s gets 401, with any body", async (_what, headers, query) => {
    for (const body of [{ Records: [] }, "{broken", "x".repeat(2_000_000)]) {
      const answer = await call(service.url + PATH + query, { body, headers: headers() });
      expect(answer).toMatchObject({ status: 401, body: { detail: "Unauthorized" } });
      expect(answer.headers.get("www-authenticate")).toBe('Basic realm="storage events"');
    }
  });

  test("is not accepted in place of a customer's key", async () => {
    expect((await call(`${service.url}/api/storage/files/`, { key: SECRET })).status).toBe(401);
  });

  test("enables the endpoint: without the setting the service answers 404", async () => {
    const without = await aService();
    const answer = await call(`${without.url + PATH}?secret=`, { body: { Records: [] }, key: "" });
    expect(answer).toMatchObject({ status: 404, body: { detail: "Not found" } });
    await without.close();
  });

  test("is in no log line, and neither are the paths of events", async () => {
    const { file_path: path } = await aPut();
    await call(`${service.url + PATH}?secret=${SECRET}`, { body: fromAws(path) });
    await call(`${service.url + PATH}/?secret=${SECRET}&x=%`, { body: "{broken" });
    await call(`${service.url + PATH}/more?secret=${SECRET}`, { body: {} });
    await post(sns.notification("{}", { SigningCertURL: `https://example.com/?${SECRET}` }));
    expect(service.log()).toContain('"route":"/internal/storage-events"');
    expect(service.log()).not.toContain(SECRET);
    expect(service.log()).not.toContain(path);
  });
});

describe("the body of a notification", () => {
  test.each<[string, unknown, number, string]>([
    ["broken JSON", "{broken", 400, "Request body must be valid JSON"],
    [
      "an unknown shape",
      { hello: "world" },
      400,
      "Request body must be a storage notification: Records, an SNS message, or an EventBridge event of aws.s3",
    ],
    [
      "1,001 records",
      { Records: Array.from({ length: 1001 }, () => record("a")) },
      400,
      "A notification may hold at most 1000 records",
    ],
    ["more than 1 MiB", "x".repeat(1024 * 1024 + 1), 413, "Request body must be at most 1048576 bytes"],
  ])("is refused: %s", async (_what, body, status, detail) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status, body: { detail } });
    expect(Object.keys(answer.body)).toEqual(["detail"]);
  });

  test("may have exactly 1 MiB", async () => {
    const body = JSON.stringify({ Records: [], pad: "" });
    const padded = body.replace('""', `"${"x".repeat(1024 * 1024 - body.length)}"`);
    expect(await post(padded)).toMatchObject({ status: 200 });
  });
});

describe("an SNS message", () => {
  beforeEach(() => sns.requests.splice(0));
  afterEach(() => sns.answerWith(undefined));

  const topicRefused = "The SNS topic is not listed in STORAGE_EVENTS_SNS_TOPICS";
  const forged = "The SNS message's signature is not valid";
  test.each<[string, (good: Record<string, string>) => object, number, string]>([
    ["a changed Message", (good) => ({ ...good, Message: '{"Records":[]}' }), 401, forged],
    ["a changed Subject", (good) => ({ ...good, Subject: "x" }), 401, forged],
    ["a changed Timestamp", (good) => ({ ...good, Timestamp: new Date(0).toISOString() }), 401, forged],
    ["an empty Signature", (good) => ({ ...good, Signature: "" }), 401, forged],
    [
      "a certificate of another host",
      (good) => ({
        ...good,
        SigningCertURL: good["SigningCertURL"]!.replace("amazonaws.com", "amazonaws.com.example.com"),
      }),
      401,
      forged,
    ],
    [
      "a certificate of another path of the right host",
      (good) => ({ ...good, SigningCertURL: "https://sns.us-east-1.amazonaws.com/?x=.pem" }),
      401,
      forged,
    ],
    [
      "a certificate over plain HTTP",
      (good) => ({ ...good, SigningCertURL: good["SigningCertURL"]!.replace("https:", "http:") }),
      401,
      forged,
    ],
    ["the other signature version", (good) => ({ ...good, SignatureVersion: "1" }), 401, forged],
    [
      "an unknown signature version",
      (good) => ({ ...good, SignatureVersion: "3" }),
      400,
      "The SNS message must have SignatureVersion 1 or 2",
    ],
    ["a changed TopicArn", (good) => ({ ...good, TopicArn: OTHER_TOPIC }), 401, topicRefused],
    [
      "a list in place of the Message text",
      (good) => ({ ...good, Message: [good["Message"]] }),
      400,
      "The SNS message must have Message as a string",
    ],
    [
      "no signature",
      ({ Signature: _, ...good }) => good,
      400,
      "The SNS message must have Signature as a string",
    ],
    ["an unknown Type", (good) => ({ ...good, Type: "Hello" }), 400, "The SNS message is of an unknown Type"],
  ])("is refused with %s", async (_what, change, status, detail) => {
    const { file_path: path } = await aPut();
    const good = sns.notification(JSON.stringify(fromAws(path)));
    expect(await post(change(good))).toMatchObject({ status, body: { detail } });
    expect(await rowOf(path)).toEqual({ status: "pending", size: null });
    expect(sns.requests.every((url) => url.endsWith(".pem"))).toBe(true);
  });

  test("is refused for another topic, also with a valid signature", async () => {
    const message = sns.notification(JSON.stringify(fromAws("x")), { TopicArn: OTHER_TOPIC });
    expect(await post(message)).toMatchObject({ status: 401, body: { detail: topicRefused } });
    const confirmation = sns.confirmation({ TopicArn: OTHER_TOPIC });
    expect(await post(confirmation)).toMatchObject({ status: 401, body: { detail: topicRefused } });
    expect(sns.requests).toEqual([]);
  });

  test("is refused if no topic is allowed", async () => {
    const without = await aService({ STORAGE_EVENTS_SECRET: SECRET }, { snsAgent: sns.agent });
    const answer = await call(`${without.url + PATH}?secret=${SECRET}`, { body: sns.notification("{}") });
    expect(answer).toMatchObject({ status: 401, body: { detail: topicRefused } });
    await without.close();
  });

  test("needs the secret as well", async () => {
    expect(await post(sns.notification(JSON.stringify(fromAws("x"))), {})).toMatchObject({ status: 401 });
  });

  test("makes the service confirm the subscription, after it has verified the message", async () => {
    expect(await post(sns.confirmation())).toMatchObject({ status: 200, body: { looked_at: 0 } });
    expect(sns.requests.at(-1)).toBe(`/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`);
    expect(await post(sns.confirmation({ SignatureVersion: "1" }))).toMatchObject({ status: 200 });
    expect(await post(sns.confirmation({ Type: "UnsubscribeConfirmation" }))).toMatchObject({ status: 200 });
    expect(sns.requests.filter((url) => url.startsWith("/?"))).toHaveLength(2);
  });

  test("that is forged does not make the service confirm a subscription", async () => {
    const good = sns.confirmation();
    for (const change of [
      { Token: "x" },
      { SubscribeURL: `${good["SubscribeURL"]}x` },
      { Signature: "eA==" },
    ]) {
      expect(await post({ ...good, ...change })).toMatchObject({ status: 401, body: { detail: forged } });
    }
    expect(sns.requests.filter((url) => url.startsWith("/?"))).toEqual([]);
  });

  test.each([
    "https://sns.us-east-1.amazonaws.com.example.com/?Action=ConfirmSubscription",
    `http://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
    `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
    `https://user@sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
    `https://sns.us-east-1.amazonaws.com:8443/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
    `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${OTHER_TOPIC}`,
    `https://sns.us-east-1.amazonaws.com/?Action=DeleteTopic&TopicArn=${TOPIC}`,
    "nonsense",
  ])("cannot make the service request %s", async (SubscribeURL) => {
    const detail = "The SNS message's SubscribeURL does not belong to its topic";
    expect(await post(sns.confirmation({ SubscribeURL }))).toMatchObject({ status: 401, body: { detail } });
    expect(sns.requests.filter((url) => url.startsWith("/?"))).toEqual([]);
  });

  test("gets 503 while SNS does not serve its certificate or its confirmation", async () => {
    const fresh = await aService(
      { STORAGE_EVENTS_SECRET: SECRET, STORAGE_EVENTS_SNS_TOPICS: `${OTHER_TOPIC}, ${TOPIC}` },
      { snsAgent: sns.agent },
    );
    const send = (body: unknown) => call(`${fresh.url + PATH}?secret=${SECRET}`, { body });
    const message = sns.notification(JSON.stringify({ Records: [] }));
    sns.answerWith("nothing");
    const startedAt = Date.now();
    const silent = await send(message);
    expect(silent).toMatchObject({ status: 503, body: { detail: "Service temporarily unavailable" } });
    expect(Number(silent.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    // SNS never answers. The service gives up after five seconds.
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    // An error page is not a certificate. It verifies no message, and the service must not cache it.
    sns.answerWith(500);
    expect(await send(message)).toMatchObject({ status: 401 });
    sns.answerWith(undefined);
    expect(await send(message)).toMatchObject({ status: 200 });
    sns.answerWith(500);
    expect(await send(message)).toMatchObject({ status: 200 }); // verified with the cached certificate
    expect(await send(sns.confirmation())).toMatchObject({ status: 503 });
    await fresh.close();
  });
});

describe("the service answers an event with 503 and Retry-After", () => {
  test.each<[string, Record<string, string>]>([
    ["the database", { DATABASE_URL: "postgres://u:p@127.0.0.1:1/d", DATABASE_TIMEOUT_MS: "1000" }],
    ["storage", { S3_ENDPOINT: "http://127.0.0.1:1", S3_TIMEOUT_MS: "500" }],
  ])("while %s is down", async (_what, settings) => {
    const { file_path: path } = await aPut();
    const broken = await aService({ STORAGE_EVENTS_SECRET: SECRET, ...settings });
    const answer = await call(`${broken.url + PATH}?secret=${SECRET}`, { body: fromAws(path) });
    expect(answer).toMatchObject({ status: 503, body: { detail: "Service temporarily unavailable" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    await broken.close();
  });
});

test("an event of dev-store alone makes the service count a file, without a completion or the sweeper", async () => {
  const dir = await mkdtemp(join(tmpdir(), "stowage-events-"));
  const credentials = { accessKeyId: "events", secretAccessKey: "events-secret" };
  const port = await freePort();
  const own = await aService({
    STORAGE_EVENTS_SECRET: SECRET,
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: "events",
    S3_REGION: "us-east-1",
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
  const store = await startDevStore({
    dir,
    port,
    ...credentials,
    buckets: ["events"],
    notify: { url: own.url + PATH, secret: SECRET },
  });
  try {
    const upload = await anUpload(own.url, key, { tenant_id: "t", filename: "späte Größe.txt" });
    expect(await putBytes(upload, bytes)).toBe(200);
    await expect
      .poll(() => rowOf(upload.file_path), { interval: 20 })
      .toEqual({ status: "stored", size: bytes.length });
    // The service also counts a replay of the PUT with other bytes.
    expect(await putBytes(upload, Buffer.from("longer than before"))).toBe(200);
    await expect
      .poll(() => rowOf(upload.file_path), { interval: 20 })
      .toEqual({ status: "stored", size: 18 });
    const byParts = await anOpenUpload(own.url, key, { tenant_id: "t", filename: "a.bin", size: 3 });
    await sendParts(own.url, key, byParts.file_path, { numbers: [1] });
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      forcePathStyle: true,
      credentials,
    });
    await completeInStorage(byParts.file_path, new Uint8Array(3).fill(1), { client, bucket: "events" });
    await expect
      .poll(() => rowOf(byParts.file_path), { interval: 20 })
      .toEqual({ status: "stored", size: 3 });
  } finally {
    await store.stop();
    await own.close();
    await rm(dir, { recursive: true, force: true });
  }
});
