// `pnpm lab doctor`: what `stowage doctor` says of stores and proxies that are broken in a known way, as a table. Arguments are passed to
// vitest.
import { runLab } from "./run-lab.mjs";

process.exitCode = runLab("doctor", process.argv.slice(2));
