// `pnpm lab frameworks`: builds an app of each framework that docs/element.md names, with the element and the code of that page, and uses it
// in Chromium. Arguments are passed to vitest.
import { runLab } from "./run-lab.mjs";

process.exitCode = runLab("frameworks", process.argv.slice(2), {
  builds: ["@stowage/local-registry", "@stowage/e2e"],
});
