import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateApiKey } from "#projects/api-key.js";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anUpload, call } from "../fixtures/call.js";

/** More than one project may have running and waiting, in any lane with one connection. */
const FLOOD = 500;

let service: RunningService;
beforeAll(async () => {
  // One connection for each lane, so that a flood is small.
  service = await aService({ DATABASE_POOL_SIZE: "1" });
});
afterAll(() => service.close());

/** How often each status was answered. */
const count = (statuses: number[]) =>
  statuses.reduce<Record<number, number>>(
    (counts, status) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );

async function statusOf(path: string, key: string): Promise<number> {
  const { status, headers } = await call(`${service.url}/api/storage/${path}`, { key });
  if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  return status;
}

/** Uploads five files one after the other. @returns the statuses */
async function uploadQuietly(key: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < 5; n++) {
    const body = { tenant_id: "quiet", filename: `${n}.txt`, size: 1 };
    statuses.push((await call(`${service.url}/api/storage/upload/`, { key, body })).status);
  }
  return statuses;
}

/** Opens as many connections as a flood needs, so that its requests arrive at once. `fetch` keeps them open for some seconds. */
async function openConnections(): Promise<void> {
  const open = async () => void (await (await fetch(`${service.url}/healthz`)).text());
  await Promise.all(Array.from({ length: FLOOD }, open));
}

const floods: [string, (key: string) => Promise<number>][] = [
  ["searches", (key) => statusOf("files/?q=x", key)],
  ["sums of its usage", (key) => statusOf("usage/", key)],
  [
    "uploads",
    async (key) => {
      const body = { tenant_id: "flood", filename: "a.txt", size: 1 };
      return (await call(`${service.url}/api/storage/upload/`, { key, body })).status;
    },
  ],
];

test.each(floods)(
  "a project that floods the service with %s gets 429, and another project's uploads get 200",
  async (_name, send) => {
    const [flooding, quiet] = await Promise.all([aProject(), aProject()]);
    await anUpload(service.url, flooding.apiKey, { tenant_id: "flood", filename: "a.txt" });
    await uploadQuietly(quiet.apiKey);
    await openConnections();
    const flood = Promise.all(Array.from({ length: FLOOD }, () => send(flooding.apiKey)));
    expect(count(await uploadQuietly(quiet.apiKey))).toEqual({ 200: 5 });
    expect(await fetch(`${service.url}/readyz`)).toMatchObject({ status: 200 });
    const statuses = count(await flood);
    expect(statuses[200]).toBeGreaterThan(0);
    expect(statuses[429]).toBeGreaterThan(0);
  },
);

test("a client that floods the service with unknown keys gets 401 and 429, and a project's uploads get 200", async () => {
  const { apiKey } = await aProject();
  await uploadQuietly(apiKey);
  const keys = Array.from({ length: FLOOD }, () => generateApiKey(randomBytes));
  const flood = Promise.all(keys.map((key) => statusOf("usage/", key)));
  expect(count(await uploadQuietly(apiKey))).toEqual({ 200: 5 });
  expect(await fetch(`${service.url}/readyz`)).toMatchObject({ status: 200 });
  const statuses = count(await flood);
  expect(statuses[401]).toBeGreaterThan(0);
  expect(statuses[200]).toBeUndefined();
});
