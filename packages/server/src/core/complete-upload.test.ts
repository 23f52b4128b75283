import { camelKeys } from "@stowage/schemas";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { aStowage, FILE_PATH, post } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { API_KEY, aFileAnswer, aService, says, type FakeService } from "@stowage/service-fake";
import { createStowageClient } from "../client/index.js";
import { StowageError, type CompleteContext } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));
afterEach(() => void vi.useRealTimers());

const path = { file_path: FILE_PATH };
const failed = {
  status: 500,
  code: "callback_failed",
  detail: "The file is stored, but the application could not take it",
};

describe.each(transports)("over $name, complete", (transport) => {
  /** A helper with the routes `docs` and `other`, and a file that was uploaded by `docs`. */
  async function afterUpload(onComplete: (context: CompleteContext) => unknown, options: object = {}) {
    const otherFiles: string[] = [];
    const stowage = aStowage(service, {
      ...options,
      routes: {
        other: { onComplete: ({ file }) => void otherFiles.push(file.filePath) },
        docs: { metadata: () => ({ album: "sea" }), onComplete },
      },
    });
    const requested = await transport.call(stowage, "request", { filename: "a", size: 1, route: "docs" });
    expect(requested.status).toBe(200);
    return Object.assign(stowage, { otherFiles });
  }

  test("runs only the callback of the route that the file was uploaded by", async () => {
    const contexts: Omit<CompleteContext, "request">[] = [];
    const users: unknown[] = [];
    const stowage = await afterUpload(({ request, ...context }) => {
      contexts.push(context);
      users.push(request.headers.get("X-Test-User"));
    });
    const seen = await transport.call(stowage, "complete", {
      ...path,
      route: "other",
      metadata: { stowage_route: "other" },
    });
    expect(seen.status).toBe(200);
    expect(stowage.otherFiles).toEqual([]);
    expect(users).toEqual(["user_ada"]);
    expect(contexts).toEqual([
      {
        tenantId: "user_ada",
        route: "docs",
        file: {
          ...camelKeys(aFileAnswer({ ...path, tenant_id: "user_ada" })),
          metadata: { album: "sea", stowage_route: "docs" },
        },
      },
    ]);
  });

  test("returns the file without tenant and metadata, and without a result if the callback returns none", async () => {
    const stowage = await afterUpload(() => {});
    const { body } = await transport.call(stowage, "complete", path);
    expect(Object.keys(body ?? {}).toSorted()).toEqual([
      "content_type",
      "created_at",
      "etag",
      "file_path",
      "filename",
      "scan_status",
      "size",
      "status",
      "stored_at",
    ]);
  });

  test.each([
    [
      { id: 7, at: new Date(0), no: undefined },
      { id: 7, at: "1970-01-01T00:00:00.000Z" },
    ],
    [Promise.resolve("text"), "text"],
    [null, null],
    [false, false],
    [
      [1, undefined],
      [1, null],
    ],
    [{ toJSON: () => 4 }, 4],
    [NaN, null],
  ])("returns the callback's result as JSON: %j", async (returned, result) => {
    const stowage = await afterUpload(() => returned);
    expect((await transport.call(stowage, "complete", path)).body).toMatchObject({ result });
  });

  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  test.each<[string, () => unknown, RegExp]>([
    [
      "throws",
      () => {
        throw new Error("database is down");
      },
      /onComplete threw an error$/,
    ],
    [
      "throws undefined",
      () => {
        throw undefined;
      },
      /onComplete threw an error$/,
    ],
    ["rejects", async () => Promise.reject(new Error("database is down")), /onComplete threw an error$/],
    [
      "hangs",
      () => {
        vi.advanceTimersByTime(500);
        return new Promise(() => {});
      },
      /onComplete did not answer within 500 ms$/,
    ],
    ["returns a circle", () => circular, /onComplete returned a value that cannot be written as JSON$/],
    ["returns a bigint", () => ({ id: 7n }), /onComplete returned a value that cannot be written as JSON$/],
    ["returns a function", () => () => 7, /onComplete returned a value that cannot be written as JSON$/],
    [
      "returns a symbol",
      async () => Symbol("a"),
      /onComplete returned a value that cannot be written as JSON$/,
    ],
    [
      "returns what throws when written",
      () => ({
        toJSON() {
          throw new StowageError("not_found");
        },
      }),
      /onComplete returned a value that cannot/,
    ],
  ])("answers callback_failed immediately when the callback %s", async (_how, onComplete, sentence) => {
    // The calls of the service have the same limit, and may take longer on a busy machine.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stowage = await afterUpload(onComplete, { timeoutMs: 500 });
    expect(await transport.call(stowage, "complete", path)).toEqual(failed);
    expect(stowage.reported.map(({ message }) => message)).toEqual([
      expect.stringMatching(new RegExp(`^routes\\.docs\\.${sentence.source}`)),
    ]);
    if (_how === "rejects") expect(stowage.reported[0]?.cause).toEqual(new Error("database is down"));
  });

  test("runs the callback again on every call, after a failure and after a success", async () => {
    let runs = 0;
    const stowage = await afterUpload(() => {
      if (++runs === 1) throw new Error("database is down");
      return runs;
    });
    expect((await transport.call(stowage, "complete", path)).code).toBe("callback_failed");
    expect((await transport.call(stowage, "complete", path)).body).toMatchObject({ result: 2 });
    expect((await transport.call(stowage, "complete", path)).body).toMatchObject({ result: 3 });
  });

  test("sends a StowageError of the callback unchanged", async () => {
    const stowage = await afterUpload(async () => {
      throw new StowageError("upload_refused", { detail: "Not a picture of a cat" });
    });
    expect(await transport.call(stowage, "complete", path)).toEqual({
      status: 403,
      code: "upload_refused",
      detail: "Not a picture of a cat",
    });
    expect(stowage.reported).toEqual([]);
  });

  test("hides an error of the Stowage client from the browser, because its text is for the operator", async () => {
    const client = createStowageClient({
      apiKey: API_KEY,
      baseUrl: "http://127.0.0.1:1",
      retries: { attempts: 0 },
    });
    const stowage = await afterUpload(({ tenantId }) => client.usage(tenantId));
    expect(await transport.call(stowage, "complete", path)).toEqual(failed);
    expect(stowage.reported[0]).toMatchObject({
      message: "routes.docs.onComplete threw an error",
      cause: { message: expect.stringMatching(/127\.0\.0\.1:1 could not be reached/) },
    });
  });

  test("does not find another user's file, and runs no callback for it", async () => {
    let runs = 0;
    const stowage = await afterUpload(() => void runs++);
    const notFound = { status: 404, code: "file_not_found", detail: "File not found" };
    const grace = { "X-Test-User": "user_grace" };
    const body = { ...path, tenant_id: "user_ada", tenantId: "user_ada" };
    expect(await transport.call(stowage, "complete", body, grace)).toEqual(notFound);
    expect(service.calls.at(-1)?.body).toEqual({ ...path, tenant_id: "user_grace" });
    expect(runs).toBe(0);
  });

  test("runs no callback before the bytes are stored, nor for a file that is being deleted", async () => {
    let runs = 0;
    const stowage = await afterUpload(() => void runs++);
    const deleting = { ...aFileAnswer({ ...path, tenant_id: "user_ada" }), status: "deleting" };
    service.next(says(409, { detail: "Upload not found in storage" }), says(200, deleting));
    const notThere = { status: 409, code: "upload_not_found", detail: "Upload not found in storage" };
    expect(await transport.call(stowage, "complete", path)).toEqual(notThere);
    expect(await transport.call(stowage, "complete", path)).toEqual(notThere);
    expect(runs).toBe(0);
  });

  test("runs no callback for a file without a route, or whose route was removed", async () => {
    const stowage = await afterUpload(() => expect.fail("the route was removed"));
    for (const options of [{ routes: { other: {} } }, {}]) {
      const later = aStowage(service, options);
      expect((await transport.call(later, "complete", path)).status).toBe(200);
    }
    const unrouted = { ...aFileAnswer({ ...path, tenant_id: "user_ada" }), metadata: {} };
    service.next(says(200, unrouted));
    expect((await transport.call(stowage, "complete", path)).status).toBe(200);
  });

  test("requires file_path", async () => {
    const stowage = aStowage(service);
    expect(await transport.call(stowage, "complete", {})).toEqual({
      status: 400,
      code: "invalid_request",
      detail: "file_path is required",
    });
  });
});

test("reports a callback that fails, even if the browser has left", async () => {
  const browser = new AbortController();
  const stowage = aStowage(service, {
    routes: {
      docs: {
        onComplete: () => {
          browser.abort();
          throw new Error("database is down");
        },
      },
    },
  });
  await stowage.handler(post("request", { filename: "a", size: 1, route: "docs" }));
  await stowage.handler(new Request(post("complete", path), { signal: browser.signal }));
  expect(stowage.reported.map(({ message }) => message)).toEqual(["routes.docs.onComplete threw an error"]);
});
