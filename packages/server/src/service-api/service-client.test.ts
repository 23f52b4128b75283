import { calls } from "@stowage/schemas";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { aStowage, FILE_PATH, post } from "../../test/a-stowage.js";
import { API_KEY, aService, anUploadAnswer, hangsUp, says, type FakeService } from "@stowage/service-fake";
import { overNode } from "../../test/over-node.js";
import type { Stowage } from "../index.js";
import { createServiceClient } from "./service-client.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));
afterEach(() => void vi.useRealTimers());

const upload = () => post("request", { filename: "a", size: 1 });
const complete = () => post("complete", { file_path: FILE_PATH });

// The Web handler calls the service by `fetch`, the Node server by `node:http`.
describe.each([
  ["the Web handler", (stowage: Stowage, request: Request) => stowage.handler(request)],
  ["a Node server", overNode],
])("over %s", (_transport, send) => {
  async function refusal(request: Request, options: Parameters<typeof aStowage>[1] = {}) {
    const stowage = aStowage(service, options);
    const response = await send(stowage, request);
    const { detail, code } = (await response.json()) as { detail: string; code: string };
    const retryAfter = response.headers.get("Retry-After");
    return { status: response.status, detail, code, retryAfter, reported: stowage.reported.map(String) };
  }

  describe("a refusal of the service", () => {
    test.each([
      [403, "Storage quota exceeded for this tenant", 403, "quota_exceeded"],
      [400, "size is required", 400, "size_required"],
      [400, "size must be at most 1000 bytes", 400, "file_too_large"],
      [400, "content_type must be a string", 400, "invalid_request"],
      [418, "A rule of a later version", 400, "invalid_request"],
      [404, "File not found", 404, "file_not_found"],
    ])("%i %s reaches the browser as %i %s", async (status, detail, shownStatus, code) => {
      service.next(says(status, { detail }));
      expect(await refusal(upload())).toMatchObject({ status: shownStatus, detail, code, reported: [] });
    });

    test.each([
      [403, "quota_exceeded", 403, "quota_exceeded"],
      [404, "file_not_found", 404, "file_not_found"],
      [404, "not_found", 503, "unavailable"],
      [405, "method_not_allowed", 503, "unavailable"],
      [409, "a_code_of_a_later_version", 400, "invalid_request"],
      [400, "toString", 400, "invalid_request"],
    ])(
      "is recognised by its X-Error-Code and not by its text: %i %s reaches the browser as %i %s",
      async (status, sentCode, shownStatus, code) => {
        service.next(says(status, { detail: "Ein anderer Text" }, { "X-Error-Code": sentCode }));
        expect(await refusal(upload())).toMatchObject({ status: shownStatus, code });
      },
    );

    test("keeps its Retry-After", async () => {
      service.next(says(429, { detail: "Too many requests" }, { "Retry-After": "7" }));
      expect(await refusal(upload())).toMatchObject({
        status: 429,
        code: "too_many_requests",
        retryAfter: "7",
      });
      service.next(says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "9" }));
      expect(await refusal(upload())).toMatchObject({ status: 503, code: "unavailable", retryAfter: "9" });
    });

    test("of the API key is reported to the operator and hidden from the user", async () => {
      service.next(says(401, { detail: "Unauthorized" }));
      const { status, code, detail, reported } = await refusal(upload());
      expect({ status, code, detail }).toEqual({
        status: 500,
        code: "internal_error",
        detail: "Internal error",
      });
      expect(reported).toHaveLength(1);
      expect(reported[0]).toMatch(/refused the API key.*dashboard/);
      expect(reported[0]).not.toContain(API_KEY);
    });
  });

  test.each([400, 503])("removes the key from the page of a proxy that answers %i", async (status) => {
    service.next(({ authorization }, response) => {
      says(status, { detail: `Unknown header Authorization: ${authorization}` })({} as never, response);
    });
    const { detail, reported } = await refusal(upload());
    expect([detail, ...reported].join()).not.toContain(API_KEY);
  });

  test.each([
    ["in a form that URLs normalize", (url: string) => url.replace("127.0.0.1", "127.1")],
    ["below a path", (url: string) => `${url}/stowage`],
    ["with a trailing slash", (url: string) => `${url}/`],
  ])("reaches a service whose address is given %s", async (_how, given) => {
    const baseUrl = given(service.url);
    service.next(says(200, anUploadAnswer({ tenant_id: "user_ada" })));
    const response = await send(aStowage(service, { baseUrl }), upload());
    expect(response.status).toBe(200);
    const below = new URL(baseUrl).pathname.replace(/\/$/, "");
    expect(service.calls.map(({ path }) => path)).toEqual([`${below}/api/storage/upload/`]);
  });

  describe("a service without a valid answer", () => {
    const { tenant_id: _, ...incomplete } = anUploadAnswer({});
    test.each([
      ["a 500", says(500, { detail: "Internal error" })],
      ["an HTML page", says(200, "<html>")],
      ["an HTML page of a gateway", says(502, "<html>")],
      ["an answer without a required member", says(200, incomplete)],
      [
        "an expiry that is not a date",
        says(200, { ...anUploadAnswer({ tenant_id: "u" }), expires_at: "soon" }),
      ],
      ["the 404 of another server", says(404, "<html>")],
      ["the service's own 404 for the path", says(404, { detail: "Not found" })],
      ["a redirect", says(308, "", { Location: "/api/storage/upload/" })],
      ["a broken connection", hangsUp],
    ])("is unavailable and reported: %s", async (_name, answer) => {
      service.next(answer);
      const { status, code, retryAfter, reported } = await refusal(upload());
      expect({ status, code, retryAfter }).toEqual({ status: 503, code: "unavailable", retryAfter: "5" });
      expect(reported).toHaveLength(1);
      expect(service.calls, "a request is not retried").toHaveLength(1);
    });

    test("times out in the middle of its answer", async () => {
      service.next((_, response) => void response.write('{"presigned_url":'));
      const { status, reported } = await refusal(upload(), { timeoutMs: 200 });
      expect(status).toBe(503);
      expect(reported[0]).toContain("no answer within 200 ms");
    });

    test("times out before its answer", async () => {
      // The time passes once the call has arrived, which may take longer than the limit on a busy machine.
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      service.next(() => void vi.advanceTimersByTime(200));
      const { status, reported } = await refusal(complete(), { timeoutMs: 200 });
      expect(status).toBe(503);
      expect(reported[0]).toContain("no answer within 200 ms");
      expect(service.calls, "a slow service is not called again immediately").toHaveLength(1);
    });
  });

  describe("complete, which is idempotent", () => {
    test("is retried after a broken connection and a 503", async () => {
      service.next(hangsUp, says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "0" }));
      const response = await send(aStowage(service), complete());
      expect(response.status).toBe(200);
      expect(service.calls).toHaveLength(3);
    });

    test("fails after three attempts", async () => {
      service.next(hangsUp, hangsUp, hangsUp);
      expect((await refusal(complete())).status).toBe(503);
      expect(service.calls).toHaveLength(3);
    });

    test("is not retried after a refusal, nor if the service asks for a long wait", async () => {
      service.next(says(404, { detail: "File not found" }));
      expect((await refusal(complete())).code).toBe("file_not_found");
      service.next(says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "30" }));
      expect((await refusal(complete())).retryAfter).toBe("30");
      expect(service.calls).toHaveLength(2);
    });
  });
});

test("cancels the call, and reports nothing, when the browser leaves", async () => {
  const browser = new AbortController();
  service.next((_, response) => {
    browser.abort();
    response.on("close", () => {});
  });
  const stowage = aStowage(service);
  await stowage.handler(new Request(upload(), { signal: browser.signal }));
  expect(stowage.reported).toEqual([]);
});

describe("a call", () => {
  const client = () =>
    createServiceClient({
      apiKey: API_KEY,
      baseUrl: service.url,
      fetch: globalThis.fetch,
      timeoutMs: 5000,
    });
  const { signal } = new AbortController();

  test("of a GET sends its input in the query, and no body", async () => {
    service.next(says(200, { files: [], next_cursor: null }));
    const input = { tenant_id: "ünï & co?", status: undefined, q: "a+b", limit: 2 };
    const { body } = await client().call(calls.listFiles, input, signal);
    expect(body).toEqual({ files: [], next_cursor: null });
    const [call] = service.calls;
    expect(call).toMatchObject({ method: "GET", authorization: `Bearer ${API_KEY}`, body: {} });
    const url = new URL(call!.path, service.url);
    expect(url.pathname).toBe("/api/storage/files/");
    expect(Object.fromEntries(url.searchParams)).toEqual({ tenant_id: "ünï & co?", q: "a+b", limit: "2" });
  });

  test("is not made if the signal is already aborted", async () => {
    const result = client().call(calls.readUsage, {}, AbortSignal.abort());
    await expect(result).rejects.toMatchObject({ code: "unavailable" });
    expect(service.calls).toEqual([]);
  });

  test("of a GET without input has no query", async () => {
    service.next(
      says(200, {
        used_bytes: 1,
        reserved_bytes: 0,
        file_count: 1,
        quota_bytes: null,
        plan: null,
        max_files: null,
        max_open_uploads: null,
        uploads_per_minute: null,
      }),
    );
    const { body } = await client().call(calls.readUsage, {}, signal);
    expect(body.used_bytes).toBe(1);
    expect(service.calls[0]?.path).toBe("/api/storage/usage/");
  });

  test("of a PUT sends a body, with members that are null", async () => {
    service.next(says(403, { detail: "Storage quota exceeded for this tenant" }));
    const call = client().call(calls.setQuota, { tenant_id: "user_ada", quota_bytes: null }, signal);
    await expect(call).rejects.toMatchObject({ code: "quota_exceeded" });
    const body = { tenant_id: "user_ada", quota_bytes: null };
    expect(service.calls).toMatchObject([{ method: "PUT", path: "/api/storage/quota/", body }]);
  });
});
