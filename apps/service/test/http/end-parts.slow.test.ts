import type { CancelResponse, File } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { DAY_MS } from "#lib/time.js";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { readCounters } from "../fixtures/a-stored-file.js";
import { anOpenUpload, call } from "../fixtures/call.js";
import { readStoredObject } from "../fixtures/direct-access.js";
import {
  completeInStorage,
  listParts,
  listStoredMultiparts,
  PART_BYTES,
  sendParts,
} from "../fixtures/send-parts.js";

const SECRET = "the-secret-of-storage";
const DAYS = 3;

let service: RunningService;
let replica: RunningService;
let aheadMs = 0;
beforeAll(async () => {
  const settings = { STORAGE_EVENTS_SECRET: SECRET, UPLOAD_SESSION_DAYS: String(DAYS) };
  const clock = () => new Date(Date.now() + aheadMs);
  [service, replica] = await Promise.all([aService(settings, { clock }), aService(settings, { clock })]);
});
afterAll(() => Promise.all([service.close(), replica.close()]));

type Body<Answer> = Answer & { detail?: string };
const complete = (key: string, file_path: string, at = service) =>
  call<Body<File>>(`${at.url}/api/storage/complete/`, { key, body: { file_path } });
const cancel = (key: string, body: { file_path: string; tenant_id?: string }, at = service) =>
  call<Body<CancelResponse>>(`${at.url}/api/storage/cancel/`, { key, body });

/** An upload whose last part has three bytes. */
async function anUpload({ parts = 1, numbers = [1] }: { parts?: number; numbers?: number[] } = {}) {
  const { apiKey: key, ref } = await aProject();
  const size = (parts - 1) * PART_BYTES + 3;
  const body = { tenant_id: "t", filename: "naïve.bin", size, part_size: PART_BYTES };
  const { file_path } = await anOpenUpload(service.url, key, body);
  if (numbers.length > 0) await sendParts(service.url, key, file_path, { numbers });
  return { key, ref, file_path, size };
}

async function expectUsage(ref: string, usage: { used: number; reserved: number; files: number }) {
  expect(await readCounters(ref)).toEqual({ counted: usage, rows: usage });
}

test("completing says which parts are missing, and answers the file once all are stored, on every replica", async () => {
  const { key, ref, file_path, size } = await anUpload({ parts: 2, numbers: [1] });
  const incomplete = await complete(key, file_path);
  expect(incomplete).toMatchObject({
    status: 409,
    body: { detail: "Upload is incomplete: 1 of 2 parts are stored" },
  });
  expect(incomplete.headers.get("x-error-code")).toBe("upload_incomplete");
  await expectUsage(ref, { used: 0, reserved: size, files: 0 });
  await sendParts(service.url, key, file_path, { numbers: [2] });
  for (const at of [service, replica]) {
    expect(await complete(key, file_path, at)).toMatchObject({
      status: 200,
      body: { file_path, size, status: "stored", etag: expect.stringMatching(/-2$/) },
    });
  }
  expect(await readStoredObject(file_path)).toMatchObject({ sizeBytes: size });
  await expectUsage(ref, { used: size, reserved: 0, files: 1 });
});

test("cancelling leaves nothing in storage when it answers, and can be repeated on every replica", async () => {
  const { key, ref, file_path } = await anUpload({ parts: 2, numbers: [2] });
  expect(await cancel(key, { file_path, tenant_id: "another" })).toMatchObject({ status: 404 });
  expect(await cancel((await aProject()).apiKey, { file_path })).toMatchObject({ status: 404 });
  for (const at of [service, replica]) {
    expect(await cancel(key, { file_path, tenant_id: "t" }, at)).toMatchObject({
      status: 200,
      body: { file_path, cancelled: true },
    });
    expect(await listStoredMultiparts(file_path)).toEqual([]);
    await expectUsage(ref, { used: 0, reserved: 0, files: 0 });
  }
  expect(await complete(key, file_path)).toMatchObject({ status: 404 });
  expect(await listParts(service.url, key, { file_path })).toMatchObject({ status: 404 });
});

test("a complete upload cannot be cancelled", async () => {
  const { key, ref, file_path, size } = await anUpload();
  await complete(key, file_path);
  expect(await cancel(key, { file_path })).toMatchObject({
    status: 409,
    body: { detail: "Upload is already stored" },
  });
  await expectUsage(ref, { used: size, reserved: 0, files: 1 });
});

test("an upload whose time is over says so, unless all its parts are stored", async () => {
  const [incomplete, whole] = [await anUpload({ numbers: [] }), await anUpload()];
  aheadMs = DAYS * DAY_MS + 1000;
  try {
    const answer = await complete(incomplete.key, incomplete.file_path);
    expect(answer).toMatchObject({ status: 409, body: { detail: "Upload has expired" } });
    expect(answer.headers.get("x-error-code")).toBe("upload_expired");
    expect(await complete(whole.key, whole.file_path)).toMatchObject({ status: 200, body: { size: 3 } });
  } finally {
    aheadMs = 0;
  }
});

describe("a storage event", () => {
  const encoded = (path: string) => encodeURIComponent(path).replaceAll("%2F", "/");
  const notify = (eventSource: string, eventName: string, key: string) =>
    call<{ looked_at: number }>(`${service.url}/internal/storage-events`, {
      headers: { Authorization: `Bearer ${SECRET}` },
      body: {
        Records: [
          { eventSource, eventName, s3: { bucket: { name: inject("servers").S3_BUCKET }, object: { key } } },
        ],
      },
    });

  /** https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-how-to-event-types-and-destinations.html */
  test.each<[string, (path: string) => ReturnType<typeof notify>]>([
    ["AWS", (path) => notify("aws:s3", "ObjectCreated:CompleteMultipartUpload", encoded(path))],
    ["Ceph", (path) => notify("ceph:s3", "s3:ObjectCreated:CompleteMultipartUpload", path)],
  ])("of %s about a completion without an answer records the file", async (_store, send) => {
    const { ref, file_path, size } = await anUpload();
    expect(await send(file_path)).toMatchObject({ status: 200, body: { looked_at: 1 } });
    await expectUsage(ref, { used: 0, reserved: size, files: 0 });
    await completeInStorage(file_path, new Uint8Array(3).fill(1));
    for (let times = 0; times < 2; times++) {
      expect(await send(file_path)).toMatchObject({ status: 200, body: { looked_at: 1 } });
      await expectUsage(ref, { used: size, reserved: 0, files: 1 });
    }
  });
});
