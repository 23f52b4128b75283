import { afterEach, beforeEach, expect, it } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aRuntime } from "../../../test/runtime.js";
import { createHttpTransport } from "./http-transport.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

const never = new AbortController().signal;
const photo = { filename: "a b/ü.jpg", content_type: "image/jpeg", size: 3 };

it("asks for a ticket with the file's name, type and size as JSON", async () => {
  const ticket = await createHttpTransport({ endpoint: `${backend.endpoint}/` }, aRuntime()).request(
    photo,
    never,
  );
  expect(ticket).toMatchObject({ headers: { "Content-Type": "image/jpeg" }, expires_in: 3600 });
  const [call] = backend.of("request");
  expect(call?.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(Buffer.from(call?.body ?? "", "latin1").toString())).toEqual(photo);
});

it("passes on code, sentence, status and Retry-After of a refusal", async () => {
  const body = { detail: "Too many requests", code: "too_many_requests" };
  backend.nextAnswers.request.push({ status: 429, body, headers: { "Retry-After": "9" } });
  const asked = createHttpTransport({ endpoint: backend.endpoint }, aRuntime()).request(photo, never);
  await expect(asked).rejects.toMatchObject({ ...body, status: 429, retryAfterMs: 9000 });
});

it.each([
  [401, "unauthorized"],
  [404, "request_refused"],
  [502, "unavailable"],
])("makes sense of a bare %i", async (status, code) => {
  backend.nextAnswers.complete.push({ status, body: "<h1>nginx</h1>" });
  const asked = createHttpTransport({ endpoint: backend.endpoint }, aRuntime()).complete(
    { file_path: "x" },
    never,
  );
  await expect(asked).rejects.toMatchObject({ code, status });
});

it.each([["<html>Sign in</html>"], [{}], [null], [{ presigned_url: 1, file_path: "x", headers: {} }]])(
  "does not take %j for a ticket",
  async (body) => {
    backend.nextAnswers.request.push({ status: 200, body });
    const asked = createHttpTransport({ endpoint: backend.endpoint }, aRuntime()).request(photo, never);
    await expect(asked).rejects.toMatchObject({ code: "unexpected_answer" });
  },
);

it("calls a cut connection a network error", async () => {
  backend.nextAnswers.request.push("cut");
  const asked = createHttpTransport({ endpoint: backend.endpoint }, aRuntime()).request(photo, never);
  await expect(asked).rejects.toMatchObject({ code: "network_error", status: 0 });
});

it("gives up on an answer after 30 s", async () => {
  backend.nextAnswers.request.push("hang");
  const runtime = aRuntime();
  const asked = createHttpTransport({ endpoint: backend.endpoint }, runtime).request(photo, never);
  expect(runtime.pendingMs()).toEqual([30_000]);
  runtime.advance(30_000);
  await expect(asked).rejects.toMatchObject({ code: "timed_out" });
  expect(runtime.pendingMs()).toEqual([]);
});

it("stops when told to, and leaves no timer behind", async () => {
  backend.nextAnswers.request.push("hang");
  const runtime = aRuntime();
  const caller = new AbortController();
  const asked = createHttpTransport({ endpoint: backend.endpoint }, runtime).request(photo, caller.signal);
  caller.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  expect(runtime.pendingMs()).toEqual([]);
});
