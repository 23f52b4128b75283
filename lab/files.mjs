// `pnpm lab files`: what Stowage makes of each kind of file, and the table of docs/file-types.md. `--update` writes the table again.
import { runLab } from "./run-lab.mjs";

process.exitCode = runLab("files", process.argv.slice(2));
