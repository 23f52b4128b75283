import { existsSync } from "node:fs";

/** Where the others are: a package of its own, outside the workspace. */
export const peersFolder = new URL("../../peers/", import.meta.url);

/** @throws {Error} when they are not installed */
export function requirePeers(): void {
  if (existsSync(new URL("node_modules/.package-lock.json", peersFolder))) return;
  throw new Error("What this is measured against is not installed: run `npx pnpm bench:peers`");
}
