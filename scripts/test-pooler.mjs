// `pnpm test:pooler`: tests the built service behind a real pgbouncer. Arguments are passed to vitest. `npm test` runs it too
// where pgbouncer is installed, or where CI may install it.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./install.mjs";
import { installPgbouncer } from "./pgbouncer.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const service = join(root, "apps", "service");

installPgbouncer();
let status = run(root, "turbo", [
  "run",
  "build",
  "--filter=@stowage/service...",
  "--output-logs=errors-only",
]);
const vitest = join(root, "node_modules", ".bin", "vitest");
status ||= run(service, vitest, ["run", "--config", "vitest.pooler.config.ts", ...process.argv.slice(2)]);
process.exit(status);
