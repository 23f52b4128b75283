// `pnpm lab simulate [pairs|triples|planted|replay]`: docs/simulation.md. `pairs` explores the pairs of VERBS= with up to PREEMPTIONS= preemptions, or
// a part of them with SHARD=1/8;
// `triples` runs RUNS= random schedules with SEED=; `planted` looks for each planted race, or those of PLANTS="0 1 …"; `replay` repeats
// the schedule that a failure prints: SCHEDULE=. With PLANTS=0, `planted` repeats it too.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run as runProgram } from "../scripts/install.mjs";
import { runLab } from "./run-lab.mjs";

const TIMEOUT_MS = 12 * 3_600_000;
const root = join(import.meta.dirname, "..");

const [what = "pairs"] = process.argv.slice(2);
if (what === "planted") {
  process.env.PLANTS ??= plants();
  const test = ["--root", "apps/service", "--project", "slow", `--testTimeout=${TIMEOUT_MS}`];
  process.exitCode = runProgram(root, "vitest", ["run", ...test, "test/simulation/planted-race"], {
    timeoutMs: TIMEOUT_MS,
  });
} else
  process.exitCode = runLab("simulate", [`simulate/${what}.lab.ts`], { builds: [], timeoutMs: TIMEOUT_MS });

/** The numbers of all planted races. */
function plants() {
  const list = join(root, "apps/service/test/simulation/planted-races.ts");
  return [
    ...readFileSync(list, "utf8")
      .match(/^ {2}race\(/gm)
      .keys(),
  ].join(" ");
}
