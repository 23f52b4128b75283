import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { API_KEY, aFileAnswer, aService, anUploadAnswer, hangsUp, says } from "@stowage/service-fake";
import { aStorage, refusesPut } from "../../test/fake-storage.js";
import { createStowageClient, type StowageClientOptions } from "./index.js";
import type { UploadInput } from "./upload.js";

let service: Awaited<ReturnType<typeof aService>>;
let storage: Awaited<ReturnType<typeof aStorage>>;
let folder: string;
beforeEach(async () => {
  service = await aService();
  storage = await aStorage();
  folder = await mkdtemp(join(tmpdir(), "stowage-client-"));
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await service[Symbol.asyncDispose]();
  await storage[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const quick = { firstDelayMs: 1, longestDelayMs: 2_000 };
const aClient = (options: Partial<StowageClientOptions> = {}) =>
  createStowageClient({ apiKey: API_KEY, baseUrl: service.url, retries: quick, ...options });

/** The service hands out a URL of the stand-in storage, another path each time. */
let tickets = 0;
const ticket: Parameters<typeof service.next>[0] = (call, response) => {
  const path = `projects/p/tenants/t/${++tickets}_file`;
  const answer = { ...anUploadAnswer(call.body), file_path: path, presigned_url: `${storage.url}/${path}` };
  says(200, answer)(call, response);
};
const deleted = says(200, { deleted: ["x"], not_found: [] });
const unavailable = says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "0" });
const paths = () => service.calls.map((call) => call.path.split("/")[3]);

describe("upload", () => {
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

  it.each(sources)("takes %s", async (_name, input) => {
    await writeFile(join(folder, "a.txt"), bytes);
    service.next(ticket);
    const file = await aClient().upload(input());
    expect(file).toMatchObject({ tenantId: "u", status: "stored", createdAt: expect.any(String) });
    expect(service.calls[0]?.body).toMatchObject({ tenant_id: "u", filename: "a.txt", size });
    expect(service.calls[1]?.body).toEqual({ file_path: file.filePath, tenant_id: "u" });
    const [put] = storage.puts;
    expect(put?.bytes.toString()).toBe(text);
    expect(put?.headers).toMatchObject({ "content-length": String(size), "content-type": "text/plain" });
    expect(put?.headers).not.toHaveProperty("transfer-encoding");
    expect(put?.headers).not.toHaveProperty("authorization");
  });

  it("takes an empty file", async () => {
    service.next(ticket);
    await aClient().upload({ tenantId: "u", file: new Uint8Array(), filename: "empty" });
    expect(storage.puts[0]?.headers["content-length"]).toBe("0");
  });

  it("says what a stream and bytes need, before anything is asked for", async () => {
    const stream = { tenantId: "u", file: Readable.from(["a"]), filename: "a" };
    await expect(aClient().upload(stream as never)).rejects.toThrow(/^upload: a stream needs size/);
    await expect(aClient().upload({ tenantId: "u", file: bytes } as never)).rejects.toThrow(
      /filename is missing/,
    );
    await expect(aClient().upload({ tenantId: "u", file: 5, filename: "a" } as never)).rejects.toThrow(
      TypeError,
    );
    expect(service.calls).toEqual([]);
  });

  it("says that a path cannot be read", async () => {
    const missing = aClient().upload({ tenantId: "u", file: join(folder, "nowhere") });
    await expect(missing).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^The file could not be read: ENOENT/),
    });
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const file of [folder, pipe]) {
      await expect(aClient().upload({ tenantId: "u", file })).rejects.toThrow(/is not a file$/);
    }
  });

  it.each([
    ["fails", () => Readable.from(failing()), /could not be read: disk on fire/],
    ["ends early", () => Readable.from([bytes]), /ended after 14 of the 20 announced bytes/],
    ["has more", () => Readable.from([bytes, bytes]), /has more than the 20 announced bytes/],
  ])("refuses a stream that %s, and gives its reservation back", async (_name, file, sentence) => {
    service.next(ticket, deleted);
    const upload = aClient().upload({ tenantId: "u", file: file(), filename: "a", size: 20 });
    await expect(upload).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(sentence),
    });
    expect(paths()).toEqual(["upload", "delete"]);
    expect(storage.puts).toEqual([]);
  });

  it("closes a stream whose upload the service refuses, so that no descriptor stays open", async () => {
    const refusal = says(403, { detail: "Storage quota exceeded for this tenant" });
    service.next(refusal, refusal);
    let isCancelled = false;
    const streams = [
      Readable.from([bytes]),
      new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) }),
    ] as const;
    for (const file of streams) {
      const upload = aClient().upload({ tenantId: "u", file, filename: "a", size });
      await expect(upload).rejects.toMatchObject({ code: "quota_exceeded" });
    }
    expect([streams[0].destroyed, isCancelled]).toEqual([true, true]);
  });

  it("lets storage keep nothing of a stream that goes on later than its size says", async () => {
    service.next(ticket, deleted);
    const file = Readable.from(hesitant());
    const upload = aClient().upload({ tenantId: "u", file, filename: "a", size });
    await expect(upload).rejects.toThrow(/has more than the 14 announced bytes/);
    expect(paths()).toEqual(["upload", "delete"]);
    expect(storage.puts).toEqual([]);
  });

  async function* hesitant() {
    yield bytes;
    await setTimeout(100);
    yield bytes;
  }

  it("says that a stream is another's already, and does not blame storage", async () => {
    service.next(ticket, deleted);
    const file = new Blob([bytes]).stream();
    file.getReader();
    await expect(aClient().upload({ tenantId: "u", file, filename: "a", size })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^The file could not be read: .*locked/),
    });
    expect(paths()).toEqual(["upload", "delete"]);
  });

  async function* failing() {
    yield bytes;
    throw new Error("disk on fire");
  }

  it.each([
    ["a lapsed URL", refusesPut(403, "AccessDenied")],
    ["a broken storage", refusesPut(500, "InternalError")],
    ["a cut connection", (request: { destroy(): void }) => void request.destroy()],
  ])("tries again after %s, with a fresh URL", async (_name, answer) => {
    storage.next(answer as ReturnType<typeof refusesPut>);
    service.next(ticket, deleted, ticket);
    await aClient().upload({ tenantId: "u", file: bytes, filename: "a" });
    expect(paths()).toEqual(["upload", "delete", "upload", "complete"]);
    expect(service.calls[1]?.body["file_paths"]).not.toEqual([service.calls[3]?.body["file_path"]]);
    expect(storage.puts).toHaveLength(1);
  });

  it("tries again only once the pending file of the try before is gone: its bytes may have arrived", async () => {
    storage.next(refusesPut(500, "InternalError"));
    service.next(ticket, unavailable, deleted, ticket);
    await aClient().upload({ tenantId: "u", file: bytes, filename: "a" });
    expect(paths()).toEqual(["upload", "delete", "delete", "upload", "complete"]);

    storage.next(refusesPut(500, "InternalError"));
    service.calls.length = 0;
    service.next(ticket, unavailable, unavailable, unavailable, unavailable);
    const upload = aClient().upload({ tenantId: "u", file: bytes, filename: "a" });
    await expect(upload).rejects.toThrow(/500 InternalError/);
    expect(paths()).toEqual(["upload", "delete", "delete", "delete", "delete"]);
  });

  it("does not try again what can be read once", async () => {
    storage.next(refusesPut(503, "SlowDown"));
    service.next(ticket, deleted);
    const upload = aClient().upload({ tenantId: "u", file: Readable.from([bytes]), filename: "a", size });
    await expect(upload).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/^Storage at 127\.0\.0\.1:\d+ answered 503 SlowDown$/),
    });
  });

  it("does not try again what storage refuses for good, and never a request for a URL", async () => {
    storage.next(refusesPut(400, "BadDigest"));
    service.next(ticket, deleted);
    const bad = aClient().upload({ tenantId: "u", file: bytes, filename: "a" });
    await expect(bad).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/400 BadDigest$/),
    });

    storage.next(refusesPut(500, "InternalError"));
    service.next(ticket, deleted, unavailable);
    const unasked = aClient().upload({ tenantId: "u", file: bytes, filename: "a" });
    await expect(unasked).rejects.toMatchObject({ code: "unavailable" });
    expect(paths()).toEqual(["upload", "delete", "upload", "delete", "upload"]);
  });

  it("gives up a storage that takes no more bytes, and a source that gives none", async () => {
    const options = { stallTimeoutMs: 60, retries: { attempts: 0 } };
    storage.next(() => {});
    service.next(ticket, deleted);
    const file = Buffer.alloc(20_000_000);
    await expect(aClient(options).upload({ tenantId: "u", file, filename: "a" })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("no progress within 60 ms"),
    });
    service.next(ticket, deleted);
    const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
    await expect(
      aClient(options).upload({ tenantId: "u", file: silent, filename: "a", size: 5 }),
    ).rejects.toThrow(/no progress within 60 ms/);
  });

  it("can be aborted at each step, with the signal's reason", async () => {
    const reason = new Error("the job was cancelled");
    const input: UploadInput = { tenantId: "u", file: bytes, filename: "a" };
    const aborted = async (arm: (abort: () => void) => void) => {
      const job = new AbortController();
      arm(() => job.abort(reason));
      await expect(aClient().upload(input, { signal: job.signal })).rejects.toBe(reason);
    };
    await aborted((abort) => abort());
    expect(service.calls).toEqual([]);
    await aborted((abort) => service.next(() => abort()));
    await aborted((abort) => {
      service.next(ticket, deleted);
      storage.next(() => abort());
    });
    await aborted((abort) => service.next(ticket, () => abort(), deleted));
    await vi.waitFor(() =>
      expect(paths()).toEqual(["upload", "upload", "delete", "upload", "complete", "delete"]),
    );
  });

  it.each([
    ["unavailable", hangsUp],
    ["too_many_requests", says(429, { detail: "Too many requests" }, { "Retry-After": "0" })],
  ])("says where the bytes are when only their completion failed: %s", async (code, answer) => {
    service.next(ticket, answer, answer, answer, answer);
    const upload = aClient().upload({ tenantId: "u", file: bytes, filename: "a" });
    await expect(upload).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/stored as projects\/p\/tenants\/t\/\d+_file/),
    });
    expect(paths()).not.toContain("delete");
  });
});

describe("the other calls", () => {
  it("are in camelCase both ways", async () => {
    const ticket = await aClient().requestUpload({
      tenantId: "u",
      filename: "a",
      contentType: "text/plain",
      size: 3,
      metadata: { album_id: "7" },
    });
    expect(ticket).toMatchObject({ filePath: expect.any(String), isNewTenant: true, maxBytes: 3 });
    expect(service.calls[0]?.body).toEqual({
      tenant_id: "u",
      filename: "a",
      content_type: "text/plain",
      size: 3,
      metadata: { album_id: "7" },
    });
    const answer = {
      presigned_url: "https://s/",
      file_path: "p",
      filename: "a",
      content_type: "text/plain",
      size: 1,
      expires_at: "2026-01-01T00:00:00.000Z",
    };
    service.next(says(200, answer));
    const download = await aClient().downloadUrl("p", {
      tenantId: "u",
      expiresIn: 60,
      disposition: "inline",
    });
    expect(download.presignedUrl).toBe("https://s/");
    expect(service.calls[1]?.body).toEqual({
      file_path: "p",
      tenant_id: "u",
      expires_in: 60,
      disposition: "inline",
    });
  });

  it("delete in portions of a thousand, and each path once", async () => {
    const echo: Parameters<typeof service.next>[0] = (call, response) =>
      says(200, { deleted: call.body["file_paths"], not_found: [] })(call, response);
    service.next(echo, echo);
    const many = Array.from({ length: 1500 }, (_, index) => `p/${index}`);
    const answer = await aClient().deleteFiles([...many, "p/7"], { tenantId: "u" });
    expect(answer).toEqual({ deleted: many, notFound: [] });
    expect(service.calls.map(({ body }) => (body["file_paths"] as string[]).length)).toEqual([1000, 500]);
    expect(await aClient().deleteFiles([])).toEqual({ deleted: [], notFound: [] });
    expect(service.calls).toHaveLength(2);
  });

  it("list page by page, asking for the next when it is needed", async () => {
    const page = (names: string[], next: string | null) =>
      says(200, {
        files: names.map((name) => aFileAnswer({ file_path: name, tenant_id: "u" })),
        next_cursor: next,
      });
    service.next(page(["a", "b"], "2"), page([], "3"), page(["c"], null));
    const seen: string[] = [];
    for await (const file of aClient().files({ tenantId: "u", pageSize: 2, status: "stored" })) {
      seen.push(file.filePath);
      if (file.filePath === "b") expect(service.calls).toHaveLength(1);
    }
    expect(seen).toEqual(["a", "b", "c"]);
    expect(service.calls.map(({ path }) => path)).toEqual([
      "/api/storage/files/?tenant_id=u&status=stored&limit=2",
      "/api/storage/files/?tenant_id=u&status=stored&limit=2&cursor=2",
      "/api/storage/files/?tenant_id=u&status=stored&limit=2&cursor=3",
    ]);
  });

  it("refuse a tenant that is named but not there, so that a lost session opens nothing", async () => {
    const owner = { tenantId: undefined as unknown as string };
    const client = aClient();
    const refusal = { code: "tenant_id_required" };
    await expect(client.file("p", owner)).rejects.toMatchObject(refusal);
    await expect(client.downloadUrl("p", owner)).rejects.toMatchObject(refusal);
    await expect(client.deleteFiles("p", owner)).rejects.toMatchObject(refusal);
    await expect(client.completeUpload("p", owner)).rejects.toMatchObject(refusal);
    await expect(client.files(owner).next()).rejects.toMatchObject(refusal);
    expect(service.calls).toEqual([]);
  });

  it("are repeated over a cut connection, a 503 and a 429, requestUpload apart", async () => {
    const usage = { used_bytes: 1, reserved_bytes: 0, file_count: 1, quota_bytes: null };
    const tooMany = says(429, { detail: "Too many requests" }, { "Retry-After": "0" });
    service.next(hangsUp, unavailable, tooMany, says(200, usage));
    expect(await aClient().usage("u")).toMatchObject({ usedBytes: 1, quotaBytes: null });
    service.next(unavailable);
    await expect(aClient().requestUpload({ tenantId: "u", filename: "a" })).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(service.calls).toHaveLength(5);
  });

  it("leave alone a service that asks for more time than they have", async () => {
    service.next(says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "60" }));
    await expect(aClient().usage("u")).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 60 });
    expect(service.calls).toHaveLength(1);
  });

  it("can be aborted while they wait for the next try", async () => {
    const job = new AbortController();
    service.next((call, response) => {
      says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "2" })(call, response);
      void setTimeout(50).then(() => job.abort(new Error("enough")));
    });
    await expect(aClient().usage("u", { signal: job.signal })).rejects.toThrow("enough");
  });
});

describe("failures", () => {
  it("name the operator's way out, and never the key", async () => {
    service.next(says(401, { detail: "Unauthorized" }));
    const refused = await aClient()
      .usage()
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "unauthorized",
      message: expect.stringMatching(/refused the API key.*dashboard/),
    });
    const lost = await createStowageClient({
      apiKey: API_KEY,
      baseUrl: "http://127.0.0.1:1",
      retries: { attempts: 0 },
    })
      .usage()
      .catch((error: unknown) => error);
    expect(lost).toMatchObject({
      name: "StowageError",
      code: "unavailable",
      message: expect.stringMatching(/could not be reached/),
    });
    expect(inspect([refused, lost, aClient()], { depth: Infinity, showHidden: true })).not.toContain(API_KEY);
  });

  it("keep the service's own sentence and code", async () => {
    service.next(says(404, { detail: "File not found" }));
    await expect(aClient().file("p")).rejects.toMatchObject({ code: "file_not_found", status: 404 });
  });
});

describe("its options", () => {
  it.each([
    [{ apiKey: undefined }, /apiKey is missing/],
    [{ baseUrl: "files.example" }, /baseUrl must be an http/],
    [{ timeoutMs: 0 }, /timeoutMs must be at least 1/],
    [{ stallTimeoutMs: "1" }, /stallTimeoutMs must be a number/],
    [{ retries: 3 }, /retries must be an object/],
    [{ retries: { attempts: -1 } }, /retries.attempts must be at least 0/],
  ])("are refused in one sentence: %o", (options, sentence) => {
    const make = () => aClient(options as object);
    expect(make).toThrow(sentence);
    expect(make).toThrow(/^createStowageClient: [^\n]+$/);
  });
});

it("throws when a browser loads it", async () => {
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", {});
  vi.resetModules();
  await expect(import("./index.js")).rejects.toThrow(/loaded in a browser.*stays secret/);
});
