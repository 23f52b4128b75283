// `pnpm test:shadcn`: installs the components of `packages/registry` with the shadcn command into a Next app and uses them in Chromium.
// Arguments are passed to vitest. It is not part of `npm test`, because it installs Next and shadcn from npm, which takes minutes.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./install.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const build = ["run", "build", "--filter=@stowage/shadcn^...", "--output-logs=errors-only"];
const built = run(root, "turbo", build, { quiet: true });
if (built !== 0) process.exit(built);
const vitest = [
  "run",
  "--root",
  "tooling/shadcn",
  "--config",
  "vitest.shadcn.config.ts",
  "--project",
  "shadcn",
];
process.exit(run(root, "vitest", [...vitest, ...process.argv.slice(2)]));
