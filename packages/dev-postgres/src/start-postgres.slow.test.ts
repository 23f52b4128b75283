import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, expect, test } from "vitest";
import { type DevPostgres, startPostgres } from "./start-postgres.js";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function aFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dev-postgres-"));
  cleanups.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function started(dir: string): Promise<DevPostgres> {
  const server = await startPostgres({ dir, durable: false });
  cleanups.push(() => server.stop());
  return server;
}

async function query<T>(server: DevPostgres, text: string): Promise<T[]> {
  const sql = postgres(server.url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    return (await sql.unsafe(text)) as unknown as T[];
  } finally {
    await sql.end();
  }
}

test("keeps what was written over a stop and a start", async () => {
  const dir = await aFolder();
  const first = await started(dir);
  await query(first, "create table t (x int); insert into t values (42)");
  await first.stop();
  const second = await started(dir);
  expect(await query(second, "select x from t")).toEqual([{ x: 42 }]);
});

test("works in a folder that only its owner may enter", async () => {
  const home = await aFolder();
  await chmod(home, 0o700);
  await mkdir(join(home, "checkout"));
  const server = await started(join(home, "checkout", ".stowage", "postgres"));
  expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
  expect((await stat(join(home, "checkout", ".stowage", "postgres"))).mode & 0o077).toBe(0);
});

test("refuses a connection without the password", async () => {
  const server = await started(await aFolder());
  const url = new URL(server.url);
  url.password = "wrong";
  const sql = postgres(url.href, { max: 1, connect_timeout: 5 });
  await expect(sql`select 1`).rejects.toThrow(/password authentication failed/);
  await sql.end();
});

test("takes over from a server whose parent was killed", async () => {
  const dir = await aFolder();
  const abandoned = await started(dir);
  await query(abandoned, "create table t (x int)");
  const successor = await started(dir);
  await abandoned.ended;
  expect(await query(successor, "select count(*)::int as n from t")).toEqual([{ n: 0 }]);
});

test("says so when it stops, and leaves no process behind", async () => {
  const dir = await aFolder();
  const server = await started(dir);
  await server.stop();
  await server.ended;
  expect(() => execFileSync("pgrep", ["-f", dir])).toThrow();
});
