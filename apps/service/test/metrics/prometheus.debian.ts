import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@stowage/dev-postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { ProjectWithKey } from "#projects/create-project.js";
import { aServiceOnProxies, CALL_TIMEOUT_MS, type ServiceOnProxies } from "../faults/a-service-on-proxies.js";
import { aClamdServer } from "../fixtures/a-clamd-protocol.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { aPrometheus, type Prometheus, readRules } from "../fixtures/a-prometheus.js";
import { aReceiver, type Receiver } from "../fixtures/a-receiver.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload, call } from "../fixtures/call.js";
import { scrape } from "../fixtures/scrape.js";
import { readText, readYaml } from "../containers/read-files.js";
import { readQueries } from "./read-dashboard.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const promtool = (...args: string[]) => promisify(execFile)("promtool", args, { cwd: root });

const ports = { service: 0, second: 0, worker: 0 };
const addressOf = (name: keyof typeof ports) => `127.0.0.1:${ports[name]}`;
const urlOf = (name: keyof typeof ports) => `http://${addressOf(name)}/metrics`;
let service: ServiceOnProxies;
let second: ServiceProcess;
let worker: ChildProcess;
let clamd: Awaited<ReturnType<typeof aClamdServer>>;
let receiver: Receiver;
let project: ProjectWithKey;
let prometheus: Prometheus;

beforeAll(async () => {
  for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort();
  service = await aServiceOnProxies(CALL_TIMEOUT_MS, undefined, {
    WEBHOOK_ALLOW_PRIVATE: "true",
    METRICS_PORT: `${ports.service}`,
  });
  const settings = {
    ...inject("servers"),
    DATABASE_URL: service.database.url,
    S3_ENDPOINT: service.storage.url,
  };
  second = await aProcess({ ...settings, PORT: "0", METRICS_PORT: `${ports.second}` });
  clamd = await aClamdServer(({ command, isComplete }) => {
    if (command === "zPING") return "PONG\0";
    return isComplete ? "stream: OK\0" : undefined;
  });
  worker = spawn(process.execPath, [CLI, "worker"], {
    env: { PATH: process.env["PATH"], ...settings, CLAMAV_URL: clamd.url, METRICS_PORT: `${ports.worker}` },
    stdio: "ignore",
  });
  receiver = await aReceiver();
  project = await service.project();
  await service.endpoint(project, receiver.url);
  await service.rows("update projects set scan = 'clamav' where ref = $1", [project.ref]);
  prometheus = await aPrometheus({
    stowage: [addressOf("service"), addressOf("second")],
    "stowage-worker": [addressOf("worker")],
  });
});
afterAll(async () => {
  await prometheus.close();
  await killWorker();
  await second.kill();
  await service.close();
  await receiver.close();
  clamd.close();
});

async function killWorker(): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  worker.kill("SIGKILL");
  await once(worker, "exit");
}

test("promtool accepts the rules and the sample configuration", async () => {
  const { stdout } = await promtool("check", "rules", "deploy/prometheus/alerts.yaml");
  expect(stdout).toContain("SUCCESS");
  expect((await promtool("check", "config", "deploy/prometheus/prometheus.yaml")).stdout).toContain(
    "SUCCESS",
  );
});

test("each alert fires in a test of promtool, and in another one stays quiet", async () => {
  const { tests } = readYaml<{ tests: { name: string }[] }>("deploy/prometheus/alerts.test.yaml");
  const alerts = readRules().groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect(tests.map(({ name }) => name)).toEqual(
    alerts.flatMap((alert) => [`${alert} fires`, `${alert} stays quiet`]),
  );
  await promtool("test", "rules", "deploy/prometheus/alerts.test.yaml");
});

/** The name is OpenTelemetry's. */
const ACCEPTED = `db_client_connection_count non-histogram and non-summary metrics should not have "_count" suffix`;

test("promtool finds no fault in the metrics of the service and the worker", async () => {
  for (const name of ["service", "worker"] as const) {
    let text = "";
    await expect.poll(async () => (text = (await scrape(urlOf(name))).text)).toContain("target_info");
    const check = spawn("promtool", ["check", "metrics"], { stdio: ["pipe", "ignore", "pipe"] });
    let problems = "";
    check.stderr.on("data", (chunk: Buffer) => (problems += chunk.toString()));
    check.stdin.end(text);
    await once(check, "close");
    expect(problems.split("\n").filter((line) => line !== "" && line !== ACCEPTED)).toEqual([]);
  }
});

test("each panel of the dashboard shows data", async () => {
  const empty = async () => {
    await aStoredFile(service.url(), project.apiKey);
    await anUpload(service.url(), project.apiKey, { tenant_id: "t", filename: "a", size: 1 });
    const answers = await Promise.all(
      readQueries().map(async ({ panel, expr }) => {
        const query = expr.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "1m");
        const result = await prometheus.query(query);
        return result.some(({ value }) => Number.isFinite(value)) ? [] : [panel];
      }),
    );
    return answers.flat();
  };
  await expect.poll(empty, { timeout: 60_000, interval: 1000 }).toEqual([]);
  expect([...(await prometheus.firing())]).toEqual([]);
});

test("real faults make alerts fire", async () => {
  const expectAlerts = (names: string[], load: () => Promise<unknown> = async () => undefined) =>
    expect
      .poll(
        async () => {
          await load();
          return [...(await prometheus.firing())];
        },
        { timeout: 60_000 },
      )
      .toEqual(expect.arrayContaining(names));

  // The worker stops, and a file waits for its scan.
  await killWorker();
  const { file_path } = await aStoredFile(service.url(), project.apiKey);
  await service.rows(
    `update file_tasks set due_at = now() - interval '1 hour'
     where kind = 'scan' and file_id = (select id from files where path = $1)`,
    [file_path],
  );
  await expectAlerts(["StowageReplicaDown", "StowageScansBehind"]);

  // Storage is down.
  await service.storage.takeDown();
  await expectAlerts(["StowageStorageDown"]);

  // The database answers nothing more, and more requests arrive than its lane can hold.
  service.database.freeze();
  const read = () =>
    call(`${service.url()}/api/storage/file/?${new URLSearchParams({ file_path }).toString()}`, {
      key: project.apiKey,
    }).catch(() => undefined);
  const flood = () => Promise.all(Array.from({ length: 50 }, read));
  await expectAlerts(["StowageDatabaseDown", "StowageRequestsFail", "StowageStatementsRefused"], flood);

  // The replicas die.
  await second.kill();
  await service.database.bringBack();
  await service.storage.bringBack();
  await service.kill();
  await expectAlerts(["StowageNoReplica"]);
});

test("the sample configuration scrapes the jobs that the rules name", () => {
  const { scrape_configs: configs } = readYaml<{ scrape_configs: { job_name: string }[] }>(
    "deploy/prometheus/prometheus.yaml",
  );
  expect(configs.map(({ job_name }) => job_name)).toEqual(["stowage", "stowage-worker"]);
  expect(readText("deploy/prometheus/alerts.yaml")).toContain('job=~"stowage(-worker)?"');
});
