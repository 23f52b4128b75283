import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchChromium } from "@stowage/chromium";
import { build } from "vite";
import { createProject } from "../processes/create-project.js";
import { makeFolder } from "../processes/make-file.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { startChild } from "../processes/start-child.js";
import { startDatabase } from "../processes/start-database.js";
import { startDevStore, storeSettings } from "../processes/start-dev-store.js";
import { type Listening, startService } from "../processes/start-service.js";
import { openUnwatched, type UnwatchedPage } from "../processes/unwatched-page.js";
import type { RowTools } from "../row.js";

/** A customer's page with the widget in a real browser, with its backend, service and storage. */
export interface WidgetStage {
  /** A folder for files. */
  folder: string;
  /** Opens a new page. The caller closes it. @param query `?wait` leaves the files queued; `?bare` has an input and no widget */
  open(query?: string): Promise<UnwatchedPage>;
  /** Requests a presigned URL, as the widget does. */
  requestUrl(filename: string, sizeBytes: number): Promise<string>;
}

/** The time limit of one page or one curl. */
export const PATIENCE_MS = 300_000;
/** The content type that curl and the widget send. */
export const TYPE = "application/octet-stream";

export async function widgetStage(tools: RowTools): Promise<WidgetStage> {
  const folder = await makeFolder(tools);
  const databaseUrl = await startDatabase(tools);
  await migrateDatabase(databaseUrl);
  const apiKey = await createProject(databaseUrl);
  const store = await startDevStore(tools, "server");
  const service = await startService(databaseUrl, tools, storeSettings(store));
  const serviceUrl = `http://127.0.0.1:${service.ready.port}`;
  const pageDir = join(folder, "page");
  await buildPage(pageDir);
  const host = await startChild<Listening>(import.meta.resolve("#sides/widget-host.js"), {
    role: "others",
    env: { STOWAGE_API_KEY: apiKey, STOWAGE_URL: serviceUrl, PAGE_DIR: pageDir },
  });
  tools.atEnd(() => host.stop());
  const browser = await launchChromium();
  tools.atEnd(() => browser.close());
  return {
    folder,
    open: (query = "") => openUnwatched(browser, `http://127.0.0.1:${host.ready.port}/${query}`, PATIENCE_MS),
    async requestUrl(filename, size) {
      const answer = await fetch(`${serviceUrl}/api/storage/upload/`, {
        method: "POST",
        headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
        body: JSON.stringify({ tenant_id: "bench", filename, content_type: TYPE, size }),
        signal: AbortSignal.timeout(30_000),
      });
      if (!answer.ok) throw new Error(`no URL: ${answer.status}`);
      return ((await answer.json()) as { presigned_url: string }).presigned_url;
    },
  };
}

/** Built from the published package, as customers do. */
function buildPage(outDir: string): Promise<unknown> {
  return build({
    configFile: false,
    root: fileURLToPath(new URL("../../page", import.meta.url)),
    mode: "production",
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    build: { outDir, modulePreload: { polyfill: false } },
  });
}
