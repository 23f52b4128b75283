// `pnpm lab release`: publishes all packages into a registry on this machine, and installs and uses them with empty folders and caches.
// Arguments are passed to vitest.
import { runLab } from "./run-lab.mjs";

process.exitCode = runLab("release", process.argv.slice(2), {
  builds: ["@stowage/local-registry", "@stowage/e2e"],
});
