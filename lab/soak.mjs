// `pnpm lab soak MINUTES`: mixed load on several replicas of the built service, with faults, and then checks of everything that it
// promises. SEED= repeats the choices of a run. docs/soak.md describes it.
import { runLab } from "./run-lab.mjs";

const MAX_MINUTES = 24 * 60 - 30;
const CHECKS_MINUTES = 20;

const minutes = Number(process.argv[2]);
if (!(minutes > 0 && minutes <= MAX_MINUTES)) {
  console.error(`Say how many minutes, at most ${MAX_MINUTES}: npx pnpm lab soak 30`);
  process.exit(1);
}
process.env.MINUTES = String(minutes);
const timeoutMs = (minutes + CHECKS_MINUTES) * 60_000;
process.exitCode = runLab("soak", ["--disableConsoleIntercept", `--testTimeout=${timeoutMs}`], { timeoutMs });
