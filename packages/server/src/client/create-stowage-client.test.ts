import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { camelKeys } from "@stowage/schemas";
import { API_KEY, aFileAnswer, hangsUp, says } from "@stowage/service-fake";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { aClientSetup, unavailable, type ClientSetup } from "../../test/client-setup.js";
import { createStowageClient } from "./index.js";

let setup: ClientSetup;
beforeEach(async () => void (setup = await aClientSetup()));
afterEach(async () => {
  vi.unstubAllGlobals();
  await setup[Symbol.asyncDispose]();
});

const aDownload = {
  presigned_url: "https://s/",
  file_path: "p",
  filename: "a",
  content_type: "text/plain",
  size: 1,
  expires_at: "2026-01-01T00:00:00.000Z",
};

describe("calls", () => {
  test("use camelCase for input and result", async () => {
    const ticket = await setup.createClient().requestUpload({
      tenantId: "u",
      filename: "a",
      contentType: "text/plain",
      size: 3,
      metadata: { album_id: "7" },
    });
    expect(ticket).toMatchObject({ filePath: expect.any(String), isNewTenant: true, maxBytes: 3 });
    expect(setup.service.calls[0]?.body).toEqual({
      tenant_id: "u",
      filename: "a",
      content_type: "text/plain",
      size: 3,
      metadata: { album_id: "7" },
    });
    setup.service.next(says(200, aDownload));
    const download = await setup.createClient().downloadUrl("p", {
      tenantId: "u",
      expiresIn: 60,
      disposition: "inline",
    });
    expect(download.presignedUrl).toBe("https://s/");
    expect(setup.service.calls[1]?.body).toEqual({
      file_path: "p",
      tenant_id: "u",
      expires_in: 60,
      disposition: "inline",
    });
  });

  test("ask for URLs in batches of a hundred, each path once, and keep all three lists", async () => {
    const echo: Parameters<typeof setup.service.next>[0] = (call, response) => {
      const [first, second, ...others] = call.body["file_paths"] as string[];
      const downloads = others.map((path) => ({ ...aDownload, file_path: path }));
      const refused = [{ file_path: second, code: "file_not_scanned", detail: "x" }];
      says(200, { downloads, not_found: [first], refused })(call, response);
    };
    setup.service.next(echo, echo);
    const many = Array.from({ length: 150 }, (_, index) => `p/${index}`);
    const options = { tenantId: "u", expiresIn: 900, disposition: "inline", reuse: true } as const;
    const answer = await setup.createClient().downloadUrls([...many, "p/7"], options);
    expect(answer.downloads).toHaveLength(146);
    expect(answer.downloads[0]).toEqual({ ...camelKeys(aDownload), filePath: "p/2" });
    expect(answer.notFound).toEqual(["p/0", "p/100"]);
    expect(answer.refused.map(({ filePath }) => filePath)).toEqual(["p/1", "p/101"]);
    expect(setup.service.calls[1]).toMatchObject({
      path: "/api/storage/downloads/",
      body: {
        file_paths: many.slice(100),
        tenant_id: "u",
        expires_in: 900,
        disposition: "inline",
        reuse: true,
      },
    });
    expect(setup.service.calls).toHaveLength(2);
  });

  test("delete in batches of a thousand, and each path once", async () => {
    const echo: Parameters<typeof setup.service.next>[0] = (call, response) =>
      says(200, { deleted: call.body["file_paths"], not_found: [] })(call, response);
    setup.service.next(echo, echo);
    const many = Array.from({ length: 1500 }, (_, index) => `p/${index}`);
    const answer = await setup.createClient().deleteFiles([...many, "p/7"], { tenantId: "u" });
    expect(answer).toEqual({ deleted: many, notFound: [] });
    expect(setup.service.calls.map(({ body }) => (body["file_paths"] as string[]).length)).toEqual([
      1000, 500,
    ]);
    expect(await setup.createClient().deleteFiles([])).toEqual({ deleted: [], notFound: [] });
    expect(setup.service.calls).toHaveLength(2);
  });

  test("cancel an upload of a tenant, and refuse to cancel a stored file", async () => {
    const client = setup.createClient();
    expect(await client.cancelUpload("p/1", { tenantId: "u" })).toBeUndefined();
    expect(setup.service.calls.map(({ path, body }) => [path, body])).toEqual([
      ["/api/storage/cancel/", { file_path: "p/1", tenant_id: "u" }],
    ]);
    setup.service.next(says(409, { detail: "Upload is already stored" }));
    await expect(client.cancelUpload("p/1")).rejects.toMatchObject({ code: "upload_already_stored" });
  });

  test("list page by page, and request the next page only when it is needed", async () => {
    const page = (names: string[], next: string | null) =>
      says(200, {
        files: names.map((name) => aFileAnswer({ file_path: name, tenant_id: "u" })),
        next_cursor: next,
      });
    setup.service.next(page(["a", "b"], "2"), page([], "3"), page(["c"], null));
    const seen: string[] = [];
    for await (const file of setup.createClient().files({ tenantId: "u", pageSize: 2, status: "stored" })) {
      seen.push(file.filePath);
      if (file.filePath === "b") expect(setup.service.calls).toHaveLength(1);
    }
    expect(seen).toEqual(["a", "b", "c"]);
    expect(setup.service.calls.map(({ path }) => path)).toEqual([
      "/api/storage/files/?tenant_id=u&status=stored&limit=2",
      "/api/storage/files/?tenant_id=u&status=stored&limit=2&cursor=2",
      "/api/storage/files/?tenant_id=u&status=stored&limit=2&cursor=3",
    ]);
  });

  test("refuse a tenantId that is present but undefined, so that a lost session opens no files", async () => {
    const owner = { tenantId: undefined as unknown as string };
    const client = setup.createClient();
    const refusal = { code: "tenant_id_required" };
    await expect(client.file("p", owner)).rejects.toMatchObject(refusal);
    await expect(client.downloadUrl("p", owner)).rejects.toMatchObject(refusal);
    await expect(client.deleteFiles("p", owner)).rejects.toMatchObject(refusal);
    await expect(client.completeUpload("p", owner)).rejects.toMatchObject(refusal);
    await expect(client.cancelUpload("p", owner)).rejects.toMatchObject(refusal);
    await expect(client.files(owner).next()).rejects.toMatchObject(refusal);
    expect(setup.service.calls).toEqual([]);
  });

  test("are retried after a broken connection, a 503 and a 429, requestUpload only with a key", async () => {
    const limits = { plan: null, max_files: null, max_open_uploads: null, uploads_per_minute: null };
    const usage = { used_bytes: 1, reserved_bytes: 0, file_count: 1, quota_bytes: null, ...limits };
    const tooMany = says(429, { detail: "Too many requests" }, { "Retry-After": "0" });
    setup.service.next(hangsUp, unavailable, tooMany, says(200, usage));
    expect(await setup.createClient().usage("u")).toMatchObject({ usedBytes: 1, quotaBytes: null });
    setup.service.next(unavailable);
    await expect(setup.createClient().requestUpload({ tenantId: "u", filename: "a" })).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(setup.service.calls).toHaveLength(5);
    setup.service.next(unavailable, setup.ticket);
    await setup.createClient().requestUpload({ tenantId: "u", filename: "a", idempotencyKey: "k" });
    expect(setup.service.calls.slice(5).map(({ idempotencyKey }) => idempotencyKey)).toEqual(["k", "k"]);
  });

  test("of meters ask for a range of days, and answer digits", async () => {
    const meters = {
      byte_seconds: "9007199254740993000",
      peak_bytes: 5,
      file_count: 1,
      uploads: 2,
      downloads_signed: 3,
      bytes_signed: 4,
      bytes_delivered: null,
    };
    const read = {
      byteSeconds: "9007199254740993000",
      peakBytes: 5,
      fileCount: 1,
      uploads: 2,
      downloadsSigned: 3,
      bytesSigned: 4,
      bytesDelivered: null,
    };
    const client = setup.createClient();
    setup.service.next(says(200, { days: [{ day: "2026-01-31", ...meters }] }));
    const options = { tenantId: "u", from: "2026-01-31", to: "2026-01-31" };
    expect(await client.dailyUsage(options)).toEqual([{ day: "2026-01-31", ...read }]);
    setup.service.next(says(200, { months: [{ month: "2026-01", ...meters }] }));
    expect(await client.monthlyUsage()).toEqual([{ month: "2026-01", ...read }]);
    expect(setup.service.calls.map(({ path }) => path)).toEqual([
      "/api/storage/usage/daily/?tenant_id=u&from=2026-01-31&to=2026-01-31",
      "/api/storage/usage/monthly/",
    ]);
    await expect(client.dailyUsage({ tenantId: undefined as unknown as string })).rejects.toMatchObject({
      code: "tenant_id_required",
    });
  });

  test("are not retried if the service asks for a longer wait than allowed", async () => {
    setup.service.next(says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "60" }));
    await expect(setup.createClient().usage("u")).rejects.toMatchObject({
      code: "unavailable",
      retryAfterSeconds: 60,
    });
    expect(setup.service.calls).toHaveLength(1);
  });

  test("can be aborted while they wait for the next attempt", async () => {
    const job = new AbortController();
    setup.service.next((call, response) => {
      says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "2" })(call, response);
      void sleep(50).then(() => job.abort(new Error("enough")));
    });
    await expect(setup.createClient().usage("u", { signal: job.signal })).rejects.toThrow("enough");
  });
});

describe("failures", () => {
  test("say how to fix the problem, and never contain the key", async () => {
    setup.service.next(says(401, { detail: "Unauthorized" }));
    const refused = await setup
      .createClient()
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
    expect(
      inspect([refused, lost, setup.createClient()], { depth: Infinity, showHidden: true }),
    ).not.toContain(API_KEY);
  });

  test("keep the service's text and code", async () => {
    setup.service.next(says(404, { detail: "File not found" }));
    await expect(setup.createClient().file("p")).rejects.toMatchObject({
      code: "file_not_found",
      status: 404,
    });
  });
});

describe("the options", () => {
  test.each([
    [{ apiKey: undefined }, /apiKey is missing/],
    [{ baseUrl: "files.example" }, /baseUrl must be an http/],
    [{ timeoutMs: 0 }, /timeoutMs must be at least 1/],
    [{ stallTimeoutMs: "1" }, /stallTimeoutMs must be a number/],
    [{ retries: 3 }, /retries must be an object/],
    [{ retries: { attempts: -1 } }, /retries.attempts must be at least 0/],
  ])("are refused with one sentence: %o", (options, sentence) => {
    const make = () => setup.createClient(options as object);
    expect(make).toThrow(sentence);
    expect(make).toThrow(/^createStowageClient: [^\n]+$/);
  });
});

test("throws when a browser loads the module", async () => {
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", {});
  vi.resetModules();
  // Other files of this worker share the modules, and must not get the failed import.
  onTestFinished(() => void vi.resetModules());
  await expect(import("./index.js")).rejects.toThrow(/loaded in a browser.*stays secret/);
});
