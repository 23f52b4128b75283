import { existsSync } from "node:fs";

/** The package of the peers, outside the workspace. */
export const peersFolder = new URL("../../peers/", import.meta.url);

/** @throws {Error} if the peers are not installed */
export function requirePeers(): void {
  if (existsSync(new URL("node_modules/.package-lock.json", peersFolder))) return;
  throw new Error("The peers are not installed. Run `npx pnpm lab bench --install-peers`.");
}
