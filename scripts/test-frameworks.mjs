// `pnpm test:frameworks`: builds an app of each framework that docs/element.md names, with the element and the code of that page, and
// uses it in Chromium. Arguments are passed to vitest. It is not part of `npm test`, because it installs the frameworks from npm.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./install.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const build = ["run", "build", "--filter=@stowage/frameworks^...", "--output-logs=errors-only"];
const built = run(root, "turbo", build, { quiet: true });
if (built !== 0) process.exit(built);
const vitest = [
  "run",
  "--root",
  "tooling/frameworks",
  "--config",
  "vitest.frameworks.config.ts",
  "--project",
  "frameworks",
];
process.exit(run(root, "vitest", [...vitest, ...process.argv.slice(2)]));
