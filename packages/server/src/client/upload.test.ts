import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { hangsUp, says } from "@stowage/service-fake";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aClientSetup, deleted, unavailable, type ClientSetup } from "../../test/client-setup.js";
import { refusesPut, refusesWithoutMd5 } from "../../test/fake-storage.js";
import type { UploadInput, UploadProgress } from "./upload-input.js";

let setup: ClientSetup;
let folder: string;
beforeEach(async () => {
  setup = await aClientSetup();
  folder = await mkdtemp(join(tmpdir(), "stowage-client-"));
});
afterEach(async () => {
  await setup[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const text = "hello, Grüße";
const bytes = new TextEncoder().encode(text);
const size = bytes.byteLength;
const sources: [string, () => UploadInput][] = [
  ["a Blob", () => ({ tenantId: "u", file: new Blob([bytes], { type: "text/plain" }), filename: "a.txt" })],
  ["a File", () => ({ tenantId: "u", file: new File([bytes], "a.txt", { type: "text/plain" }) })],
  ["a path", () => ({ tenantId: "u", file: join(folder, "a.txt") })],
  ["bytes", () => ({ tenantId: "u", file: bytes, filename: "a.txt" })],
  ["a Buffer", () => ({ tenantId: "u", file: Buffer.from(bytes), filename: "a.txt" })],
  ["a Readable", () => ({ tenantId: "u", file: Readable.from([bytes]), filename: "a.txt", size })],
  ["a Web stream", () => ({ tenantId: "u", file: new Blob([bytes]).stream(), filename: "a.txt", size })],
];

test.each(sources)("uploads %s", async (_name, input) => {
  await writeFile(join(folder, "a.txt"), bytes);
  setup.service.next(setup.ticket);
  const file = await setup.createClient().upload(input());
  expect(file).toMatchObject({ tenantId: "u", status: "stored", createdAt: expect.any(String) });
  expect(setup.service.calls[0]?.body).toMatchObject({ tenant_id: "u", filename: "a.txt", size });
  expect(setup.service.calls[1]?.body).toEqual({ file_path: file.filePath, tenant_id: "u" });
  const [put] = setup.storage.puts;
  expect(put?.bytes.toString()).toBe(text);
  expect(put?.headers).toMatchObject({ "content-length": String(size), "content-type": "text/plain" });
  expect(put?.headers).not.toHaveProperty("transfer-encoding");
  expect(put?.headers).not.toHaveProperty("authorization");
});

test("uploads an empty file", async () => {
  setup.service.next(setup.ticket);
  await setup.createClient().upload({ tenantId: "u", file: new Uint8Array(), filename: "empty" });
  expect(setup.storage.puts[0]?.headers["content-length"]).toBe("0");
});

test("requires size for a stream and filename for bytes, before it calls the service", async () => {
  const stream = { tenantId: "u", file: Readable.from(["a"]), filename: "a" };
  await expect(setup.createClient().upload(stream as never)).rejects.toThrow(/^upload: a stream needs size/);
  await expect(setup.createClient().upload({ tenantId: "u", file: bytes } as never)).rejects.toThrow(
    /filename is missing/,
  );
  await expect(
    setup.createClient().upload({ tenantId: "u", file: 5, filename: "a" } as never),
  ).rejects.toThrow(TypeError);
  expect(setup.service.calls).toEqual([]);
});

test("refuses a path that cannot be read or is not a file", async () => {
  const missing = setup.createClient().upload({ tenantId: "u", file: join(folder, "nowhere") });
  await expect(missing).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(/^The file could not be read: ENOENT/),
  });
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const file of [folder, pipe]) {
    await expect(setup.createClient().upload({ tenantId: "u", file })).rejects.toThrow(/is not a file$/);
  }
});

test.each([
  ["fails", () => Readable.from(failing()), /could not be read: disk on fire/],
  ["ends early", () => Readable.from([bytes]), /ended after 14 of the 20 announced bytes/],
  ["is longer than announced", () => Readable.from([bytes, bytes]), /has more than the 20 announced bytes/],
])("refuses a stream that %s, and releases its reservation", async (_name, file, sentence) => {
  setup.service.next(setup.ticket, deleted);
  const upload = setup.createClient().upload({ tenantId: "u", file: file(), filename: "a", size: 20 });
  await expect(upload).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(sentence),
  });
  expect(setup.calledActions()).toEqual(["upload", "delete"]);
  expect(setup.storage.puts).toEqual([]);
});

test("closes a stream if the service refuses its upload, so that no file descriptor stays open", async () => {
  const refusal = says(403, { detail: "Storage quota exceeded for this tenant" });
  setup.service.next(refusal, refusal);
  let isCancelled = false;
  const streams = [
    Readable.from([bytes]),
    new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) }),
  ] as const;
  for (const file of streams) {
    const upload = setup.createClient().upload({ tenantId: "u", file, filename: "a", size });
    await expect(upload).rejects.toMatchObject({ code: "quota_exceeded" });
  }
  expect([streams[0].destroyed, isCancelled]).toEqual([true, true]);
});

test("stores nothing of a stream that continues after its announced size", async () => {
  setup.service.next(setup.ticket, deleted);
  const file = Readable.from(hesitant());
  const upload = setup.createClient().upload({ tenantId: "u", file, filename: "a", size });
  await expect(upload).rejects.toThrow(/has more than the 14 announced bytes/);
  expect(setup.calledActions()).toEqual(["upload", "delete"]);
  expect(setup.storage.puts).toEqual([]);
});

async function* hesitant() {
  yield bytes;
  await sleep(100);
  yield bytes;
}

test("reports a stream that already has a reader, and does not blame storage", async () => {
  setup.service.next(setup.ticket, deleted);
  const file = new Blob([bytes]).stream();
  file.getReader();
  await expect(
    setup.createClient().upload({ tenantId: "u", file, filename: "a", size }),
  ).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(/^The file could not be read: .*locked/),
  });
  expect(setup.calledActions()).toEqual(["upload", "delete"]);
});

async function* failing() {
  yield bytes;
  throw new Error("disk on fire");
}

test.each([
  ["an expired URL", refusesPut(403, "AccessDenied")],
  ["an internal error of storage", refusesPut(500, "InternalError")],
  ["a broken connection", (request: { destroy(): void }) => void request.destroy()],
])("retries with a fresh URL after %s", async (_name, answer) => {
  setup.storage.next(answer as ReturnType<typeof refusesPut>);
  setup.service.next(setup.ticket, deleted, setup.ticket);
  await setup.createClient().upload({ tenantId: "u", file: bytes, filename: "a" });
  expect(setup.calledActions()).toEqual(["upload", "delete", "upload", "complete"]);
  expect(setup.service.calls[1]?.body["file_paths"]).not.toEqual([setup.service.calls[3]?.body["file_path"]]);
  expect(setup.storage.puts).toHaveLength(1);
});

test("retries only after the pending file of the last attempt is deleted, because its bytes may have arrived", async () => {
  setup.storage.next(refusesPut(500, "InternalError"));
  setup.service.next(setup.ticket, unavailable, deleted, setup.ticket);
  await setup.createClient().upload({ tenantId: "u", file: bytes, filename: "a" });
  expect(setup.calledActions()).toEqual(["upload", "delete", "delete", "upload", "complete"]);

  setup.storage.next(refusesPut(500, "InternalError"));
  setup.service.calls.length = 0;
  setup.service.next(setup.ticket, unavailable, unavailable, unavailable, unavailable);
  const upload = setup.createClient().upload({ tenantId: "u", file: bytes, filename: "a" });
  await expect(upload).rejects.toThrow(/500 InternalError/);
  expect(setup.calledActions()).toEqual(["upload", "delete", "delete", "delete", "delete"]);
});

const md5 = createHash("md5").update(bytes).digest("base64");

describe("storage that demands an MD5", () => {
  test("gets one with the same URL, and before it asks with the next file", async () => {
    setup.storage.next(refusesWithoutMd5);
    setup.service.next(setup.ticket);
    const client = setup.createClient();
    const progress: UploadProgress[] = [];
    const onProgress = (each: UploadProgress) => void progress.push(each);
    await client.upload({ tenantId: "u", file: bytes, filename: "a", onProgress });
    expect(setup.calledActions()).toEqual(["upload", "complete"]);
    expect(progress.map(({ sentBytes }) => sentBytes)).toEqual([size, 0, size]);
    setup.service.next(setup.ticket);
    await client.upload({ tenantId: "u", file: new Blob([bytes]), filename: "b" });
    expect(setup.calledActions()).toEqual(["upload", "complete", "upload", "complete"]);
    expect(setup.storage.puts.map(({ headers }) => headers["content-md5"])).toEqual([md5, md5]);
  });

  test("gets a stream by parts once it has refused one, and says how the first one can be sent", async () => {
    setup.storage.next(refusesWithoutMd5);
    setup.service.next(setup.ticket, deleted);
    const client = setup.createClient();
    const upload = () => client.upload({ tenantId: "u", file: Readable.from([bytes]), filename: "a", size });
    await expect(upload()).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/demands a Content-MD5.* Give contentMd5, or a path or bytes/),
    });
    expect(setup.calledActions()).toEqual(["upload", "delete"]);
    setup.service.calls.length = 0;
    await upload();
    expect(setup.calledActions()).toEqual(["uploads", "uploads", "complete"]);
    expect(setup.storage.puts.map(({ headers }) => headers["content-md5"])).toEqual([md5]);
  });

  test("is not asked again if it refuses a PUT that had one", async () => {
    setup.storage.next(refusesWithoutMd5, refusesWithoutMd5);
    setup.service.next(setup.ticket, deleted);
    await expect(
      setup.createClient().upload({ tenantId: "u", file: bytes, filename: "a" }),
    ).rejects.toMatchObject({ code: "invalid_request" });
    setup.storage.next(refusesWithoutMd5);
    setup.service.next(setup.ticket, deleted);
    await expect(
      setup.createClient().upload({ tenantId: "u", file: bytes, filename: "a", contentMd5: md5 }),
    ).rejects.toMatchObject({ code: "invalid_request" });
    expect(setup.storage.puts).toEqual([]);
  });

  test("gets none for another reason of refusal", async () => {
    setup.storage.next(refusesPut(400, "InvalidRequest"));
    setup.service.next(setup.ticket, deleted);
    await expect(setup.createClient().upload({ tenantId: "u", file: bytes, filename: "a" })).rejects.toThrow(
      /400 InvalidRequest$/,
    );
  });
});

test("does not retry a stream, which can be read only once", async () => {
  setup.storage.next(refusesPut(503, "SlowDown"));
  setup.service.next(setup.ticket, deleted);
  const upload = setup
    .createClient()
    .upload({ tenantId: "u", file: Readable.from([bytes]), filename: "a", size });
  await expect(upload).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/^Storage at 127\.0\.0\.1:\d+ answered 503 SlowDown$/),
  });
});

test("does not retry a permanent refusal of storage", async () => {
  setup.storage.next(refusesPut(400, "BadDigest"));
  setup.service.next(setup.ticket, deleted);
  const bad = setup.createClient().upload({ tenantId: "u", file: bytes, filename: "a" });
  await expect(bad).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(/400 BadDigest$/),
  });
  expect(setup.calledActions()).toEqual(["upload", "delete"]);
});

test("retries a request for a URL with the same key, and uses another key after a deletion", async () => {
  setup.storage.next(refusesPut(500, "InternalError"));
  setup.service.next(hangsUp, setup.ticket, deleted, unavailable, setup.ticket);
  await setup.createClient().upload({ tenantId: "u", file: bytes, filename: "a" });
  expect(setup.calledActions()).toEqual(["upload", "upload", "delete", "upload", "upload", "complete"]);
  const keys = setup.service.calls.map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toEqual([keys[0], keys[0], undefined, keys[3], keys[3], undefined]);
  expect(new Set([undefined, keys[0], keys[3]]).size).toBe(3);
});

test("fails when storage stops to accept bytes, and when the source stops to yield them", async () => {
  const options = { stallTimeoutMs: 60, retries: { attempts: 0 } };
  setup.storage.next(() => {});
  setup.service.next(setup.ticket, deleted);
  const file = Buffer.alloc(20_000_000);
  await expect(
    setup.createClient(options).upload({ tenantId: "u", file, filename: "a" }),
  ).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("no progress within 60 ms"),
  });
  setup.service.next(setup.ticket, deleted);
  const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
  await expect(
    setup.createClient(options).upload({ tenantId: "u", file: silent, filename: "a", size: 5 }),
  ).rejects.toThrow(/no progress within 60 ms/);
});

test("can be aborted at each step, and rejects with the signal's reason", async () => {
  const reason = new Error("the job was cancelled");
  const input: UploadInput = { tenantId: "u", file: bytes, filename: "a" };
  const aborted = async (arm: (abort: () => void) => void) => {
    const job = new AbortController();
    arm(() => job.abort(reason));
    await expect(setup.createClient().upload(input, { signal: job.signal })).rejects.toBe(reason);
  };
  await aborted((abort) => abort());
  expect(setup.service.calls).toEqual([]);
  await aborted((abort) => setup.service.next(() => abort()));
  await aborted((abort) => {
    setup.service.next(setup.ticket, deleted);
    setup.storage.next(() => abort());
  });
  await aborted((abort) => setup.service.next(setup.ticket, () => abort(), deleted));
  await expect
    .poll(() => setup.calledActions())
    .toEqual(["upload", "upload", "delete", "upload", "complete", "delete"]);
});

test.each([
  ["unavailable", hangsUp],
  ["too_many_requests", says(429, { detail: "Too many requests" }, { "Retry-After": "0" })],
])("names the path of the stored bytes if only the completion failed: %s", async (code, answer) => {
  setup.service.next(setup.ticket, answer, answer, answer, answer);
  const upload = setup.createClient().upload({ tenantId: "u", file: bytes, filename: "a" });
  await expect(upload).rejects.toMatchObject({
    code,
    message: expect.stringMatching(/stored as projects\/p\/tenants\/t\/\d+_file/),
  });
  expect(setup.calledActions()).not.toContain("delete");
});
