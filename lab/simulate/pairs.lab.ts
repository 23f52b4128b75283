import { sceneKinds } from "@stowage/service/test/simulation/a-scene.js";
import { exploreMeeting, pairsOf } from "@stowage/service/test/simulation/explore-verbs.js";
import { aSimulation, type Simulation } from "@stowage/service/test/simulation/simulate.js";
import type { VerbName } from "@stowage/service/test/simulation/verbs.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const preemptions = Number(process.env["PREEMPTIONS"] ?? 2);
const names = process.env["VERBS"]?.split(", ") as VerbName[] | undefined;

let simulation: Simulation;
beforeAll(async () => {
  simulation = await aSimulation();
});
afterAll(() => simulation.close());

describe.each(sceneKinds)(`with up to ${preemptions} preemptions, in a project: %s`, (kind) => {
  test.each(pairsOf(names))("%s and %s", async (...pair) => {
    const schedules = await exploreMeeting(simulation, { kind, names: pair }, { preemptions });
    console.log(`${kind}, ${pair.join(", ")}: ${schedules} schedules`);
    expect(schedules).toBeGreaterThan(1);
  });
});
