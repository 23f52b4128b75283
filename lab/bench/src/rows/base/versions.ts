import { summarise } from "../../measure/statistics.js";
import { createProject } from "../../processes/create-project.js";
import { migrateDatabase } from "../../processes/migrate-database.js";
import type { Role } from "../../processes/pinning.js";
import type { ServiceBuild } from "../../processes/service-build.js";
import { startService } from "../../processes/start-service.js";
import type { RowTools } from "../../row.js";

/** The older version: a commit. @default the last one before 1.0 */
export const BASE = process.env["BASE"] ?? "0f8b138c";
export const ROUNDS = Number(process.env["ROUNDS"] ?? 7);
/** Warm-up until the code is compiled and the plans exist. */
export const WARM_UPS = 3;

export type Versions<T> = Record<"older" | "newer", T>;

/** One of the two versions, with a database of its own. */
export interface Version {
  databaseUrl: string;
  apiKey: string;
  port: number;
  pid: number;
}

/** Starts a version's service on an empty database. */
export async function startVersion(
  build: ServiceBuild,
  databaseUrl: string,
  tools: RowTools,
  settings: Record<string, string> = {},
  role: Role = "server",
  { citus = false }: { citus?: boolean } = {},
): Promise<Version> {
  await migrateDatabase(databaseUrl, build, { citus });
  const apiKey = await createProject(databaseUrl, build);
  // Another replica would deliver.
  const service = await startService(databaseUrl, tools, { ...settings, WEBHOOKS: "off" }, role, build);
  return { databaseUrl, apiKey, port: service.ready.port, pid: service.pid };
}

export async function both<From, To>(
  versions: Versions<From>,
  convert: (version: From, name: "older" | "newer") => Promise<To>,
): Promise<Versions<To>> {
  return { older: await convert(versions.older, "older"), newer: await convert(versions.newer, "newer") };
}

/** What a figure is compared with. */
export const against = `by the version of commit ${BASE}, in turns`;
/** The median as text. */
export const middle = (values: number[], digits: number) => summarise(values).median.toFixed(digits);
