import { existsSync } from "node:fs";
import { join } from "node:path";
import { peersFolder, requirePeers } from "../peers/require-peers.js";
import { startChild } from "../processes/start-child.js";
import { storeSettings } from "../processes/start-dev-store.js";
import { startSlowLine } from "../processes/start-slow-line.js";
import type { Listening } from "../processes/start-service.js";
import { createStoreClient } from "../processes/store-client.js";
import { openUnwatched, type UnwatchedPage } from "../processes/unwatched-page.js";
import type { RowTools } from "../row.js";
import { buildPage, PATIENCE_MS, type WidgetStage } from "./widget-stage.js";

/** Uppy 6 sends the parts of a file one after another. Uppy 5 was the last version that sends six at once, so it is the faster opponent. */
export type UppyVersion = 5 | 6;

const folderOf = (version: UppyVersion) => new URL(`uppy-${version}/`, peersFolder);

/**
 * Adds a page with Uppy to a stage whose line is slow: in the same browser, over a line of the same kind, to the same store.
 *
 * @returns opens a new page that sends parts of this size. The caller closes it
 */
export async function uppyPage(
  version: UppyVersion,
  stage: WidgetStage,
  tools: RowTools,
): Promise<(partSizeBytes: number) => Promise<UnwatchedPage>> {
  const { store, publicEndpoint } = stage;
  // Uppy reads the ETag of each part.
  await createStoreClient(store).allowPages();
  const pageDir = join(stage.folder, `uppy-${version}`);
  await buildPage(folderOf(version), pageDir);
  const host = await startChild<Listening>(import.meta.resolve("#sides/uppy-host.js"), {
    role: "others",
    env: { ...storeSettings(store), S3_PUBLIC_ENDPOINT: publicEndpoint, PAGE_DIR: pageDir },
  });
  tools.atEnd(() => host.stop());
  const line = await startSlowLine(`http://127.0.0.1:${host.ready.port}`, tools);
  stage.lines.push(line);
  return (partSizeBytes) => openUnwatched(stage.browser, `${line.url}/?${partSizeBytes}`, PATIENCE_MS);
}

/** @throws {Error} if Uppy is not installed */
export function requireUppy(): void {
  requirePeers();
  if (existsSync(new URL("node_modules/.package-lock.json", folderOf(5)))) return;
  throw new Error("The peers are not installed. Run `npx pnpm lab bench --install-peers`.");
}
