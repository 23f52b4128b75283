import { randomBytes } from "node:crypto";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { afterEach, expect, test } from "vitest";
import { generateApiKey } from "#projects/api-key.js";
import type { SamplingSettings } from "#telemetry/tracing/sampler.js";
import { createTracing } from "#telemetry/tracing/tracing.js";
import { aProject } from "../fixtures/a-project.js";
import { aService } from "../fixtures/a-service.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SAMPLED = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
const NOT_SAMPLED = { traceparent: `00-${TRACE}-b7ad6b7169203331-00` };

/** A service that records into memory. */
async function aTracedService(
  sampling: SamplingSettings = { sampler: "parentbased_always_on", ratio: 1 },
  settings: Record<string, string> = {},
) {
  const exporter = new InMemorySpanExporter();
  const tracing = createTracing({
    ...sampling,
    processor: new SimpleSpanProcessor(exporter),
    resource: resourceFromAttributes({}),
    version: "1",
  });
  const service = await aService(settings, { tracing });
  ends.push(service.close);
  const { apiKey } = await aProject();
  const key = apiKey;
  // Afterwards the replica knows the key.
  await call(`${service.url}/api/storage/usage/?tenant_id=t`, { key });
  exporter.reset();
  const spans = () => exporter.getFinishedSpans();
  return {
    url: service.url,
    key,
    spans,
    reset: () => exporter.reset(),
    named: (name: string) => spans().filter((span) => span.name === name),
    /** The span of a request ends when its connection has the whole answer. */
    async untilNamed(name: string, count = 1): Promise<ReadableSpan[]> {
      await expect.poll(() => spans().filter((span) => span.name === name).length).toBe(count);
      return spans().filter((span) => span.name === name);
    },
  };
}

const idOf = (span: ReadableSpan) => span.spanContext().spanId;
const parentOf = (span: ReadableSpan) => span.parentSpanContext?.spanId;
const linksOf = (span: ReadableSpan) => span.links.map(({ context }) => context.spanId).toSorted();

test("uploads that share a statement have it in one trace, and links lead there from the others", async () => {
  const { url, key, named, untilNamed, reset } = await aTracedService();
  const body = { tenant_id: "t", filename: "a.txt", size: 1 };
  // Uploads of a tenant that does not exist yet may need several attempts.
  await anUpload(url, key, body);
  await untilNamed("POST /api/storage/upload");
  reset();
  await Promise.all(Array.from({ length: 20 }, () => anUpload(url, key, body)));
  await untilNamed("POST /api/storage/upload", 20);
  const inputs = named("admit upload");
  expect(inputs).toHaveLength(20);
  // Each is below the request of its own upload.
  expect(new Set(inputs.map(parentOf))).toEqual(new Set(named("POST /api/storage/upload").map(idOf)));
  const statements = [...named("SELECT admit_uploads")];
  expect(statements.length).toBeLessThan(20);
  const leaders = new Set(statements.map(parentOf));
  for (const input of inputs) {
    const size = Number(input.attributes["stowage.batch.size"]);
    if (leaders.has(idOf(input))) expect(input.links).toHaveLength(size - 1);
    else expect([linksOf(input).length, leaders.has(linksOf(input)[0])]).toEqual([1, true]);
  }
  expect(
    Math.max(...inputs.map(({ attributes }) => Number(attributes["stowage.batch.size"]))),
  ).toBeGreaterThan(1);
});

test("a transaction is one span with its statements", async () => {
  const { url, key, named, untilNamed } = await aTracedService();
  const upload = await anUpload(url, key, { tenant_id: "t", filename: "a.txt", size: 1 });
  await putBytes(upload, Buffer.from("a"));
  const body = { file_paths: [upload.file_path], tenant_id: "t" };
  const deleted = await call(`${url}/api/storage/delete/`, { key, body });
  expect(deleted.status).toBe(200);
  const [request] = await untilNamed("POST /api/storage/delete");
  const [transaction] = named("transaction");
  expect(parentOf(transaction!)).toBe(idOf(request!));
  expect(parentOf(named("SELECT emit_file_events")[0]!)).toBe(idOf(transaction!));
  expect(named("S3/DeleteObject").map(parentOf)).toEqual([idOf(request!)]);
});

test.each([
  ["without a key", undefined],
  ["with a malformed key", "stow_live_x"],
  ["with an unknown key", generateApiKey(randomBytes)],
])("a request %s has no span, although its traceparent is sampled", async (_what, key) => {
  const { url, spans } = await aTracedService();
  const refused = await call(`${url}/api/storage/usage/?tenant_id=t`, {
    ...(key && { key }),
    headers: SAMPLED,
  });
  expect(refused.status).toBe(401);
  await call(`${url}/healthz`, { headers: SAMPLED });
  await call(`${url}/nothing`, { headers: SAMPLED });
  // A call of the dashboard has one, in a trace of its own.
  await call(`${url}/trpc/auth.session`, { headers: SAMPLED });
  await expect.poll(() => spans().length).toBeGreaterThan(0);
  expect(spans().map((span) => span.attributes["http.route"] ?? "")).not.toContain("/api/storage/usage");
  expect(spans().map((span) => span.spanContext().traceId)).not.toContain(TRACE);
});

test.each([
  [{ sampler: "parentbased_always_on", ratio: 1 }, 1, 0, 1],
  [{ sampler: "parentbased_always_off", ratio: 1 }, 1, 0, 0],
  [{ sampler: "parentbased_traceidratio", ratio: 0 }, 1, 0, 0],
  [{ sampler: "traceidratio", ratio: 0 }, 0, 0, 0],
  [{ sampler: "always_off", ratio: 1 }, 0, 0, 0],
  [{ sampler: "always_on", ratio: 0 }, 1, 1, 1],
] as const)(
  "with %o, a customer's choice counts as documented",
  async (sampling, sampled, notSampled, without) => {
    const { url, key, spans } = await aTracedService(sampling);
    const requests = { usage: SAMPLED, tenants: NOT_SAMPLED, files: {} };
    for (const [route, headers] of Object.entries(requests))
      await call(`${url}/api/storage/${route}/?tenant_id=t`, { key, headers });
    const counts = () =>
      Object.keys(requests).map(
        (route) => spans().filter((span) => span.attributes["http.route"] === `/api/storage/${route}`).length,
      );
    await expect.poll(counts).toEqual([sampled, notSampled, without]);
  },
);

test("a failed request to storage is an error without its message", async () => {
  const { url, key, named, untilNamed } = await aTracedService(undefined, {
    S3_ENDPOINT: "http://127.0.0.1:1",
    S3_TIMEOUT_MS: "500",
  });
  const upload = await anUpload(url, key, { tenant_id: "t", filename: "a.txt", size: 1 });
  const answer = await call(`${url}/api/storage/complete/`, { key, body: { file_path: upload.file_path } });
  expect(answer.status).toBe(503);
  const [request] = await untilNamed("POST /api/storage/complete");
  expect(request!.attributes).toMatchObject({ "error.type": "503", "stowage.error.code": "unavailable" });
  const [head] = named("S3/HeadObject");
  expect([head!.attributes["error.type"], head!.status, head!.events]).toEqual([
    "unavailable",
    { code: 2 },
    [],
  ]);
});
