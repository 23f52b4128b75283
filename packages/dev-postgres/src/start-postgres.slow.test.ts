import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, describe, expect, test } from "vitest";
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

/** False if the checkout is below a folder that only root may enter. Then the system user `nobody` cannot run PostgreSQL's programs either. */
function canNobodyRead(path: string): boolean {
  return spawnSync("ls", [path], { uid: 65534, gid: 65534, stdio: "ignore" }).status === 0;
}

async function query<T>(server: DevPostgres, text: string): Promise<T[]> {
  const sql = postgres(server.url, { max: 1, connect_timeout: 60, onnotice: () => undefined });
  try {
    return (await sql.unsafe(text)) as unknown as T[];
  } finally {
    await sql.end();
  }
}

test("keeps its data over a stop and a start", async () => {
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
  const sql = postgres(url.href, { max: 1, connect_timeout: 60 });
  await expect(sql`select 1`).rejects.toThrow(/password authentication failed/);
  await sql.end();
});

test("replaces a server whose parent was killed", async () => {
  const dir = await aFolder();
  const abandoned = await started(dir);
  await query(abandoned, "create table t (x int)");
  const successor = await started(dir);
  await abandoned.ended;
  expect(await query(successor, "select count(*)::int as n from t")).toEqual([{ n: 0 }]);
});

test("starts if an unrelated process has the process ID of an old server, and does not stop that process", async () => {
  const dir = await aFolder();
  const first = await started(dir);
  const pidFile = join(dir, "cluster", "data", "postmaster.pid");
  const [, ...rest] = (await readFile(pidFile, "utf8")).split("\n");
  await first.stop();
  const unrelated = spawn("sleep", ["600"]);
  const end = once(unrelated, "exit");
  cleanups.push(async () => unrelated.kill() && (await end));
  await writeFile(pidFile, [unrelated.pid, ...rest].join("\n"));

  const second = await started(dir);
  expect(await query(second, "select 1 as one")).toEqual([{ one: 1 }]);
  expect([unrelated.exitCode, unrelated.signalCode]).toEqual([null, null]);
});

// Only root has a choice of runners.
if (process.getuid?.() === 0)
  describe("started by root", () => {
    async function aFolderOf(uid: number): Promise<{ home: string; dir: string }> {
      const home = await aFolder();
      const dir = join(home, "postgres");
      await mkdir(dir, { mode: 0o700 });
      await writeFile(join(dir, "file"), "");
      for (const path of [home, dir, join(dir, "file")]) await chown(path, uid, uid);
      return { home, dir };
    }

    test("runs as nobody in a folder that only nobody may enter, or fails with a reason", async () => {
      const { dir } = await aFolderOf(65534);
      if (!canNobodyRead(process.cwd())) {
        await expect(started(dir)).rejects.toThrow(/Start as an ordinary user/);
        return;
      }
      const server = await started(dir);
      expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
      expect((await stat(dir)).uid).toBe(65534);
    });

    test("changes no owner in a folder where it cannot run", async () => {
      const { home, dir } = await aFolderOf(12345);
      await expect(started(dir)).rejects.toThrow(/refuses to run as root/);
      for (const path of [home, dir, join(dir, "file")]) expect((await stat(path)).uid).toBe(12345);
    });
  });

test.each([0, 50, 200, 400])(
  "leaves no process behind when the start is cancelled after %i ms",
  async (delayMs) => {
    const dir = await aFolder();
    const signal = AbortSignal.timeout(delayMs);
    await expect(startPostgres({ dir, durable: false, signal })).rejects.toThrow(/aborted due to timeout/);
    expect(() => execFileSync("pgrep", ["-f", dir])).toThrow();
    await query(await started(dir), "select 1");
  },
);

test("resolves `ended` when it stops, and leaves no process behind", async () => {
  const dir = await aFolder();
  const server = await started(dir);
  await server.stop();
  await server.ended;
  expect(() => execFileSync("pgrep", ["-f", dir])).toThrow();
});
