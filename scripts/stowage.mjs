// `npx pnpm stowage`: the command line. If the environment names no database and no storage, it manages the service that
// `npm start` has started.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { env } = process;
const root = join(import.meta.dirname, "..");
const file = join(env.STOWAGE_DATA_DIR || join(root, ".stowage"), "service.json");

// All settings or none: `reconcile --repair` must never compare a database of the environment with the bucket of `npm start`.
const hasOwn = Object.keys(env).some((name) => /^(MIGRATION_)?DATABASE_URL$|^S3_/.test(name) && env[name]);
if (!hasOwn && existsSync(file)) Object.assign(env, JSON.parse(readFileSync(file, "utf8")));

await import(pathToFileURL(join(root, "apps", "service", "dist", "cli.js")).href);
