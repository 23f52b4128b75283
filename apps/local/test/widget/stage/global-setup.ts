import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Local, startLocal } from "#start-local.js";
import { readSettings } from "#settings.js";
import { aFolder } from "../../fixtures/a-run.js";
import { buildPage } from "./build-page.js";

/** What one run of the suite shares: PostgreSQL, storage and the service, and the page that shows the widget. */
export interface StageServers {
  serviceUrl: string;
  apiKey: string;
  databaseUrl: string;
  /** The service's S3_* settings. */
  storage: Record<string, string>;
  /** Folders with the built page. */
  pages: { production: string; development: string };
}

declare module "vitest" {
  export interface ProvidedContext {
    stage: StageServers;
  }
}

let folder: Awaited<ReturnType<typeof aFolder>> | undefined;
let local: Local | undefined;

export async function setup(project: TestProject): Promise<void> {
  folder = await aFolder();
  const pages = { production: join(folder.path, "page"), development: join(folder.path, "page-dev") };
  await Promise.all([buildPage("production", pages.production), buildPage("development", pages.development)]);
  local = await startLocal(readSettings({ PORT: "0", STOWAGE_DATA_DIR: join(folder.path, "data") }));
  const { serviceUrl, databaseUrl, storage, demo } = local;
  project.provide("stage", { serviceUrl, apiKey: demo.api_key, databaseUrl, storage, pages });
}

export async function teardown(): Promise<void> {
  await local?.stop();
  await folder?.remove();
}
