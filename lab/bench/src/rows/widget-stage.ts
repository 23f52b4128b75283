import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchChromium } from "@stowage/chromium";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { createProject } from "../processes/create-project.js";
import { makeFolder } from "../processes/make-file.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { startChild } from "../processes/start-child.js";
import { startDatabase } from "../processes/start-database.js";
import { startDevStore, type Store, storeSettings } from "../processes/start-dev-store.js";
import { type SlowLine, startSlowLine } from "../processes/start-slow-line.js";
import { type Listening, startService } from "../processes/start-service.js";
import { openUnwatched, type UnwatchedPage } from "../processes/unwatched-page.js";
import type { RowTools } from "../row.js";

/** A customer's page with the widget in a real browser, with its backend, service and storage. */
export interface WidgetStage {
  /** A folder for files. */
  folder: string;
  /**
   * Opens a new page. The caller closes it.
   *
   * @param query `?wait` leaves the files queued; `?bare` has an input and no widget; `?put` sends each file in one PUT
   */
  open(query?: string): Promise<UnwatchedPage>;
  browser: Browser;
  /** As the service sees it. */
  store: Store;
  /** The store's address in the browser. */
  publicEndpoint: string;
  /** The lines of the browser to the page's host and to the store. Empty if it has direct connections. */
  lines: SlowLine[];
  /** Requests a presigned URL, as the widget does. */
  requestUrl(filename: string, sizeBytes: number): Promise<string>;
}

/** The time limit of one page or one curl. */
export const PATIENCE_MS = 300_000;
/** The content type that curl and the widget send. */
export const TYPE = "application/octet-stream";

/** @param isLineSlow whether the browser reaches the page's host and the store over a slow line. @default false */
export async function widgetStage(tools: RowTools, isLineSlow = false): Promise<WidgetStage> {
  const folder = await makeFolder(tools);
  const databaseUrl = await startDatabase(tools);
  await migrateDatabase(databaseUrl);
  const apiKey = await createProject(databaseUrl);
  const store = await startDevStore(tools, "server");
  const lines: SlowLine[] = [];
  const reach = async (url: string): Promise<string> => {
    if (!isLineSlow) return url;
    const line = await startSlowLine(url, tools);
    lines.push(line);
    return line.url;
  };
  const publicEndpoint = await reach(store.endpoint);
  const settings = { ...storeSettings(store), S3_PUBLIC_ENDPOINT: publicEndpoint };
  const service = await startService(databaseUrl, tools, settings);
  const serviceUrl = `http://127.0.0.1:${service.ready.port}`;
  const pageDir = join(folder, "page");
  await buildPage(new URL("../../page", import.meta.url), pageDir);
  const host = await startChild<Listening>(import.meta.resolve("#sides/widget-host.js"), {
    role: "others",
    env: { STOWAGE_API_KEY: apiKey, STOWAGE_URL: serviceUrl, PAGE_DIR: pageDir },
  });
  tools.atEnd(() => host.stop());
  const pageUrl = await reach(`http://127.0.0.1:${host.ready.port}`);
  const browser = await launchChromium();
  tools.atEnd(() => browser.close());
  return {
    folder,
    open: (query = "") => openUnwatched(browser, `${pageUrl}/${query}`, PATIENCE_MS),
    browser,
    store,
    publicEndpoint,
    lines,
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

/** Built from the published package, as customers do. @param root the folder of its index.html */
export function buildPage(root: URL, outDir: string): Promise<unknown> {
  return build({
    configFile: false,
    root: fileURLToPath(root),
    mode: "production",
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    build: { outDir, modulePreload: { polyfill: false } },
  });
}
