import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { aKillPointProxy, type KillPoint } from "../faults/a-kill-point.js";
import { aProject } from "../fixtures/a-project.js";
import { aSourceStore } from "../fixtures/a-source-store.js";
import { queryDatabase } from "../fixtures/direct-access.js";
import { spawnImport } from "./spawn-import.js";

/** Between the copies and their record, and between the record and its line of the table. */
const POINTS: [when: string, point: KillPoint, recorded: number][] = [
  ["before the record", { moment: "before", statement: /mark_stored/ }, 0],
  ["before the commit", { moment: "before", statement: /^commit/i, following: /mark_stored/ }, 0],
  ["after the commit", { moment: "after", statement: /^commit/i, following: /mark_stored/ }, 3],
];

test.each(POINTS)(
  "a run that is killed %s is repeated without a second file",
  async (_, point, recorded) => {
    await using source = await aSourceStore();
    for (const key of ["u1/a", "u1/b", "u2/c"]) await source.put(key, key);
    const { ref } = await aProject({ defaultQuotaBytes: 8 });
    const table = join(source.dir, "table.ndjson");
    const proxy = await aKillPointProxy(inject("servers").DATABASE_URL);
    const start = (databaseUrl?: string) => {
      const run = { project: ref, pattern: "{tenant}/{filename}", table };
      return spawnImport(source, run, ["ignore", "ignore", "inherit"], databaseUrl);
    };
    const countFiles = () =>
      queryDatabase<{ files: number; used: number }>(
        `select count(*)::int as files, coalesce(sum(size), 0)::int as used
         from files where project_id = (select id from projects where ref = $1)`,
        [ref],
      );
    try {
      const reached = proxy.reaches(point);
      const killed = start(proxy.url);
      await reached;
      killed.kill("SIGKILL");
      await once(killed, "close");
      proxy.cut();
      // The server ends the transaction of a connection that is gone.
      await expect.poll(async () => (await countFiles())[0]?.files, { timeout: 60_000 }).toBe(recorded);
      // The quota of u1 is full after its files: a second count of them would refuse the run.
      const repeated = start();
      const [code] = (await once(repeated, "close")) as [number];
      expect(code).toBe(0);
      expect(await countFiles()).toEqual([{ files: 3, used: 12 }]);
      const lines = (await readFile(table, "utf8")).trimEnd().split("\n");
      const keys = lines.map((line) => JSON.parse(line) as { type: string; key?: string });
      expect(keys.flatMap(({ type, key }) => (type === "file" ? [key] : [])).toSorted()).toEqual([
        "u1/a",
        "u1/b",
        "u2/c",
      ]);
    } finally {
      await proxy.close();
    }
  },
  120_000,
);
