import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Local, startLocal } from "#start-local.js";
import { readSettings } from "#settings.js";
import { aFolder } from "../../fixtures/a-run.js";

/** What one run of the suite shares: PostgreSQL, storage, and the service with the dashboard. */
export interface DashboardServers {
  url: string;
  databaseUrl: string;
  /** The service's S3_* settings. */
  storage: Record<string, string>;
  /** Who can sign in from the start. */
  operator: { email: string; password: string };
}

declare module "vitest" {
  export interface ProvidedContext {
    dashboard: DashboardServers;
  }
}

let folder: Awaited<ReturnType<typeof aFolder>> | undefined;
let local: Local | undefined;

export async function setup(project: TestProject): Promise<void> {
  folder = await aFolder();
  local = await startLocal(readSettings({ PORT: "0", STOWAGE_DATA_DIR: join(folder.path, "data") }));
  const { serviceUrl: url, databaseUrl, storage, operator } = local;
  project.provide("dashboard", { url, databaseUrl, storage, operator: operator! });
}

export async function teardown(): Promise<void> {
  await local?.stop();
  await folder?.remove();
}
