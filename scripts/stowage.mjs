// `npx pnpm stowage`: the command line. If the environment names no database and no storage, it manages the service that
// `npm start` has started.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { useRunningService } from "../packages/stowage/bin/use-running-service.mjs";

const root = join(import.meta.dirname, "..");

useRunningService(process.env, join(root, ".stowage"));
await import(pathToFileURL(join(root, "apps", "service", "dist", "cli.js")).href);
