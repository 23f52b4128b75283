import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sceneKinds } from "./a-scene.js";
import { exploreAtRandom, exploreMeeting, pairsOf } from "./explore-verbs.js";
import { aSimulation, RaceFound, type Simulation } from "./simulate.js";

/*
 * A slice: pairs one after the other, and random schedules of triples. `pnpm lab simulate` explores all pairs.
 */
let simulation: Simulation;
beforeAll(async () => {
  simulation = await aSimulation();
});
afterAll(() => simulation.close());

describe.each(sceneKinds)("in a project: %s", (kind) => {
  test.each(pairsOf(["admit", "complete", "cancel", "delete", "hold"]))("%s and %s", async (...pair) => {
    const { schedules, race } = await exploreMeeting(simulation, { kind, names: pair }, { preemptions: 0 });
    expect(race).toBeNull();
    expect(schedules).toBeGreaterThan(1);
  });
});

test("20 random schedules of three verbs", async () => {
  await expect(exploreAtRandom(simulation, { seed: 20261130, runs: 20 })).resolves.toBeUndefined();
});

test("equal choices give equal steps", async () => {
  const run = () =>
    simulation.run({ kind: "plain", names: ["complete", "delete"] }, (enabled) => enabled.at(-1)!);
  expect(await run()).toEqual(await run());
});

test("a schedule that breaks a promise is told with its steps", async () => {
  const afterOneStep = () => {
    throw new RaceFound(
      { kind: "plain", names: ["admit", "hold"] },
      ["not true"],
      [{ actor: "B", label: "select" }],
    );
  };
  await expect(simulation.run({ kind: "plain", names: ["admit", "hold"] }, afterOneStep)).rejects.toThrow(
    'not true\nSCHEDULE="plain, admit, hold, B"\n   1 B select',
  );
  // The calls have ended, and the next schedule starts from the begin.
  await expect(
    exploreMeeting(simulation, { kind: "plain", names: ["hold"] }, { preemptions: 0 }),
  ).resolves.toMatchObject({ schedules: 1, race: null });
});
