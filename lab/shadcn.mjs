// `pnpm lab shadcn`: installs the components of `packages/registry` with the shadcn command into a Next app and uses them in Chromium.
// Arguments are passed to vitest.
import { runLab } from "./run-lab.mjs";

process.exitCode = runLab("shadcn", process.argv.slice(2), {
  builds: ["@stowage/local-registry", "@stowage/registry", "@stowage/e2e"],
});
