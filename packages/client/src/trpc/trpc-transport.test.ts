import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from "@trpc/client";
import { initTRPC } from "@trpc/server";
import { expect, test } from "vitest";
import { aRuntime } from "../../test/runtime.js";
import { createTrpcTransport, type StowageTrpcClient } from "./trpc-transport.js";

const neverAborted = new AbortController().signal;

/** A tRPC client. `answer` answers each of its calls. */
function aClient(answer: () => Promise<Response>, link = httpLink) {
  const t = initTRPC.create();
  const none = t.router({});
  const client = createTRPCClient<typeof none>({ links: [link({ url: "http://backend", fetch: answer })] });
  // These tests replace the answers of the helper, so the types of its router do not matter.
  return client as unknown as StowageTrpcClient;
}

const refuses =
  (status: number, message: string, data: object = {}) =>
  async () =>
    Response.json({ error: { message, code: -32000, data: { httpStatus: status, ...data } } }, { status });

test.each([
  [400, "Only on weekdays", "invalid_request"],
  [401, "Session over", "unauthorized"],
  [403, "Your plan has no uploads", "upload_refused"],
  [404, "No procedure found", "request_refused"],
  [429, "Slow down", "too_many_requests"],
  [500, "Kaput", "unavailable"],
])("derives the code of a %i without a code from its status: %s, %s", async (status, message, code) => {
  const asked = createTrpcTransport(aClient(refuses(status, message))).request(
    { filename: "a" },
    neverAborted,
  );
  await expect(asked).rejects.toMatchObject({ code, status, detail: message });
});

test("prefers the code that the backend sends to the code of its message", async () => {
  const data = { stowage: { code: "callback_failed", retry_after_seconds: 3 } };
  const asked = createTrpcTransport(aClient(refuses(500, "Internal error", data))).complete(
    { file_path: "a" },
    neverAborted,
  );
  await expect(asked).rejects.toMatchObject({ code: "callback_failed", status: 500, retryAfterMs: 3000 });
});

test.each([
  ["alone", httpLink],
  ["in a batch", httpBatchLink],
])("reports the HTML page of a gateway as an unavailable backend, %s", async (_name, link) => {
  const client = aClient(
    async () => new Response("<h1>nginx</h1>", { status: 502 }),
    link as typeof httpLink,
  );
  const asked = createTrpcTransport(client).request({ filename: "a" }, neverAborted);
  await expect(asked).rejects.toMatchObject({ code: "unavailable", status: 503 });
});

test("takes the HTML page of a gateway as proof of a connection when it probes", async () => {
  const client = aClient(async () => new Response("<h1>nginx</h1>", { status: 502 }));
  await expect(createTrpcTransport(client).probe?.(neverAborted)).resolves.toBeUndefined();
});

test("times out after 30 s, a probe after 10 s, and leaves no timer behind", async () => {
  const runtime = aRuntime();
  const transport = createTrpcTransport(
    aClient(() => new Promise(() => {})),
    runtime,
  );
  const asked = transport.request({ filename: "a" }, neverAborted);
  const probed = transport.probe?.(neverAborted);
  expect(runtime.pendingMs()).toEqual([10_000, 30_000]);
  runtime.advance(10_000);
  await expect(probed).rejects.toMatchObject({ code: "timed_out", status: 0 });
  runtime.advance(20_000);
  await expect(asked).rejects.toMatchObject({ code: "timed_out", status: 0 });
  expect(runtime.pendingMs()).toEqual([]);
});

test("leaves no timer behind when the page aborts a call", async () => {
  const runtime = aRuntime();
  const page = new AbortController();
  const transport = createTrpcTransport(
    aClient(() => new Promise(() => {})),
    runtime,
  );
  const asked = transport.request({ filename: "a" }, page.signal);
  page.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  expect(runtime.pendingMs()).toEqual([]);
});

test("reports a call that tRPC could not send as a network error", async () => {
  const asked = createTrpcTransport(aClient(() => Promise.reject(new TypeError("fetch failed")))).request(
    { filename: "a" },
    neverAborted,
  );
  await expect(asked).rejects.toMatchObject({ code: "network_error", status: 0 });
  await expect(asked).rejects.not.toBeInstanceOf(TRPCClientError);
});
