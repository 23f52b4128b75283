import { freePort } from "@stowage/dev-postgres";
import type { ProjectWithKey } from "#projects/create-project.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aServiceOnProxies, type ServiceOnProxies } from "../faults/a-service-on-proxies.js";
import { aReceiver, type Receiver, withStatus } from "../fixtures/a-receiver.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload, call } from "../fixtures/call.js";
import { scrape } from "../fixtures/scrape.js";

let service: ServiceOnProxies;
let metricsUrl: string;
let project: ProjectWithKey;
let receiver: Receiver;

beforeAll(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  service = await aServiceOnProxies(10_000, undefined, {
    WEBHOOK_ALLOW_PRIVATE: "true",
    METRICS_PORT: `${port}`,
  });
  project = await service.project();
  receiver = await aReceiver();
  receiver.answer = withStatus(500);
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const read = () => scrape(metricsUrl);
const uploadRoute = { http_route: "/api/storage/upload", http_request_method: "POST" };

test("counts requests, admissions, settles, storage calls and jobs", async () => {
  const before = await read();
  await aStoredFile(service.url(), project.apiKey);
  const refused = await call(`${service.url()}/api/storage/upload/`, { key: project.apiKey, body: {} });
  expect(refused.status).toBe(400);
  await expect
    .poll(async () => {
      const after = await read();
      const grown = (name: string, labels: Record<string, string> = {}) =>
        (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
      return {
        admitted: grown("http_server_request_duration_seconds_count", {
          ...uploadRoute,
          http_response_status_code: "200",
        }),
        refused: grown("http_server_request_duration_seconds_count", {
          ...uploadRoute,
          http_response_status_code: "400",
        }),
        codes: grown("stowage_errors_total"),
        admissions: grown("stowage_admissions_total", { outcome: "admitted" }),
        settles: grown("stowage_settle_lag_seconds_count"),
        heads:
          grown("stowage_storage_request_duration_seconds_count", {
            rpc_method: "HeadObject",
            outcome: "ok",
          }) > 0,
        runs: grown("stowage_job_run_duration_seconds_count", { job_name: "sweeper", outcome: "ok" }) > 0,
      };
    })
    .toEqual({ admitted: 1, refused: 1, codes: 1, admissions: 1, settles: 1, heads: true, runs: true });
});

test("shows what waits: open uploads, backlogs and webhooks", async () => {
  await anUpload(service.url(), project.apiKey, { tenant_id: "t", filename: "a", size: 1234 });
  await service.endpoint(project, receiver.url);
  await aStoredFile(service.url(), project.apiKey);
  await expect
    .poll(
      async () => {
        const now = await read();
        return {
          open: now.value("stowage_open_uploads"),
          bytes: now.value("stowage_reserved_bytes"),
          isDeliveryWaiting: now.value("stowage_backlog_rows", { queue: "webhook_deliveries" }) !== undefined,
          refusedTries:
            (now.value("stowage_webhook_request_duration_seconds_count", { outcome: "refused" }) ?? 0) > 0,
          disabled: now.value("stowage_webhook_endpoints_disabled", { reason: "gone" }),
        };
      },
      { timeout: 30_000 },
    )
    .toEqual({ open: 1, bytes: 1234, isDeliveryWaiting: true, refusedTries: true, disabled: 0 });
});

describe("an attacker", () => {
  test("finds no metrics on the public port, with or without a key", async () => {
    for (const key of [undefined, project.apiKey]) {
      const answer = await call(`${service.url()}/metrics`, key === undefined ? {} : { key });
      expect(answer.status).toBe(404);
    }
  });

  test("finds nothing else on the metrics port", async () => {
    for (const path of ["/", "/healthz", "/metrics/", "/api/storage/files/", "/docs/api.md", "/trpc/a"]) {
      const response = await fetch(new URL(path, metricsUrl), {
        headers: { Authorization: `Bearer ${project.apiKey}` },
      });
      expect([path, response.status, await response.text()]).toEqual([path, 404, ""]);
    }
    expect((await fetch(metricsUrl, { method: "POST", body: "x" })).status).toBe(405);
  });

  test("adds no label by odd paths, methods, tenants or codes", async () => {
    await call(`${service.url()}/nowhere`);
    const before = await read();
    const secrets = ["a-tenant-of-mine", "a-file-of-mine", "a-path-of-mine", "stow_live_a-key-of-mine"];
    const [tenant_id, filename, path, key] = secrets as [string, string, string, string];
    await anUpload(service.url(), project.apiKey, { tenant_id, filename });
    await call(`${service.url()}/${path}/${project.ref}`, { method: "DELETE" });
    await call(`${service.url()}/api/storage/files/?tenant_id=${tenant_id}`, { key });
    await call(`${service.url()}/api/storage/tenants/${tenant_id}/`, {
      method: "PURGE",
      key: project.apiKey,
    }).catch(() => undefined);
    const after = await read();
    for (const text of [...secrets, project.ref, project.apiKey, project.name, receiver.url])
      expect(after.text).not.toContain(text);
    const routesOf = ({ samples }: typeof after) =>
      new Set(samples.flatMap(({ labels }) => labels["http_route"] ?? []));
    const known = [...routesOf(before), "/api/storage/files"];
    expect(known).toEqual(expect.arrayContaining([...routesOf(after)]));
    expect(after.samples.length).toBeLessThan(5000);
  });
});

describe("while the database", () => {
  test.each([
    ["refuses connections", () => service.database.takeDown()],
    ["stops answering", () => service.database.freeze()],
  ])("%s, a scrape succeeds without its values", async (_, interrupt) => {
    await interrupt();
    try {
      await expect
        .poll(
          async () => {
            const startedAt = performance.now();
            const now = await read();
            return {
              isInTime: performance.now() - startedAt < 9000,
              up: now.value("stowage_database_up"),
              backlogs: now.value("stowage_backlog_rows"),
              open: now.value("stowage_open_uploads"),
              storageUp: now.value("stowage_storage_up"),
              isHttpShown: now.value("http_server_active_requests") !== undefined,
            };
          },
          { timeout: 40_000 },
        )
        .toEqual({
          isInTime: true,
          up: 0,
          backlogs: undefined,
          open: undefined,
          storageUp: 1,
          isHttpShown: true,
        });
    } finally {
      await service.database.bringBack();
    }
    await expect.poll(async () => (await read()).value("stowage_database_up"), { timeout: 40_000 }).toBe(1);
    expect(
      (await read()).value("stowage_database_refused_statements_total", { reason: "unavailable" }),
    ).toBeGreaterThan(0);
  });
});
