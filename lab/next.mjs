// `pnpm lab next`: today's create-next-app, with its defaults and with its options, gets Stowage by the steps of the README and by
// `npm create stowage add`. Each app is developed, linted, built, started and used in Chromium. Arguments are passed to vitest.
import { requireNode } from "../scripts/install.mjs";
import { runLab } from "./run-lab.mjs";

requireNode();
process.exitCode = runLab("next", process.argv.slice(2), { builds: ["@stowage/created-apps"] });
