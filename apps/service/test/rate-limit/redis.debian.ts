import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { generateApiKey } from "#projects/api-key.js";
import { startLoad } from "../faults/load.js";
import { anAuthority, aCertificate } from "../fixtures/a-certificate.js";
import { aProcess } from "../fixtures/a-process.js";
import { aProject } from "../fixtures/a-project.js";
import { aRedis, type Redis } from "../fixtures/a-redis.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { call } from "../fixtures/call.js";

const PASSWORD = "a-password-that-no-log-may-contain";
const DOWN = "RATE_LIMIT_STORE does not answer";
const UP = "RATE_LIMIT_STORE answers";

let redis: Redis;
const replicas: RunningService[] = [];
beforeEach(async () => {
  redis = await aRedis({ password: PASSWORD });
});
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((replica) => replica.close()));
  await redis.close();
});

/** Starts two replicas that count in the Redis of `url`. */
async function startReplicas(settings: Record<string, string>, url = redis.url): Promise<void> {
  // The failures count by the minute of the clock, so it stands still.
  const now = new Date();
  for (let n = 0; n < 2; n++) {
    replicas.push(await aService({ RATE_LIMIT_STORE: url, ...settings }, { clock: () => now }));
  }
}

const times = (text: string, { log }: RunningService) => log().split(text).length - 1;

/** What a replica has said of Redis until now. On a slow machine, Redis may also be down for it in between. */
const saidOfRedis = ({ log }: RunningService) => log().match(new RegExp(`${DOWN}|${UP}`, "g")) ?? [];

/** Waits until this is the last that each replica has said of Redis. */
async function lastSaid(text: string): Promise<void> {
  await expect.poll(() => replicas.map((replica) => saidOfRedis(replica).at(-1))).toEqual([text, text]);
}

function expectEachOutageSaidOnce(): void {
  for (const replica of replicas) {
    const said = saidOfRedis(replica);
    expect(said).toEqual(said.map((_, n) => (n % 2 === 0 ? UP : DOWN)));
  }
}

let turn = 0;
const nextUrl = () => replicas[turn++ % replicas.length]!.url;

async function ask(key: string, from = "192.0.2.1"): Promise<number> {
  const headers = { "X-Forwarded-For": from };
  const { status } = await call(`${nextUrl()}/api/storage/usage/?tenant_id=t`, { key, headers });
  return status;
}

/** Sends requests to the replicas in turns. @returns how many were answered with each status */
async function askTimes(count: number, send: () => Promise<number>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let n = 0; n < count; n++) {
    const status = await send();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const forgedKey = () => generateApiKey(randomBytes);

test("two replicas count the requests of a project, the failures of a client and the calls of a dashboard together", async () => {
  await startReplicas({ RATE_LIMIT_PER_MINUTE: "20", FAILING_KEYS_PER_MINUTE: "10" });
  await lastSaid(UP);
  const { apiKey } = await aProject();
  expect(await askTimes(30, () => ask(apiKey))).toEqual({ 200: 20, 429: 10 });
  const failures = await askTimes(20, () => ask(forgedKey(), "192.0.2.7"));
  // Each replica learns from its own failures what the other one has counted.
  expect(failures[401]).toBeLessThanOrEqual(11);
  expect(failures[401]! + failures[429]!).toBe(20);
  const from = { "X-Forwarded-For": "192.0.2.8" };
  const readSession = async () => (await call(`${nextUrl()}/trpc/session.me`, { headers: from })).status;
  const calls = await askTimes(30, readSession);
  expect(calls[429]).toBe(10);
});

test("two replicas take back what the limit of a tenant refuses", async () => {
  await startReplicas({ RATE_LIMIT_PER_MINUTE: "20", DEFAULT_UPLOADS_PER_MINUTE: "0" });
  await lastSaid(UP);
  const { apiKey } = await aProject();
  const body = { tenant_id: "t", filename: "a", size: 1 };
  const upload = async () => (await call(`${nextUrl()}/api/storage/upload/`, { key: apiKey, body })).status;
  expect(await askTimes(30, upload)).toEqual({ 429: 30 });
  expect(await askTimes(30, () => ask(apiKey))).toEqual({ 200: 20, 429: 10 });
});

test("Redis that is killed and revived under load fails no request, and each replica logs the outage once", async () => {
  await startReplicas({ RATE_LIMIT_PER_MINUTE: "1000000", FAILING_KEYS_PER_MINUTE: "300" });
  await lastSaid(UP);
  const { apiKey } = await aProject();
  const load = startLoad(nextUrl, apiKey);
  await load.completesMore(10);
  await redis.kill();
  await lastSaid(DOWN);
  await load.completesMore(20);
  await redis.revive();
  await lastSaid(UP);
  await load.completesMore(20);
  await load.stop();
  expect(load.acknowledged).toMatchObject({ wrong: [], unavailable: 0, broken: 0 });
  expectEachOutageSaidOnce();
  expect(replicas.map((replica) => times(PASSWORD, replica))).toEqual([0, 0]);
});

test("Redis that does not answer makes no request wait again, and each replica counts alone", async () => {
  await startReplicas({ RATE_LIMIT_PER_MINUTE: "10" });
  await lastSaid(UP);
  const [before, after] = await Promise.all([aProject(), aProject()]);
  const timeOf30 = async (key: string) => {
    const startedAt = performance.now();
    const counts = await askTimes(30, () => ask(key));
    return { counts, ms: performance.now() - startedAt };
  };
  const answering = await timeOf30(before.apiKey);
  redis.freeze();
  const frozen = await timeOf30(after.apiKey);
  expect(frozen.counts).toEqual({ 200: 20, 429: 10 });
  // If each waited the 200 ms after which Redis is down, they would take 6 s more.
  expect(frozen.ms).toBeLessThan(2 * answering.ms + 3000);
  await lastSaid(DOWN);
  redis.thaw();
  await lastSaid(UP);
  expectEachOutageSaidOnce();
});

test("a wrong password stops neither the start nor a request, and is logged once without the URL", async () => {
  await startReplicas({ RATE_LIMIT_PER_MINUTE: "10" }, redis.url.replace(PASSWORD, "another-password"));
  await lastSaid(DOWN);
  const { apiKey } = await aProject();
  expect(await askTimes(30, () => ask(apiKey))).toEqual({ 200: 20, 429: 10 });
  const before = await redis.connectionsReceived();
  // Each replica tries again twice. Each reading is a connection too.
  await expect.poll(() => redis.connectionsReceived(), { interval: 1000 }).toBeGreaterThan(before + 8);
  for (const replica of replicas) {
    expect(times(DOWN, replica)).toBe(1);
    expect(replica.log()).toContain("WRONGPASS");
    expect(replica.log()).not.toContain("another-password");
    expect(replica.log()).not.toContain("redis://");
  }
});

test("two processes of the built service count together over TLS", async () => {
  const authority = anAuthority();
  const encrypted = await aRedis({
    password: PASSWORD,
    certificate: aCertificate("127.0.0.1", { issuer: authority }),
  });
  const dir = await mkdtemp(join(tmpdir(), "stowage-ca-"));
  await writeFile(join(dir, "ca.crt"), authority.certificate);
  const settings = {
    ...inject("servers"),
    PORT: "0",
    DASHBOARD_DIR: "none",
    RATE_LIMIT_PER_MINUTE: "10",
    RATE_LIMIT_STORE: encrypted.url,
    NODE_EXTRA_CA_CERTS: join(dir, "ca.crt"),
  };
  const processes = [await aProcess(settings), await aProcess(settings)];
  try {
    for (const each of processes) await expect.poll(() => each.output()).toContain(UP);
    const { apiKey } = await aProject();
    let n = 0;
    const send = async () => {
      const { url } = processes[n++ % 2]!;
      return (await call(`${url}/api/storage/usage/?tenant_id=t`, { key: apiKey })).status;
    };
    expect(await askTimes(20, send)).toEqual({ 200: 10, 429: 10 });
  } finally {
    await Promise.all(processes.map((each) => each.kill()));
    await encrypted.close();
    await rm(dir, { recursive: true, force: true });
  }
});
