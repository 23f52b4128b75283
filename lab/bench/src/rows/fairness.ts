import { setTimeout as sleep } from "node:timers/promises";
import type { Answered, Load } from "../load/load.js";
import { startLoad } from "../load/start-load.js";
import { summarise } from "../measure/statistics.js";
import { createProjects, unknownKeys } from "../processes/api-keys.js";
import { connect } from "../processes/connect.js";
import { cpuSecondsOf } from "../processes/cpu-time.js";
import { createProject } from "../processes/create-project.js";
import { keepCore, mayKeepCore } from "../processes/keep-core.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { pinSelf } from "../processes/pinning.js";
import { startDatabase } from "../processes/start-database.js";
import { startDevStore, storeSettings } from "../processes/start-dev-store.js";
import { startService } from "../processes/start-service.js";
import type { Figure, Row, RowTools } from "../row.js";
import { seedCrowd } from "../seed/crowd.js";
import { uploads } from "./upload-stage.js";

const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
/** 400 uploads of the quiet project. The p99 of 200 depends on two uploads, and differed by a factor of four between rounds. */
const SECONDS = Number(process.env["SECONDS"] ?? 20);
const WARM_UP_SECONDS = 8;
/** The flood starts this long before the quiet project, and ends after it. */
const LEAD_SECONDS = 2;
const QUIET_PER_SECOND = 20;
/** Only the floods with this text in their names. */
const FLOODS = process.env["FLOODS"] ?? "";
/** Forged keys, each sent in turn. The service remembers fewer. */
const UNKNOWN_KEYS = 20_000;
/** Tenants and files of the flooding project, so that its searches and sums take a few milliseconds. */
const CROWD = { tenants: 2000, files: 50_000 };
const READINESS_INTERVAL_MS = 250;

/**
 * A project that uploads 20 times a second, beside a flood of one other caller. All processes may use all cores, as far as the flood leaves
 * them idle. The client that measures is served first, because its own wait for a core is not the service's.
 */
export const fairnessRow: Row = {
  name: "fairness",
  async run(tools) {
    await pinSelf("anywhere");
    tools.atEnd(() => pinSelf());
    const databaseUrl = await startDatabase(tools);
    await migrateDatabase(databaseUrl);
    const flooding = await createProject(databaseUrl);
    const sql = connect(databaseUrl);
    await seedCrowd(sql, CROWD, tools.say).finally(() => sql.end());
    const [quietKey] = await createProjects(databaseUrl, 1);
    const store = await startDevStore(tools, "anywhere");
    // The floods choose their addresses.
    const settings = { ...storeSettings(store), TRUSTED_PROXIES: "127.0.0.1", ...limitOfFailures() };
    const service = await startService(databaseUrl, tools, settings, "anywhere");
    const { port } = service.ready;
    const loaders = {
      quiet: await startLoad(tools, "anywhere"),
      flood: await startLoad(tools, "anywhere"),
    };
    await serveFirst(loaders.quiet.pid, tools);
    const quiet = uploads(quietKey!, port, {
      connections: 64,
      numbers: 100,
      perSecond: QUIET_PER_SECOND,
      seconds: SECONDS,
    });
    await loaders.flood.flood(uploads(flooding, port, { seconds: WARM_UP_SECONDS }));
    const figures: Figure[] = [];
    for (const [name, load] of Object.entries(floods(flooding, port))) {
      if (!name.includes(FLOODS)) continue;
      figures.push(await measureFlood(name, { load, quiet, loaders, tools, servicePid: service.pid }));
    }
    return figures;
  },
};

async function serveFirst(pid: number, { say }: RowTools): Promise<void> {
  if (await mayKeepCore(pid)) await keepCore([pid]);
  else say("without the right to SCHED_RR, the times include the wait of the measuring client for a core");
}

/** `FAILING_KEYS_PER_MINUTE=0` measures without the limit. */
function limitOfFailures(): Record<string, string> {
  const limit = process.env["FAILING_KEYS_PER_MINUTE"];
  return limit === undefined ? {} : { FAILING_KEYS_PER_MINUTE: limit };
}

/** The floods. Each connection sends its next request when it has its answer. */
function floods(apiKey: string, port: number): Record<string, Load> {
  const every = uploads(apiKey, port, { seconds: LEAD_SECONDS + SECONDS + 1 });
  const get = (path: string) => ({ ...every, method: "GET" as const, path });
  const unknown = {
    ...get("/api/storage/usage/"),
    headers: { Authorization: "Bearer {key}" },
    connections: 600,
  };
  const keys = unknownKeys(UNKNOWN_KEYS);
  const fromOtherAddress = (key: string, n: number) => `${key}\r\nX-Forwarded-For: 10.1.${n >> 8}.${n & 255}`;
  return {
    "searches over 200 connections": {
      ...get("/api/storage/files/?q=photo%204999&limit=100"),
      connections: 200,
    },
    "usage over 600": { ...get("/api/storage/usage/"), connections: 600 },
    "uploads over 300": { ...every, connections: 300 },
    // From the address of the quiet project.
    "unknown keys over 600": { ...unknown, keys },
    "unknown keys of as many addresses over 600": { ...unknown, keys: keys.map(fromOtherAddress) },
  };
}

interface Measuring {
  load: Load;
  quiet: Load;
  loaders: Record<"quiet" | "flood", { flood(load: Load): Promise<Answered> }>;
  tools: RowTools;
  servicePid: number;
}

async function measureFlood(
  name: string,
  { load, quiet, loaders, tools, servicePid }: Measuring,
): Promise<Figure> {
  const ratios: number[] = [];
  const rounds: { alone: Answered; beside: Answered; readiness: Readiness; cpu: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await loaders.quiet.flood(quiet);
    const flooding = loaders.flood.flood(load);
    await sleep(LEAD_SECONDS * 1000);
    const watching = watchReadiness(quiet.port);
    const cpuBefore = (await cpuSecondsOf(servicePid)) ?? NaN;
    const beside = await loaders.quiet.flood(quiet);
    const cpu = (((await cpuSecondsOf(servicePid)) ?? NaN) - cpuBefore) / beside.seconds;
    const readiness = await watching.end();
    const flooded = await flooding;
    await sleep(1000);
    rounds.push({ alone, beside, readiness, cpu });
    ratios.push(beside.p99Ms / alone.p99Ms);
    tools.say(
      `${name}: p50 ${beside.p50Ms.toFixed(1)} and p99 ${beside.p99Ms.toFixed(1)} ms, alone ${alone.p50Ms.toFixed(1)} and ${alone.p99Ms.toFixed(1)}; not 200: ${refused(beside)} of ${beside.requests}; ` +
        `ready ${readiness.answered} of ${readiness.asked}, at most ${readiness.slowestMs.toFixed(0)} ms; ` +
        `${(cpu * 100).toFixed(0)} % of a core; the flood got ${JSON.stringify(flooded.statuses)}`,
    );
  }
  const middle = (value: (round: (typeof rounds)[number]) => number) => summarise(rounds.map(value)).median;
  const sum = (value: (round: (typeof rounds)[number]) => number) =>
    rounds.reduce((total, round) => total + value(round), 0);
  return {
    measured: `p99 of a project's ${QUIET_PER_SECOND} uploads a second beside ${name} of another caller`,
    against: "its p99 alone",
    ratio: summarise(ratios),
    target: { atMost: 2 },
    details:
      `${middle(({ beside }) => beside.p99Ms).toFixed(1)} and ${middle(({ alone }) => alone.p99Ms).toFixed(1)} ms; ` +
      `${sum(({ beside }) => refused(beside))} of ${sum(({ beside }) => beside.requests)} uploads were not answered 200; ` +
      `\`/readyz\` answered 200 ${sum(({ readiness }) => readiness.answered)} of ${sum(({ readiness }) => readiness.asked)} times, ` +
      `within ${Math.max(...rounds.map(({ readiness }) => readiness.slowestMs)).toFixed(0)} ms; ` +
      `the service used ${(middle(({ cpu }) => cpu) * 100).toFixed(0)} % of a core`,
  };
}

const refused = ({ requests, statuses }: Answered) => requests - (statuses[200] ?? 0);

interface Readiness {
  asked: number;
  answered: number;
  slowestMs: number;
}

/** Asks `/readyz` again and again until `end`. */
function watchReadiness(port: number): { end(): Promise<Readiness> } {
  const seen: Readiness = { asked: 0, answered: 0, slowestMs: 0 };
  const ending = new AbortController();
  const watch = async () => {
    while (!ending.signal.aborted) {
      const startedAt = performance.now();
      seen.asked++;
      const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
      if (status === 200) seen.answered++;
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - startedAt);
      await sleep(READINESS_INTERVAL_MS);
    }
    return seen;
  };
  const watching = watch();
  return {
    end: () => {
      ending.abort();
      return watching;
    },
  };
}
