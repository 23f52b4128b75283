import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aRuntime } from "../../test/runtime.js";
import type { UploadTransport } from "../transport.js";
import { createHttpTransport } from "./http-transport.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

const neverAborted = new AbortController().signal;
const photo = { filename: "a b/ü.jpg", content_type: "image/jpeg", size: 3 };

test("requests a ticket with the file's name, type and size as JSON", async () => {
  const ticket = await createHttpTransport({ endpoint: `${backend.endpoint}/` }, aRuntime()).request(
    photo,
    neverAborted,
  );
  expect(ticket).toMatchObject({ headers: { "Content-Type": "image/jpeg" }, expires_in: 3600 });
  const [call] = backend.of("request");
  expect(call?.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(Buffer.from(call?.body ?? "", "latin1").toString())).toEqual(photo);
});

test("throws the code, detail, status and Retry-After of a refusal", async () => {
  const body = { detail: "Too many requests", code: "too_many_requests" };
  backend.nextAnswers.request.push({ status: 429, body, headers: { "Retry-After": "9" } });
  const asked = createHttpTransport({ endpoint: backend.endpoint }, aRuntime()).request(photo, neverAborted);
  await expect(asked).rejects.toMatchObject({ ...body, status: 429, retryAfterMs: 9000 });
});

test.each([
  [401, "unauthorized"],
  [404, "unexpected_answer"],
  [413, "request_refused"],
  [502, "unavailable"],
])("turns a %i without a code into %s", async (status, code) => {
  backend.nextAnswers.complete.push({ status, body: "<h1>nginx</h1>" });
  const asked = createHttpTransport({ endpoint: backend.endpoint }, aRuntime()).complete(
    { file_path: "x" },
    neverAborted,
  );
  await expect(asked).rejects.toMatchObject({ code, status });
});

test.each([["<html>Sign in</html>"], [{}], [null], [{ presigned_url: 1, file_path: "x", headers: {} }]])(
  "refuses %j as a ticket",
  async (body) => {
    backend.nextAnswers.request.push({ status: 200, body });
    const asked = createHttpTransport({ endpoint: backend.endpoint }, aRuntime()).request(
      photo,
      neverAborted,
    );
    await expect(asked).rejects.toMatchObject({ code: "unexpected_answer" });
  },
);

test("reports a cut connection as a network error in a frame without an address of its own", async () => {
  vi.stubGlobal("location", { origin: "null", href: "about:srcdoc" });
  const runtime = { ...aRuntime(), fetch: () => Promise.reject(new TypeError("Failed to fetch")) };
  const asked = createHttpTransport({ endpoint: "/api/upload" }, runtime).request(photo, neverAborted);
  await expect(asked).rejects.toMatchObject({ code: "network_error", status: 0 });
});

test("reports a cut connection as a network error", async () => {
  backend.nextAnswers.request.push("cut");
  const asked = createHttpTransport({ endpoint: backend.endpoint }, aRuntime()).request(photo, neverAborted);
  await expect(asked).rejects.toMatchObject({ code: "network_error", status: 0 });
});

test("times out after 30 s without an answer", async () => {
  backend.nextAnswers.request.push("hang");
  const runtime = aRuntime();
  const asked = createHttpTransport({ endpoint: backend.endpoint }, runtime).request(photo, neverAborted);
  await expect.poll(() => runtime.pendingMs()).toEqual([30_000]);
  runtime.advance(30_000);
  await expect(asked).rejects.toMatchObject({ code: "timed_out" });
  expect(runtime.pendingMs()).toEqual([]);
});

test("stops when the caller aborts, and leaves no timer behind", async () => {
  backend.nextAnswers.request.push("hang");
  const runtime = aRuntime();
  const caller = new AbortController();
  const asked = createHttpTransport({ endpoint: backend.endpoint }, runtime).request(photo, caller.signal);
  caller.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  expect(runtime.pendingMs()).toEqual([]);
});

/** The outcome of each of several requests that are made at once. */
const askAll = (transport: UploadTransport, filenames: string[]) =>
  Promise.allSettled(
    filenames.map((filename) => transport.request({ filename, size: 3 }, new AbortController().signal)),
  );

const outcome = (name: string) => ({
  status: "fulfilled",
  value: { file_path: expect.stringMatching(`_${name}$`) },
});

test("asks for several tickets in one call, and gives each file its own answer or error", async () => {
  const refusal = { detail: "Too many requests", code: "too_many_requests" };
  const transport = createHttpTransport({ endpoint: backend.endpoint }, aRuntime());
  backend.nextAnswers.request.push(
    { status: 200, body: { file_path: "x/1_a", presigned_url: "http://storage" } },
    { status: 429, body: refusal, headers: { "Retry-After": "9" } },
    { status: 200, body: { file_path: "x" } },
  );
  expect(await askAll(transport, ["a", "busy", "no ticket", "d"])).toMatchObject([
    outcome("a"),
    { reason: { ...refusal, status: 429, retryAfterMs: 9000 } },
    { reason: { code: "unexpected_answer", status: 200 } },
    outcome("d"),
  ]);
  expect(backend.batchCalls).toEqual([{ step: "request-batch", files: 3 }]);
});

test("confirms several files in one call", async () => {
  const transport = createHttpTransport({ endpoint: backend.endpoint }, aRuntime());
  for (const path of ["a", "b", "c"]) backend.stored.set(path, { size: 3, contentType: "" });
  const confirmed = ["a", "b", "gone", "c"].map((file_path) =>
    transport.complete({ file_path }, new AbortController().signal),
  );
  expect(await Promise.allSettled(confirmed)).toMatchObject([
    { value: { file_path: "a" } },
    { value: { file_path: "b" } },
    { reason: { code: "upload_not_found", status: 409 } },
    { value: { file_path: "c" } },
  ]);
  expect(backend.batchCalls).toEqual([{ step: "complete-batch", files: 3 }]);
});

test.each([
  ["a backend that answers in JSON", 404, { detail: "Not found", code: "not_found" }],
  ["a backend that knows no such path", 404, "<h1>Cannot POST</h1>"],
  ["a backend that allows no POST there", 405, ""],
  ["a backend that answers its page to every path", 200, "<h1>Sign in</h1>"],
  ["a proxy that takes only small bodies", 413, "<h1>Too large</h1>"],
])("calls once for each file of %s, and does not ask again", async (_name, status, body) => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  backend.nextAnswers["request-batch"].push({ status, body });
  const transport = createHttpTransport({ endpoint: backend.endpoint }, aRuntime());
  for (let round = 0; round < 2; round++) {
    const all = await askAll(transport, ["a", "b", "c"]);
    expect(all).toMatchObject([outcome("a"), outcome("b"), outcome("c")]);
  }
  expect([backend.of("request").length, backend.batchCalls]).toEqual([6, []]);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test("refuses each file of a batch that a customer's own code refuses", async () => {
  backend.nextAnswers["request-batch"].push({ status: 401, body: {} });
  const transport = createHttpTransport({ endpoint: backend.endpoint }, aRuntime());
  const refused = { reason: { code: "unauthorized", status: 401 } };
  expect(await askAll(transport, ["a", "b", "c"])).toMatchObject([outcome("a"), refused, refused]);
});

test("gives a batch 30 s for each ten files", async () => {
  backend.nextAnswers["request-batch"].push("hang");
  const runtime = aRuntime();
  const transport = createHttpTransport({ endpoint: backend.endpoint }, runtime);
  const asked = askAll(transport, ["first", ..."abcdefghijk"]);
  await expect.poll(() => runtime.pendingMs()).toEqual([60_000]);
  runtime.advance(60_000);
  expect((await asked).slice(1)).toMatchObject(
    [..."abcdefghijk"].map(() => ({ reason: { code: "timed_out" } })),
  );
});
