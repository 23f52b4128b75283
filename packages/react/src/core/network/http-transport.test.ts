import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aRuntime } from "../../../test/runtime.js";
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
  expect(runtime.pendingMs()).toEqual([30_000]);
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
