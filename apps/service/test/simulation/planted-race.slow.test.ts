import { expect, test } from "vitest";
import { findRace } from "./explore-verbs.js";
import { plantedRace } from "./plant.js";
import { plantedRaces } from "./planted-races.js";
import { aSimulation } from "./simulate.js";

/*
 * `pnpm lab simulate planted` sets PLANT and so looks for all of them.
 */
const preemptions = Number(process.env["PREEMPTIONS"] ?? 2);
const planted = plantedRace() ?? plantedRaces[0]!;
const expected = planted === plantedRaces[0] ? "the quota is passed" : "SCHEDULE";

test(`finds the planted race: ${planted.name}`, async () => {
  const simulation = await aSimulation(planted);
  try {
    const { schedules, race } = await findRace(simulation, planted.verbs, preemptions);
    console.log(`| ${planted.name} | ${race ? schedules : `not in ${schedules}`} |\n${race?.message ?? ""}`);
    expect(race?.message).toContain(expected);
  } finally {
    await simulation.close();
  }
});
