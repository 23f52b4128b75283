import { aSoakedSystem, MAX_CLOCK_ERROR_MS, type SoakedSystem } from "./a-soaked-system.js";
import { findWrongCounters } from "@stowage/service/test/faults/find-wrong-counters.js";
import { findWrongEvents } from "./check-events.js";
import { downloadAll, findDrift, findLost, findStuck, findWrongObjects } from "./check-files.js";
import { causesOf, countRows, findKept, findTooManyRows } from "./check-rows.js";
import { createClient } from "./client.js";
import { createChaos } from "./faults.js";
import { type Load, startLoad } from "./load.js";
import type { LoadState } from "./load-state.js";
import { startMoves } from "./move-project.js";
import { randomOf } from "./random.js";
import type { SoakReport } from "./report.js";
import { judgeSamples, type Sample, takeSample } from "./samples.js";
import { findUnscanned } from "./scan-operations.js";
import { createStatistics } from "./statistics.js";
import { findWrongLog, followEvents } from "./follow-events.js";
import { startImports } from "./import-objects.js";
import { findWrongLinks } from "./link-operations.js";

export interface SoakOptions {
  minutes: number;
  seed: number;
  /** @default 30 */
  requestsPerSecond?: number;
  /** Called with each fault and each check that begins. @default nothing */
  onProgress?: (line: string) => void;
  /** A fault of the service itself, which the soak must find. */
  planted?: {
    /** Bytes that each replica retains ten times a second. */
    leakBytes?: number;
    /** Runs after the load has ended, before the checks. */
    damage?(system: SoakedSystem, state: LoadState): Promise<void>;
  };
}

/** More than that is not printed of one check. */
const MAX_LISTED = 20;
const SHORT_MINUTES = 3;

/** Runs the mixed load with faults for so long, and then checks everything that the service promises. */
export async function soak({
  minutes,
  seed,
  requestsPerSecond = 30,
  planted = {},
  onProgress = () => undefined,
}: SoakOptions): Promise<SoakReport> {
  const startedAt = Date.now();
  const random = randomOf(seed);
  const system = await aSoakedSystem(random, planted.leakBytes ?? 0);
  const statistics = createStatistics();
  const wrong: string[] = [];
  const onWrong = (problem: string) => void wrong.push(problem);
  const samples: Sample[] = [];
  try {
    const pace =
      minutes < SHORT_MINUTES
        ? { calmMs: 1000, faultMs: 2000, recoveryMs: 3000 }
        : { calmMs: 6000, faultMs: 7000 };
    const chaos = createChaos(
      system,
      randomOf(seed + 1),
      pace,
      async () => {
        const sample = await takeSample(system, statistics.requests());
        if (sample) samples.push(sample);
      },
      onProgress,
    );
    const phase = () => (chaos.isFaulty() ? "fault" : "calm");
    const { replicas, projects } = system;
    const client = createClient({ replicas, statistics, random, phase, onWrong, requestsPerSecond });
    const followers = await Promise.all(projects.map((project) => followEvents(client, project, onWrong)));
    const load: Load = startLoad(aLoadState({ client, random, projects, followers, onWrong }));
    const moves = minutes < SHORT_MINUTES ? null : startMoves(system, projects[1]!, load.state);
    const imports = await startImports(system.settings, load.state);
    await chaos.runUntil(startedAt + minutes * 60_000);
    await load.stop();
    await imports.stop();
    await moves?.stop();
    const { state } = load;
    await planted.damage?.(system, state);

    onProgress("the load has ended");
    const checks = await runChecks(system, state, (Date.now() - startedAt) / 60_000, onProgress);
    const trends = judgeSamples(samples);
    checks.push(
      { name: "every fault ended as it should", problems: chaos.failed },
      { name: "every answer was documented, and none contradicts another one", problems: wrong },
      {
        name: "no request failed without a fault",
        problems: [...statistics.failedWhenCalm()].map(([failure, count]) => `${count} times ${failure}`),
      },
      {
        name: "no replica or worker logged an error that is not an outage",
        problems: [...replicas.errors(), ...system.workers.errors()].filter((line) => !isOutage(line)),
      },
      {
        name: "memory, descriptors, connections and queues are flat",
        problems: trends
          .filter(({ trend }) => trend && !trend.isFlat)
          .map(({ title, trend }) => `${title}: grew by ${trend!.growth}`),
      },
    );
    return {
      minutes,
      seed,
      requestsPerSecond,
      statistics,
      samples,
      trends,
      checks: checks.map(({ name, problems }) => ({
        name,
        problems: problems.slice(0, MAX_LISTED),
        count: problems.length,
      })),
      faults: chaos.injected,
      files: state.files.size,
      events: system.receiver.arrivals.size,
      webhookRequests: system.receiver.requests(),
      starts: replicas.starts(),
      moves: moves?.count() ?? 0,
    };
  } finally {
    await system.close();
  }
}

function aLoadState(
  parts: Pick<LoadState, "client" | "random" | "projects" | "followers" | "onWrong">,
): LoadState {
  return {
    ...parts,
    files: new Map(),
    live: [],
    goneAt: new Map(),
    unknownUploads: 0,
    uploadRequests: 0,
    opening: new Map(),
    withFolderJob: new Set(),
    mayHaveMade: { folder_jobs: 0, replacements: 0, share_links: 0, audit_log: 12 },
    links: [],
    now: Date.now,
    clockSpreadMs: 2 * MAX_CLOCK_ERROR_MS,
  };
}

interface Check {
  name: string;
  problems: string[];
}

async function runChecks(
  system: SoakedSystem,
  state: LoadState,
  minutes: number,
  onProgress: (line: string) => void,
): Promise<Check[]> {
  const { sql, replicas, receiver } = system;
  const checks: Check[] = [];
  const check = async (name: string, find: () => Promise<string[]>) => {
    onProgress(`check: ${name}`);
    checks.push({
      name,
      problems: await find().catch((error: unknown) => [`the check failed: ${String(error)}`]),
    });
  };
  await check("no upload, reservation or delete is stuck", () => findStuck(sql));
  await check("nothing acknowledged is lost, and nothing deleted is back", () => findLost(system, state));
  await check("every counter is exact", () => findWrongCounters(sql));
  await check("storage has exactly the objects of the files", () => findWrongObjects(system));
  await check("every stored file downloads with its bytes", async () => {
    const before = await downloadAll(state);
    return before > 0 ? [] : ["no file was left to download"];
  });
  await check("every file is scanned, with the right verdict, and every picture has its variant", () =>
    findUnscanned(sql, state),
  );
  await check("stowage reconcile finds no drift", () => findDrift(system));
  await check("every event arrived, in order, and none is false", () => findWrongEvents(system, state));
  await check("the log of events was followed without a gap, twice or another order", () =>
    findWrongLog(sql, state.followers),
  );
  await check("every link was used as often as it says", () => findWrongLinks(sql, state));
  const causes = causesOf(state, {
    minutes,
    starts: replicas.starts(),
    webhookRequests: receiver.requests(),
  });
  await check("every table has no more rows than its causes", async () =>
    findTooManyRows(await countRows(sql), causes),
  );
  await check("rows that end are deleted after their time", () =>
    findKept(sql, () => replicas.add("retention", 0)),
  );
  await check("every counter is exact after the ends of files", () => findWrongCounters(sql));
  await check("storage has exactly the objects of the files after their ends", () =>
    findWrongObjects(system),
  );
  return checks;
}

/** The jobs log that the database or storage is down. */
const isOutage = (line: string): boolean =>
  /"code":"unavailable"|unavailable|ECONNREFUSED|ECONNRESET/i.test(line);
