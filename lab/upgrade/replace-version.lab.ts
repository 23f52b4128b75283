import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import postgres from "postgres";
import { expect, inject, onTestFinished, test } from "vitest";
import { expectExact } from "@stowage/service/test/faults/expect-exact.js";
import { type Load, startLoad } from "@stowage/service/test/faults/load.js";
import { aDatabase } from "@stowage/service/test/fixtures/a-database.js";
import { aProcess, type ServiceProcess } from "@stowage/service/test/fixtures/a-process.js";
import { aReceiver, type Received } from "@stowage/service/test/fixtures/a-receiver.js";

/** The folder of the older version's bundle: lab/upgrade.mjs. */
const OLDER = process.env["OLDER_SERVICE"]!;
const NEWER = fileURLToPath(new URL("../../apps/service/dist", import.meta.url));
/** Uploads that the load completes in each section. */
const UPLOADS = Number(process.env["UPLOADS"] ?? 40);
const DRAINED_MS = 500;
const TIMEOUT = { timeout: 300_000 + UPLOADS * 2000 };

const run = promisify(execFile);

if (process.env["OLDER_STOPS"] === "on")
  test("a version before 1.0 is stopped, and the newer one continues with every file", TIMEOUT, async () => {
    const upgrade = await startUpgrade();
    const { replicas, section, load, lists } = upgrade;
    await section("older version");
    await lists.stop();
    for (const replica of replicas.splice(0)) {
      replica.child.kill("SIGTERM");
      expect(await replica.exit).toBe(0);
    }
    const switching = section("switch");
    await upgrade.migrate();
    replicas.push(await upgrade.start(NEWER), await upgrade.start(NEWER));
    await switching;
    await section("newer version");
    await load.stop();
    expect(load.acknowledged.wrong).toEqual([]);
    await upgrade.expectKept();
  });
else
  test(
    "an older version works while the schema is migrated, beside the newer one, and until it is replaced",
    TIMEOUT,
    async () => {
      const upgrade = await startUpgrade();
      const { replicas, section, load, lists } = upgrade;
      /** Takes a replica out of the proxy, lets its requests end, and stops it. */
      const replace = async (replica: ServiceProcess) => {
        const newer = await upgrade.start(NEWER);
        replicas.splice(replicas.indexOf(replica), 1, newer);
        await sleep(DRAINED_MS);
        replica.child.kill("SIGTERM");
        expect(await replica.exit).toBe(0);
      };

      await section("older version");
      const migrating = section("migration");
      await upgrade.migrate();
      await migrating;
      await section("older version on the newer schema");
      const restarted = await upgrade.start(OLDER);
      replicas.push(restarted);
      await section("a restart of the older version");
      const [first, second] = replicas as [ServiceProcess, ServiceProcess];
      await replace(first);
      await section("both versions");
      await replace(second);
      await replace(restarted);
      await section("newer version");
      await Promise.all([load.stop(), lists.stop()]);
      expect(load.acknowledged).toMatchObject({ wrong: [], broken: 0 });
      expect(lists.wrong).toEqual([]);
      await upgrade.expectKept();
    },
  );

/** Migrates a database with the older version, and starts two of its replicas with a load on them. */
async function startUpgrade() {
  const database = await aDatabase({ migrated: false });
  onTestFinished(() => database.drop());
  const sql = postgres(database.url, { max: 2, onnotice: () => undefined });
  onTestFinished(() => sql.end());
  const receiver = await aReceiver();
  onTestFinished(() => receiver.close());
  const settings = {
    ...inject("servers"),
    DATABASE_URL: database.url,
    WEBHOOK_ALLOW_PRIVATE: "true",
    MIGRATE: "off",
    DATABASE_TIMEOUT_MS: "8000",
    SWEEP_INTERVAL_MS: "200",
    RATE_LIMIT_PER_MINUTE: "0",
    PORT: "0",
  };
  const stowage = async (version: string, ...args: string[]) => {
    const env = { PATH: process.env["PATH"], ...settings };
    const { stdout } = await run(process.execPath, [join(version, "cli.js"), ...args], { env });
    return stdout;
  };
  const migrations = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from drizzle.__drizzle_migrations`)[0]!
      .count;

  await stowage(OLDER, "migrate");
  const before = await migrations();
  const created = await stowage(OLDER, "project", "create", "upgrade", "--json");
  const { project_ref: ref, api_key: key } = JSON.parse(created) as { project_ref: string; api_key: string };
  const events = "file.stored,file.deleted";
  await stowage(OLDER, "webhook", "create", receiver.url, "--project", ref, "--events", events);

  const all: ServiceProcess[] = [];
  const start = async (version: string) => {
    const replica = await aProcess(settings, join(version, "main.js"));
    all.push(replica);
    onTestFinished(() => replica.kill());
    return replica;
  };
  const replicas = [await start(OLDER), await start(OLDER)];
  let turn = 0;
  let lastUrl = "";
  const url = () => (lastUrl = replicas[turn++ % replicas.length]?.url ?? lastUrl);
  const load = startLoad(url, key);
  const lists = startLists(url, key);
  const failures: Record<string, object> = {};
  let migrationMs = 0;
  return {
    replicas,
    start,
    load,
    lists,
    /** Lets the load complete some uploads, and records what failed meanwhile. */
    async section(name: string) {
      const { unavailable, broken, wrong } = load.acknowledged;
      const wrongBefore = wrong.length;
      await load.completesMore(UPLOADS);
      failures[name] = {
        unavailable: load.acknowledged.unavailable - unavailable,
        broken: load.acknowledged.broken - broken,
        wrong: load.acknowledged.wrong.length - wrongBefore,
      };
    },
    async migrate() {
      const startedAt = performance.now();
      await stowage(NEWER, "migrate");
      migrationMs = Math.round(performance.now() - startedAt);
      expect(await migrations()).toBeGreaterThan(before);
    },
    /** Every counter is exact, and every event was told. */
    async expectKept() {
      const { acknowledged } = load;
      console.log(
        JSON.stringify({
          migrations: (await migrations()) - before,
          migrationMs,
          failures,
          slowestMs: Math.round(acknowledged.slowestMs),
          lists: lists.answered,
        }),
      );
      // A statement that waits for a migration's lock for eight seconds is answered with 503 and Retry-After, which the docs say.
      const problems = all.flatMap((replica) => replica.problems());
      expect(problems.filter((line) => !line.includes('"code":"unavailable"'))).toEqual([]);
      await expectExact(sql, ref, acknowledged);
      await expectWebhooks(() => receiver.received, acknowledged);
      expect(await stowage(NEWER, "reconcile", "--project", ref)).toMatch(/^No drift/);
    },
  };
}

/** Lists files and reads usage until it is stopped. */
function startLists(url: () => string, key: string) {
  const wrong: string[] = [];
  const result = { wrong, answered: 0, stop: async () => {} };
  const stopping = new AbortController();
  const work = async () => {
    while (!stopping.signal.aborted) {
      for (const path of ["files/?limit=20", "usage/?tenant_id=t0", "tenants/"]) {
        const response = await fetch(`${url()}/api/storage/${path}`, {
          headers: { Authorization: `Bearer ${key}` },
          signal: AbortSignal.timeout(10_000),
        }).catch((error: unknown) => error as Error);
        if (response instanceof Error) wrong.push(`${path}: ${response.message}`);
        else if (response.status !== 200) wrong.push(`${path}: ${response.status} ${await response.text()}`);
        else await response.json();
        result.answered++;
      }
      await sleep(20);
    }
  };
  const working = work();
  result.stop = async () => {
    stopping.abort();
    await working;
  };
  return result;
}

/** Each stored file was told, and each deleted one, whichever version stored it and whichever one delivered it. */
async function expectWebhooks(
  received: () => Received[],
  { completed, deleted }: Load["acknowledged"],
): Promise<void> {
  const told = (type: string) =>
    new Set(
      received()
        .map(({ body }) => JSON.parse(body) as { type: string; data: { file_path: string } })
        .filter((event) => event.type === type)
        .map(({ data }) => data.file_path),
    );
  const missing = () => {
    const [stored, gone] = [told("file.stored"), told("file.deleted")];
    return [
      ...[...completed.keys()].filter((path) => !stored.has(path)),
      ...[...deleted].filter((path) => completed.has(path) && !gone.has(path)),
    ];
  };
  await expect.poll(missing, { timeout: 60_000, interval: 200 }).toEqual([]);
}
