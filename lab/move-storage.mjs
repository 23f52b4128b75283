// `pnpm lab move-storage`: moves a project of 100,000 files, or FILES=, under load and kills its command. Arguments are passed to vitest.
import { runLab } from "./run-lab.mjs";

process.exitCode = runLab("move-storage", process.argv.slice(2), { timeoutMs: 3 * 3_600_000 });
