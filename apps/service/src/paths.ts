import { fileURLToPath } from "node:url";

/*
 * Paths to files that are not code. This file lies one level below the package root in `src/`, and so does the bundle that
 * contains it in `dist/`, so the same relative paths work in both.
 */
export const migrationsDir = fromHere("../drizzle");
export const compileCacheDir = fromHere("../dist/compile-cache");
export const builtDashboardDir = fromHere("../../dashboard/dist");

function fromHere(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
