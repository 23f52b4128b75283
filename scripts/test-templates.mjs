// `pnpm test:templates`: every app of `npm create stowage`, installed from a registry on this machine, built, started and used in
// Chromium. It takes minutes, so it is not part of `npm test`, which does the same with one template. Arguments are passed to vitest.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireNode, run } from "./install.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

requireNode();
const built = run(root, "turbo", [
  "run",
  "build",
  "--filter=@stowage/created-apps^...",
  "--output-logs=errors-only",
]);
if (built !== 0) process.exit(built);
// prettier-ignore
const vitest = ["run", "--root", "tooling/created-apps", "--config", "vitest.templates.config.ts", "--project", "templates", ...process.argv.slice(2)];
process.exit(run(root, "vitest", vitest));
