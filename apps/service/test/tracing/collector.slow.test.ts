import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createStowage } from "@stowage/server";
import { toNodeHandler } from "@stowage/server/node";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readVersion } from "#version.js";
import { aCollector, type CollectedSpan, type Collector } from "../fixtures/a-collector.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOperator, anOwnedProject } from "../fixtures/a-person.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { aReceiver, type Receiver } from "../fixtures/a-receiver.js";
import { aService } from "../fixtures/a-service.js";
import { call } from "../fixtures/call.js";

/*
 * A customer's page, its backend with the helper, the built service, dev-store and a receiver of webhooks, with a collector for OTLP.
 */

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const EMAIL = "person@customer.example";
/** The spans of the page: one for the request of an upload, one for its completion. */
const ASKS = "b7ad6b7169203331";
const COMPLETES = "c7ad6b7169203332";

let database: Awaited<ReturnType<typeof aDatabase>>;
let collector: Collector;
let receiver: Receiver;
let service: ServiceProcess;
let helperUrl: string;
let closeHelper: () => Promise<unknown>;
let apiKey: string;
let secret: string;

beforeAll(async () => {
  database = await aDatabase();
  collector = await aCollector();
  receiver = await aReceiver();
  const settings = { ...inject("servers"), DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: "true" };
  // An operator's calls belong to traces of their own, so this operator uses a service without tracing.
  const dashboard = await aService(settings);
  const owner = await anOperator(dashboard.url, { databaseUrl: database.url });
  const project = await anOwnedProject(owner);
  apiKey = project.apiKey;
  const endpoint = {
    projectRef: project.projectRef,
    url: `${receiver.url}hook?token=receiver-secret`,
    events: ["file.stored"],
  };
  secret = (await owner.mutate<{ secret: string }>("webhooks.create", endpoint)).data.secret;
  await dashboard.close();
  service = await aProcess({
    ...settings,
    PORT: "0",
    DASHBOARD_DIR: "none",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  });
  const stowage = createStowage({ apiKey, baseUrl: service.url, tenant: () => EMAIL });
  const helper = createServer(toNodeHandler(stowage)).listen(0, "127.0.0.1");
  await once(helper, "listening");
  helperUrl = `http://127.0.0.1:${(helper.address() as AddressInfo).port}/api/stowage`;
  closeHelper = async () => {
    helper.closeAllConnections();
    helper.close();
    await once(helper, "close");
  };
});
afterAll(async () => {
  await closeHelper?.();
  await service?.kill();
  await Promise.all([collector?.close(), receiver?.close()]);
  await database?.drop();
});

interface Ticket {
  presigned_url: string;
  headers: Record<string, string>;
  file_path: string;
}

const traceparent = (spanId: string) => ({ traceparent: `00-${TRACE}-${spanId}-01` });

/** The spans below a span, as a tree of names. */
function treeBelow(spans: CollectedSpan[], parentSpanId: string): object[] {
  return spans
    .filter((span) => span.parentSpanId === parentSpanId)
    .map(({ name, spanId }) => {
      const below = treeBelow(spans, spanId);
      return below.length === 0 ? name : { [name]: below };
    }) as object[];
}

test("an upload is one trace from the page to SQL and storage, and its webhook links to it", async () => {
  // The first upload on a replica also looks up the key, and whether the database is Citus.
  await call(`${helperUrl}/request`, { body: { filename: "first.txt", size: 1 } });
  const asked = await call<Ticket>(`${helperUrl}/request`, {
    body: { filename: "holiday-picture.txt", size: 3 },
    headers: traceparent(ASKS),
  });
  expect(asked.status).toBe(200);
  const { presigned_url, headers, file_path } = asked.body;
  expect((await fetch(presigned_url, { method: "PUT", headers, body: "abc" })).status).toBe(200);
  const completed = await call(`${helperUrl}/complete`, {
    body: { file_path },
    headers: traceparent(COMPLETES),
  });
  expect(completed.status).toBe(200);
  await expect.poll(() => receiver.received.length).toBe(1);
  const deliver = () => collector.spans().find(({ name }) => name === "deliver file.stored");
  await expect.poll(deliver).toBeDefined();

  const spans = collector.spans();
  const ofUpload = spans.filter(({ traceId }) => traceId === TRACE);
  expect(treeBelow(ofUpload, ASKS)).toEqual([
    { "POST /api/storage/upload": [{ "admit upload": ["SELECT admit_uploads"] }] },
  ]);
  expect(treeBelow(ofUpload, COMPLETES)).toEqual([
    {
      "POST /api/storage/complete": [
        "SELECT projects",
        "SELECT files",
        "S3/HeadObject",
        { "mark stored": ["SELECT mark_stored"] },
        "SELECT files",
      ],
    },
  ]);

  const byName = (name: string) => ofUpload.find((span) => span.name === name)!;
  expect(byName("POST /api/storage/upload")).toMatchObject({
    kind: "server",
    status: "unset",
    attributes: {
      "http.request.method": "POST",
      "http.route": "/api/storage/upload",
      "http.response.status_code": 200,
      "url.scheme": "http",
    },
    resource: {
      "service.name": "stowage",
      "service.version": readVersion(),
      "deployment.environment.name": "test",
    },
  });
  expect(byName("SELECT admit_uploads")).toMatchObject({
    kind: "client",
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": "SELECT",
      "db.stored_procedure.name": "admit_uploads",
      "db.query.summary": "SELECT admit_uploads",
      "stowage.db.lane": "upload",
    },
  });
  expect(byName("S3/HeadObject")).toMatchObject({
    kind: "client",
    attributes: { "rpc.method": "S3/HeadObject", "aws.s3.bucket": inject("servers").S3_BUCKET },
  });

  const delivery = deliver()!;
  const cause = byName("mark stored");
  expect(delivery).toMatchObject({
    kind: "client",
    parentSpanId: "",
    attributes: { "stowage.event.type": "file.stored", "http.response.status_code": 204 },
  });
  expect(delivery.links.map(({ traceId }) => traceId)).toEqual([TRACE]);
  expect([byName("POST /api/storage/complete").spanId, cause.spanId]).toContain(delivery.links[0]!.spanId);
  expect(receiver.received[0]!.headers["traceparent"]).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`);
});

test("the exported bytes contain no key, signature, path, filename, address or tenant", async () => {
  // A refused request is exported too, with its code.
  const refused = await call(`${service.url}/api/storage/complete/?leak=in-the-query`, {
    key: apiKey,
    body: { file_path: "projects/p/tenants/t/no-such-file" },
    headers: { ...traceparent(ASKS), Cookie: "session=cookie-secret", "User-Agent": "agent-of-a-person" },
  });
  expect(refused.status).toBe(404);
  const code = () => collector.spans().map(({ attributes }) => attributes["stowage.error.code"]);
  await expect.poll(code).toContain("file_not_found");
  const { S3_SECRET_ACCESS_KEY, S3_ACCESS_KEY_ID } = inject("servers");
  const bytes = collector.bytes();
  expect(bytes).toContain("SELECT mark_stored");
  for (const text of [
    apiKey,
    apiKey.slice(10, 30),
    secret,
    "receiver-secret",
    receiver.url,
    EMAIL,
    "holiday-picture",
    "no-such-file",
    "tenants/",
    "in-the-query",
    "cookie-secret",
    "agent-of-a-person",
    "X-Amz-",
    S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY,
    new URL(database.url).pathname.slice(1),
    "127.0.0.1",
  ])
    expect(bytes, text).not.toContain(text);
});

test("each line of the log that is written in a trace has its id", async () => {
  const headers = traceparent("d7ad6b7169203333");
  await call(`${service.url}/api/storage/files/?tenant_id=t`, { key: apiKey, headers });
  const lines = () =>
    service
      .output()
      .split("\n")
      .filter((line) => line.includes('"route":"/api/storage/files"'));
  await expect.poll(() => lines().length).toBe(1);
  expect(JSON.parse(lines()[0]!)).toMatchObject({
    msg: "request",
    trace_id: TRACE,
    span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
});

describe("a collector that", () => {
  test.each([
    ["never answers", "never"],
    ["does not exist", null],
  ] as const)("%s delays no request and no shutdown", async (_what, answer) => {
    const broken = await aCollector(answer ?? undefined);
    if (answer === null) await broken.close();
    const settings = {
      ...inject("servers"),
      DATABASE_URL: database.url,
      PORT: "0",
      DASHBOARD_DIR: "none",
      WEBHOOKS: "off",
    };
    const traced = await aProcess({
      ...settings,
      OTEL_EXPORTER_OTLP_ENDPOINT: broken.url,
      OTEL_BSP_SCHEDULE_DELAY: "10",
      OTEL_BSP_MAX_QUEUE_SIZE: "16",
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "4",
    });
    try {
      // More spans than the queue takes.
      for (let times = 0; times < 20; times++) {
        const url = `${traced.url}/api/storage/usage/?tenant_id=t`;
        expect((await call(url, { key: apiKey, headers: traceparent(ASKS) })).status).toBe(200);
      }
      traced.child.kill("SIGTERM");
      // It drains within DRAIN_SECONDS, so it exits without an error.
      expect(await traced.exit).toBe(0);
      expect(traced.output()).not.toContain(broken.url);
    } finally {
      await traced.kill();
      if (answer !== null) await broken.close();
    }
  });
});

test("the spans that wait are exported when the service stops", async () => {
  const late = await aCollector();
  const settings = {
    ...inject("servers"),
    DATABASE_URL: database.url,
    PORT: "0",
    DASHBOARD_DIR: "none",
    WEBHOOKS: "off",
  };
  const traced = await aProcess({
    ...settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: late.url,
    OTEL_BSP_SCHEDULE_DELAY: "600000",
  });
  expect((await call(`${traced.url}/api/storage/usage/?tenant_id=t`, { key: apiKey })).status).toBe(200);
  expect(late.spans()).toEqual([]);
  traced.child.kill("SIGTERM");
  expect(await traced.exit).toBe(0);
  expect(late.spans().map(({ name }) => name)).toContain("GET /api/storage/usage");
  await late.close();
});
