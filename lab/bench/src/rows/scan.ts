import { setTimeout as sleep } from "node:timers/promises";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { makeFolder } from "../processes/make-file.js";
import { residentBytesOf } from "../processes/resident-memory.js";
import { startChild } from "../processes/start-child.js";
import { startClamd } from "../processes/start-clamd.js";
import type { Figure, Row } from "../row.js";
import type { StreamsWanted } from "../sides/clamd-streams.js";
import { imageStage } from "./image-stage.js";

const LIMIT_MS = 300_000;
/** A poll costs the database, and so the worker, CPU. */
const POLL_MS = 50;
/** How many files of one project a worker scans at the same time. */
const IN_FLIGHT = 8;
const MEGABYTE = 1e6;

const SIZES = [
  { name: "files of 10 kB", bytes: 10_000, count: 1000, rounds: 5, atLeast: 0.6 },
  { name: "files of 50 MB", bytes: 50_000_000, count: 4, rounds: 3, atLeast: 0.95 },
];
const CEILING = 0.85;

/**
 * Files that a worker reads from storage, has scanned by clamd and writes verdicts about, against clamd alone, and against the same files
 * read and scanned without any record. All of them share all cores.
 */
export const scanRow: Row = {
  name: "scan",
  async run(tools) {
    const clamdPort = await startClamd(tools);
    const stage = await imageStage(tools, "anywhere");
    const sql = postgres(stage.databaseUrl, { max: 1 });
    tools.atEnd(() => sql.end());
    const folder = await makeFolder(tools);
    const sizes = [];
    for (const size of SIZES) {
      const path = join(folder, `${size.bytes}`);
      await writeFile(path, randomBytes(size.bytes));
      const keys = await stage.storeImages(path, size.count, "bench");
      sizes.push({ ...size, path, keys });
    }
    await sql`update projects set scan = 'clamav', scan_queued_up_to = null`;
    const pid = await stage.startWorker("anywhere", { CLAMAV_URL: `tcp://127.0.0.1:${clamdPort}` });
    const streams = await startChild(import.meta.resolve("#sides/clamd-streams.js"), { role: "anywhere" });
    tools.atEnd(() => streams.stop());

    const figures: Figure[] = [];
    for (const { name, bytes, count, rounds, atLeast, path, keys } of sizes) {
      const memory: number[] = [];
      const run = async (source: StreamsWanted["source"], sessions: number) => {
        const wanted: StreamsWanted = { clamdPort, sessions, count, source };
        return count / (await streams.ask<{ seconds: number }>(wanted, LIMIT_MS)).seconds;
      };
      const sides = {
        worker: async () => {
          const perSecond = await scanWithWorker(sql, bytes, count);
          memory.push((await residentBytesOf(pid)) / MEGABYTE);
          tools.say(
            `${name}: ${perSecond.toFixed(1)} per second; the worker has ${memory.at(-1)!.toFixed(0)} MB`,
          );
          return perSecond;
        },
        clamd: () => run({ path }, 2),
        reads: () => run({ store: stage.store, keys }, IN_FLIGHT),
      };
      const perSecond = await takeTurns(sides, { rounds });
      const median = (side: keyof typeof sides) => summarise(perSecond[side]).median.toFixed(1);
      const against = (side: "clamd" | "reads") => ({
        measured: `${name}: scanned by one worker per second`,
        ratio: summarise(ratios(perSecond.worker, perSecond[side])),
        details: `${median("worker")} and ${median(side)} per second`,
      });
      figures.push(
        { ...against("clamd"), against: "clamd alone, over two streams from memory", target: { atLeast } },
        {
          ...against("reads"),
          against: `plain GETs into ${IN_FLIGHT} kept sessions, without any record`,
          target: { atLeast: CEILING },
        },
      );
      figures.push({
        measured: `${name}: resident memory of the worker after each round`,
        against: "after the first one",
        ratio: summarise(memory.slice(1).map((each) => each / memory[0]!)),
        target: { atMost: 1.3 },
        details: memory.map((each) => each.toFixed(0)).join(", ") + " MB",
      });
    }
    return figures;
  },
};

/** Has all files of a size scanned again. @returns files per second, from the first claim on: the worker looks for work once a second */
async function scanWithWorker(sql: postgres.Sql, bytes: number, count: number): Promise<number> {
  await sql`update files set scan_status = 'pending' where size = ${bytes}`;
  await sql`
    select queue_scans(project_id, array_agg(id), now()) from files where size = ${bytes} group by project_id`;
  const deadline = performance.now() + LIMIT_MS;
  const until = async (isReached: () => PromiseLike<readonly unknown[]>) => {
    while ((await isReached()).length === 0) {
      if (performance.now() > deadline) throw new Error("the worker did not scan all files in time");
      await sleep(POLL_MS);
    }
    return performance.now() / 1000;
  };
  const startedAt = await until(
    () => sql`select from file_tasks where kind = 'scan' and due_at > now() limit 1`,
  );
  const endedAt = await until(
    () => sql`select where not exists (select from files where size = ${bytes} and scan_status = 'pending')`,
  );
  return count / (endedAt - startedAt);
}
