import { fileURLToPath } from "node:url";

/*
 * Paths to files that are not code. This file is one level below the package root in `src/`. The bundle that contains it is one
 * level below the package root in `dist/`. So the same relative paths work in both.
 */
export const migrationsDir = fromHere("../src/db/migrations");
export const sqlFunctionsDir = fromHere("../src/db/functions");
export const compileCacheDir = fromHere("../dist/compile-cache");
export const builtDashboardDir = fromHere("../../dashboard/dist");
export const builtDocsDir = fromHere("../../docs/dist");
export const imageDecoder = fromHere("../dist/image-decoder.js");
export const docsDir = fromHere("../../../docs");
export const manifestPath = fromHere("../package.json");

function fromHere(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
