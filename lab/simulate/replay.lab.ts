import { repeatSchedule } from "@stowage/service/test/simulation/explore-verbs.js";
import { aSimulation } from "@stowage/service/test/simulation/simulate.js";
import { expect, test } from "vitest";

test("repeats a schedule", async () => {
  const simulation = await aSimulation();
  try {
    const steps = await repeatSchedule(simulation, process.env["SCHEDULE"] ?? "");
    console.log(steps);
    expect(steps).not.toBe("");
  } finally {
    await simulation.close();
  }
});
