import { EVENTS_SECRET, timeSettling } from "../../load/settle-objects.js";
import { uploadObjects } from "../../load/upload-objects.js";
import { summarise } from "../../measure/statistics.js";
import { ratios, takeTurns } from "../../measure/take-turns.js";
import { findServers } from "../../processes/database-cpu.js";
import type { ServiceBuild } from "../../processes/service-build.js";
import { startDatabase } from "../../processes/start-database.js";
import { startDevStore, type Store, storeSettings } from "../../processes/start-dev-store.js";
import type { Figure, RowTools } from "../../row.js";
import {
  against,
  both,
  middle,
  ROUNDS,
  startVersion,
  type Version,
  type Versions,
  WARM_UPS,
} from "./versions.js";

const FILES = 2000;
/** As many backends at once; settles come in notifications of 100. */
const UPLOADS_AT_ONCE = 64;

/** What a file costs from the request of its upload until its record is complete. */
export interface FileCosts {
  requestMicros: number;
  recordMicros: number;
  settledPerSecond: number;
}

/** PostgreSQL's CPU for a file, and how many files are settled per second. */
export async function measureFiles(builds: Versions<ServiceBuild>, tools: RowTools): Promise<Figure[]> {
  const store = await startDevStore(tools, "server");
  const sides = await both(builds, async (build) =>
    startVersion(build, await startDatabase(tools), tools, { ...eventSettings(store) }),
  );
  const costs = await takeTurns(
    await both(sides, (version, name) => measureCosts(version, { store, name, tools })),
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  const cpu = (name: "older" | "newer") => costs[name].map(cpuOf);
  const settled = (name: "older" | "newer") => costs[name].map(({ settledPerSecond }) => settledPerSecond);
  const parts = (name: "older" | "newer") =>
    `${middle(cpu(name), 0)} µs (${middle(
      costs[name].map(({ requestMicros }) => requestMicros),
      0,
    )} for the request, ${middle(
      costs[name].map(({ recordMicros }) => recordMicros),
      0,
    )} for the record)`;
  return [
    {
      measured: `PostgreSQL's CPU for a file from request to record, ${UPLOADS_AT_ONCE} uploads at once, settled from storage events`,
      against,
      ratio: summarise(ratios(cpu("newer"), cpu("older"))),
      target: { atMost: 0.75 },
      details: `${parts("newer")} and ${parts("older")}`,
    },
    {
      measured: "uploads settled from storage events, storage on the service's core",
      against,
      ratio: summarise(ratios(settled("newer"), settled("older"))),
      target: { atLeast: 1.2 },
      details: `${middle(settled("newer"), 0)} and ${middle(settled("older"), 0)} a second`,
    },
  ];
}

export const cpuOf = ({ requestMicros, recordMicros }: FileCosts) => requestMicros + recordMicros;

export const eventSettings = (store: Store) => ({
  ...storeSettings(store),
  STORAGE_EVENTS_SECRET: EVENTS_SECRET,
});

/** Uploads files and settles them. @returns what measures one round */
export async function measureCosts(
  { databaseUrl, apiKey, port }: Version,
  { store, name, tools }: { store: Store; name: string; tools: RowTools },
): Promise<() => Promise<FileCosts>> {
  const servers = await findServers(databaseUrl);
  return async () => {
    const before = await servers.cpuSeconds();
    const keys = await uploadObjects(port, apiKey, FILES, { atOnce: UPLOADS_AT_ONCE });
    const requested = await servers.cpuSeconds();
    const seconds = await timeSettling(port, store, keys);
    const micros = (from: number, to: number) => ((to - from) / FILES) * 1e6;
    const costs = {
      requestMicros: micros(before, requested),
      recordMicros: micros(requested, await servers.cpuSeconds()),
      settledPerSecond: FILES / seconds,
    };
    tools.say(
      `${name}: ${costs.requestMicros.toFixed(0)} and ${costs.recordMicros.toFixed(0)} µs of PostgreSQL's CPU for request and record, ${costs.settledPerSecond.toFixed(0)} settled/s`,
    );
    return costs;
  };
}
