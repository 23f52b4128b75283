import { exploreAtRandom } from "@stowage/service/test/simulation/explore-verbs.js";
import { aSimulation } from "@stowage/service/test/simulation/simulate.js";
import { expect, test } from "vitest";

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000_000);
const runs = Number(process.env["RUNS"] ?? 2000);

test(`${runs} random schedules of three verbs, seed ${seed}`, async () => {
  const simulation = await aSimulation();
  try {
    await expect(exploreAtRandom(simulation, { seed, runs })).resolves.toBeUndefined();
  } finally {
    await simulation.close();
  }
});
