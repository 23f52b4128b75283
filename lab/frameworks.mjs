// `pnpm lab frameworks`: builds the apps that docs/element.md links, each of another framework, with the element, and uses them in Chromium.
// Arguments are passed to vitest.
import { runLab } from "./run-lab.mjs";

process.exitCode = runLab("frameworks", process.argv.slice(2), {
  builds: ["@stowage/local-registry", "@stowage/e2e"],
});
