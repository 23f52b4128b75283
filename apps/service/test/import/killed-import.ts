import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { aProject } from "../fixtures/a-project.js";
import { aSourceStore, type SourceStore } from "../fixtures/a-source-store.js";
import { listStoredObjects, queryDatabase } from "../fixtures/direct-access.js";
import { spawnImport } from "./spawn-import.js";

const TENANTS = 7;
const MAX_CONCURRENT = 16;

/** How a run is stopped: after so many lines that say how far it is, and then this time. */
export interface Kill {
  afterLines: number;
  delayMs: number;
}

/**
 * Imports objects with runs that are killed, and then with one that reaches its end. Each object then has exactly one file, one object and one
 * line of the table, and the counters of the tenants are exact.
 */
export async function expectExactAfterKills(objects: number, kills: Kill[]): Promise<void> {
  await using source = await aSourceStore();
  const sizes = new Map(
    Array.from({ length: objects }, (_, index): [string, number] => [
      `t${index % TENANTS}/folder ${index % 3}/${String(index).padStart(6, "0")}.txt`,
      index % 50,
    ]),
  );
  await forEachBounded(sizes, MAX_CONCURRENT, ([key, size]) => source.put(key, "x".repeat(size)));
  const { ref } = await aProject();
  const table = join(source.dir, "table.ndjson");
  for (const kill of kills) await startRun(source, { ref, table, kill });
  expect(await startRun(source, { ref, table, kill: null })).toBe(0);
  await expectExact(ref, table, sizes);
}

/** @returns the exit code; null if the run was killed */
async function startRun(
  source: SourceStore,
  { ref, table, kill }: { ref: string; table: string; kill: Kill | null },
): Promise<number | null> {
  const run = { project: ref, pattern: "{tenant}/{folder}/{filename}", table };
  const child = spawnImport(source, run, ["ignore", "pipe", "inherit"]);
  let lines = 0;
  createInterface(child.stdout!).on("line", () => {
    if (++lines === kill?.afterLines) setTimeout(() => child.kill("SIGKILL"), kill.delayMs);
  });
  // A run that has nothing left prints one line and ends by itself.
  if (kill?.afterLines === 0) setTimeout(() => child.kill("SIGKILL"), kill.delayMs);
  const [code] = (await once(child, "close")) as [number | null];
  return code;
}

async function expectExact(ref: string, table: string, sizes: Map<string, number>): Promise<void> {
  const lines = (await readFile(table, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; key: string; file_path: string })
    .filter(({ type }) => type === "file");
  expect(lines.map(({ key }) => key).toSorted()).toEqual([...sizes.keys()].toSorted());
  const files = await queryDatabase<{ path: string; size: string; status: string; name: string }>(
    `select path, size, status, t.tenant_id || '/' || folder || '/' || filename as name
     from files f join tenants t on t.project_id = f.project_id and t.id = f.tenant
     where f.project_id = (select id from projects where ref = $1)`,
    [ref],
  );
  expect(files.filter(({ status }) => status !== "stored")).toEqual([]);
  expect(new Map(files.map(({ name, size }) => [name, Number(size)]))).toEqual(sizes);
  expect(files).toHaveLength(sizes.size);
  expect(new Map(files.map(({ path, name }) => [path, name]))).toEqual(
    new Map(lines.map(({ file_path, key }) => [file_path, key])),
  );
  const objects = await listStoredObjects(`projects/${ref}/`);
  expect(new Map(files.map(({ path, size }) => [path, Number(size)]))).toEqual(objects);
  const tenants = await queryDatabase<{ isExact: boolean }>(
    `select t.file_count = count(f.*) and t.used_bytes = sum(f.size) and t.reserved_bytes = 0 as "isExact"
     from tenants t join files f on f.project_id = t.project_id and f.tenant = t.id
     where t.project_id = (select id from projects where ref = $1) group by t.project_id, t.id`,
    [ref],
  );
  expect(tenants).toEqual(Array.from({ length: TENANTS }, () => ({ isExact: true })));
}
