import { exploreMeetings, meetingsOf } from "@stowage/service/test/simulation/explore-verbs.js";
import { type Simulation, someSimulations } from "@stowage/service/test/simulation/simulate.js";
import type { VerbName } from "@stowage/service/test/simulation/verbs.js";
import { afterAll, beforeAll, expect, test } from "vitest";

const preemptions = Number(process.env["PREEMPTIONS"] ?? 2);
const names = process.env["VERBS"]?.split(", ") as VerbName[] | undefined;
const [shard, shards] = (process.env["SHARD"] ?? "1/1").split("/").map(Number) as [number, number];

let simulations: Simulation[];
beforeAll(async () => {
  simulations = await someSimulations();
});
afterAll(() => Promise.all(simulations.map((simulation) => simulation.close())));

test(`all schedules of pairs with up to ${preemptions} preemptions`, async () => {
  const meetings = meetingsOf(names).filter((_, index) => index % shards === shard - 1);
  const races: string[] = [];
  await exploreMeetings(
    simulations,
    meetings,
    () => ({ preemptions }),
    ({ meeting, schedules, race }) => {
      console.log(`${meeting.kind}, ${meeting.names.join(", ")}: ${schedules} schedules`);
      if (race) races.push(race.message);
    },
  );
  expect(races).toEqual([]);
});
