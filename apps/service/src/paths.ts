import { fileURLToPath } from "node:url";

/**
 * Where lies what is no code. The build puts this module into a file right in `dist/`, which is as deep as `src/`: a path from
 * any deeper module would mean another place there.
 */
export const migrationsDir = fromHere("../drizzle");
export const compileCacheDir = fromHere("../dist/compile-cache");
export const builtDashboardDir = fromHere("../../dashboard/dist");

function fromHere(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
