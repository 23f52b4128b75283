import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { inject, expect, onTestFinished, test, vi } from "vitest";
import { generateApiKey, hashApiKey } from "#projects/api-key.js";
import { aCountingProxy } from "../fixtures/a-counting-proxy.js";
import { aNewKeyFor, aProject } from "../fixtures/a-project.js";
import { anOperator, anOwnedProject } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { call } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

const forgedKey = () => generateApiKey(randomBytes);

/** More than the 5,000 keys that pushed a project out of the counts. */
const MANY = 6000;

/** A service whose clock stands still, so that failures are counted in the same minute, however long a test takes. */
function aServiceInOneMinute(settings: Record<string, string>): Promise<RunningService> {
  const now = new Date();
  return aService(settings, { clock: () => now });
}

interface Asking {
  key?: string;
  /** The address that a trusted proxy reports. */
  from?: string;
}

/** Reads the usage of the key's project. @returns the status */
async function ask({ url }: RunningService, { key, from }: Asking = {}): Promise<number> {
  const headers: Record<string, string> = from === undefined ? {} : { "X-Forwarded-For": from };
  const answer = await call(`${url}/api/storage/usage/?tenant_id=t`, { ...(key && { key }), headers });
  if (answer.status === 429) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  return answer.status;
}

async function askTimes(count: number, service: RunningService, asking: () => Asking): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push(await ask(service, asking()));
  return statuses;
}

/** Sends one request per key, each from another address, without waiting for the answers in between. @returns the statuses */
async function flood({ url }: RunningService, keys: string[], firstAddress: number): Promise<number[]> {
  const { host, hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const requests = keys.map((key, n) =>
    [
      "GET /api/storage/usage/?tenant_id=t HTTP/1.1",
      `Host: ${host}`,
      `Authorization: Bearer ${key}`,
      `X-Forwarded-For: ${addressOf(firstAddress + n)}`,
      ...(n === keys.length - 1 ? ["Connection: close"] : []),
      "\r\n",
    ].join("\r\n"),
  );
  socket.write(requests.join(""));
  let answers = "";
  for await (const chunk of socket) answers += (chunk as Buffer).toString("latin1");
  return [...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status));
}

/** A different IPv4 address for each number. */
const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

test("a client whose keys fail too often gets 429 with Retry-After, for every kind of wrong key", async () => {
  const service = await aServiceInOneMinute({ FAILING_KEYS_PER_MINUTE: "6" });
  const keys = [undefined, "not a key", forgedKey()];
  let turn = 0;
  const asking = () => {
    const key = keys[turn++ % keys.length];
    return { from: "192.0.2.1", ...(key && { key }) };
  };
  expect(await askTimes(9, service, asking)).toEqual([401, 401, 401, 401, 401, 401, 429, 429, 429]);
  expect(await ask(service, { from: "192.0.2.2" })).toBe(401);
  await service.close();
});

test("the addresses of an IPv6 network are one client, and an IPv4 address that is mapped to IPv6 is the IPv4 address", async () => {
  const service = await aServiceInOneMinute({ FAILING_KEYS_PER_MINUTE: "2" });
  const statuses = async (...addresses: string[]) => {
    const all: number[] = [];
    for (const from of addresses) all.push(await ask(service, { from }));
    return all;
  };
  expect(
    await statuses("2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:2::3", "2001:db8:1:3::1"),
  ).toEqual([401, 401, 429, 401]);
  expect(await statuses("192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201", "192.0.2.1")).toEqual([
    401, 401, 429, 429,
  ]);
  await service.close();
});

test("a client whose proxy adds the port to its address is one client, over all its connections", async () => {
  const service = await aServiceInOneMinute({ FAILING_KEYS_PER_MINUTE: "2" });
  let port = 40_000;
  expect(await askTimes(4, service, () => ({ from: `203.0.113.51:${port++}` }))).toEqual([
    401, 401, 429, 429,
  ]);
  expect(await askTimes(4, service, () => ({ from: `[2001:db8::51]:${port++}` }))).toEqual([
    401, 401, 429, 429,
  ]);
  await service.close();
});

test("X-Forwarded-For from an address that is no trusted proxy changes nothing", async () => {
  const service = await aServiceInOneMinute({ FAILING_KEYS_PER_MINUTE: "3", TRUSTED_PROXIES: "192.0.2.99" });
  let n = 0;
  expect(await askTimes(5, service, () => ({ from: `198.51.100.${n++}` }))).toEqual([
    401, 401, 401, 429, 429,
  ]);
  await service.close();
});

test("a known key works behind the address of a client whose keys fail too often", async () => {
  const service = await aServiceInOneMinute({ FAILING_KEYS_PER_MINUTE: "3" });
  const { apiKey } = await aProject();
  const from = "192.0.2.1";
  expect(await ask(service, { key: apiKey, from })).toBe(200);
  await askTimes(10, service, () => ({ key: forgedKey(), from }));
  expect(await askTimes(5, service, () => ({ key: apiKey, from }))).toEqual([200, 200, 200, 200, 200]);
  await service.close();
});

test("a valid key that the replica does not know yet works there soon, also while forged keys arrive", async () => {
  const service = await aServiceInOneMinute({ FAILING_KEYS_PER_MINUTE: "3" });
  const { apiKey } = await aProject();
  const from = "192.0.2.1";
  await askTimes(4, service, () => ({ key: forgedKey(), from }));
  await expect
    .poll(async () => {
      await ask(service, { key: forgedKey(), from });
      return ask(service, { key: apiKey, from });
    })
    .toBe(200);
  await service.close();
});

test("a key that this replica creates works at once, also for a client whose keys fail too often", async () => {
  const service = await aServiceInOneMinute({ FAILING_KEYS_PER_MINUTE: "3" });
  const owner = await anOperator(service.url, { isAdmin: true });
  const from = "192.0.2.1";
  await askTimes(4, service, () => ({ key: forgedKey(), from }));
  const { apiKey, projectRef, name } = await anOwnedProject(owner);
  expect(await ask(service, { key: apiKey, from })).toBe(200);
  const replaced = await owner.mutate<{ apiKey: string }>("key.regenerate", { projectRef, name });
  expect(await ask(service, { key: replaced.data.apiKey, from })).toBe(200);
  expect(await ask(service, { key: apiKey, from })).toBe(401);
  await service.close();
});

test("a repeated unknown key is refused without a query for some seconds, and then looked up again", async () => {
  const proxy = await aCountingProxy(inject("servers").DATABASE_URL);
  let now = new Date();
  const service = await aService({ DATABASE_URL: proxy.url }, { clock: () => now });
  const project = await aProject();
  const key = forgedKey();
  expect(await ask(service, { key })).toBe(401);
  const before = proxy.roundTrips();
  expect(await askTimes(5, service, () => ({ key }))).toEqual([401, 401, 401, 401, 401]);
  expect(proxy.roundTrips()).toBe(before);
  // As if another replica had given the project this key.
  await queryDatabase("update projects set api_key_hash = $1 where ref = $2", [hashApiKey(key), project.ref]);
  now = new Date(now.getTime() + 5000);
  expect(await ask(service, { key })).toBe(200);
  await service.close();
  proxy.close();
});

test("a valid key is checked in every request", async () => {
  const service = await aService();
  const project = await aProject();
  expect(await ask(service, { key: project.apiKey })).toBe(200);
  const { apiKey } = await aNewKeyFor(project);
  expect(await ask(service, { key: project.apiKey })).toBe(401);
  expect(await ask(service, { key: apiKey })).toBe(200);
  await service.close();
});

test("6,000 forged keys do not reset the rate limit of a project", { timeout: 900_000 }, async () => {
  // The plugin that limits the rate has no other clock. The test may take longer than its minute.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const service = await aService({ RATE_LIMIT_PER_MINUTE: "10" });
  const { apiKey } = await aProject();
  expect((await askTimes(12, service, () => ({ key: apiKey }))).slice(-2)).toEqual([429, 429]);
  for (let sent = 0; sent < MANY; sent += 1000) {
    const statuses = await flood(service, Array.from({ length: 1000 }, forgedKey), sent);
    expect(new Set(statuses)).toEqual(new Set([401]));
  }
  expect(await ask(service, { key: apiKey })).toBe(429);
  await service.close();
});
