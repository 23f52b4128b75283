// `pnpm lab templates`: every app of `npm create stowage`, and `add`, installed from a registry on this machine, built, started and used in
// Chromium. `npm test` does the same with one template. Arguments are passed to vitest: `-t next`.
import { requireNode } from "../scripts/install.mjs";
import { runLab } from "./run-lab.mjs";

requireNode();
process.exitCode = runLab("templates", process.argv.slice(2), { builds: ["@stowage/created-apps"] });
