import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findRace, repeatSchedule } from "./explore-verbs.js";
import { chosenRaces } from "./plant.js";
import { plantedRaces } from "./planted-races.js";
import { RaceFound, type Simulation, someSimulations } from "./simulate.js";

/*
 * `pnpm lab simulate planted` sets PLANTS and so looks for all of them.
 */
const schedule = process.env["SCHEDULE"];
const preemptions = Number(process.env["PREEMPTIONS"] ?? 2);

let simulations: Simulation[];
beforeAll(async () => {
  simulations = await someSimulations();
});
afterAll(() => Promise.all(simulations.map((simulation) => simulation.close())));

describe.each(chosenRaces.length > 0 ? chosenRaces : plantedRaces.slice(0, 1))("$name", (planted) => {
  beforeEach(() => Promise.all(simulations.map((simulation) => simulation.plant(planted))));
  afterEach(() => Promise.all(simulations.map((simulation) => simulation.plant())));

  test("is found", async () => {
    const begin = Date.now();
    const { schedules, race } = schedule
      ? { schedules: 1, race: await raceOf(repeatSchedule(simulations[0]!, schedule)) }
      : await findRace(simulations, planted.verbs, preemptions);
    const seconds = Math.round((Date.now() - begin) / 1000);
    const number = plantedRaces.indexOf(planted);
    console.log(
      `| ${number} | ${planted.name} | ${race ? schedules : `not in ${schedules}`} | ${seconds} s |\n${race?.message ?? ""}`,
    );
    expect(race?.message ?? "").toContain(number === 0 ? "the quota is passed" : "SCHEDULE");
  });
});

const raceOf = (repeated: Promise<unknown>) =>
  repeated.then(
    () => null,
    (error: unknown) => {
      if (error instanceof RaceFound) return error;
      throw error;
    },
  );
