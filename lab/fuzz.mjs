// `pnpm lab fuzz`: random requests and raw bytes to every interface. CASES= and SEED= say how many and which; without them 100,000, and others
// in each run. `npm test` sends 3,000. Arguments are passed to vitest.
import { runLab } from "./run-lab.mjs";

process.exitCode = runLab("fuzz", process.argv.slice(2));
