import type { File, UploadResponse } from "@stowage/schemas";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDatabase } from "../fixtures/a-database.js";
import { listStoredObjects } from "../fixtures/direct-access.js";
import { aKillPointProxy, type KillPoint, type KillPointProxy } from "./a-kill-point.js";
import { aServiceOnProxies, type ServiceOnProxies } from "./a-service-on-proxies.js";
import { findWrongCounters } from "./find-wrong-counters.js";

/*
 * Kills the service at each write of a replacement: its admission, and the arrival of its bytes. Then the customer repeats the calls, and
 * exactly the new file is left.
 */
const MOMENTS = ["before", "after"] as const;
const admitted = /insert into "replacements"/;
const ended = /delete from "replacements"/;
const writes: [string, Omit<KillPoint, "moment">][] = [
  ["it notes what the old file lends", { statement: admitted }],
  ["it commits the admission", { statement: /^\s*commit/i, following: admitted }],
  ["it ends the replacement", { statement: ended }],
  ["it stores the new file", { statement: /mark_stored\(/, following: ended }],
  ["it commits both", { statement: /^\s*commit/i, following: ended }],
];

const OLD = "1234567890";
const NEW = "12345678";

let database: Awaited<ReturnType<typeof aDatabase>>;
let killer: KillPointProxy;
let service: ServiceOnProxies;
let sql: Sql;
let project: Awaited<ReturnType<ServiceOnProxies["project"]>>;
beforeAll(async () => {
  database = await aDatabase();
  killer = await aKillPointProxy(database.url);
  service = await aServiceOnProxies(30_000, { url: killer.url, drop: async () => undefined });
  sql = postgres(database.url, { max: 1 });
  project = await service.project();
});
afterAll(async () => {
  await service.close();
  await sql.end();
  await killer.close();
  await database.drop();
});

async function call<Answer>(path: string, body?: object, key?: string): Promise<Answer> {
  const response = await fetch(`${service.url()}/api/storage/${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      Authorization: `Bearer ${project.apiKey}`,
      "Content-Type": "application/json",
      ...(key && { "Idempotency-Key": key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(120_000),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** What a customer's backend and its user do, once more after a failure. */
async function upload(tenant_id: string, bytes: string, replaces?: string): Promise<File> {
  const body = { tenant_id, filename: "avatar.png", size: bytes.length, ...(replaces && { replaces }) };
  const { presigned_url, headers, file_path } = await call<UploadResponse>("upload/", body, bytes);
  const put = await fetch(presigned_url, { method: "PUT", headers, body: bytes });
  expect(put.status).toBe(200);
  return call<File>("complete/", { file_path });
}

test.each(writes.flatMap(([what, write]) => MOMENTS.map((moment) => [moment, what, write] as const)))(
  "a service that is killed %s %s replaces the file once, when the calls are repeated",
  async (moment, what, write) => {
    const tenant = `${moment} ${what}`;
    const { file_path: old } = await upload(tenant, OLD);
    const isReached = killer.reaches({ ...write, moment });
    const killed = upload(tenant, NEW, old).then(
      () => "answered",
      () => "failed",
    );
    await isReached;
    await service.restart();
    expect(await killed).toBe("failed");

    const { file_path } = await upload(tenant, NEW, old);
    const query = new URLSearchParams({ tenant_id: tenant });
    expect(await call(`files/?${query}`)).toMatchObject({ files: [{ file_path, size: NEW.length }] });
    expect(await call(`usage/?${query}`)).toMatchObject({
      used_bytes: NEW.length,
      reserved_bytes: 0,
      file_count: 1,
    });
    expect(await findWrongCounters(sql)).toEqual([]);
    const folder = file_path.slice(0, file_path.lastIndexOf("/") + 1);
    await expect
      .poll(async () => [...(await listStoredObjects(folder)).keys()], { timeout: 120_000, interval: 500 })
      .toEqual([file_path]);
  },
  300_000,
);
