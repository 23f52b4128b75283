import { test } from "vitest";
import { expectExactAfterKills } from "@stowage/service/test/import/killed-import.js";

const OBJECTS = Number(process.env["OBJECTS"] ?? 100_000);
const RUNS = 10;
/** Of 256 objects. */
const BATCHES_PER_RUN = Math.floor(OBJECTS / 256 / (RUNS + 1));

test("an import of 100,000 objects (or OBJECTS=) that is killed ten times gives each object exactly one file", async () => {
  const kills = Array.from({ length: RUNS }, (_, index) => ({
    afterLines: BATCHES_PER_RUN,
    // At another moment of the batch that follows.
    delayMs: index * 40,
  }));
  await expectExactAfterKills(OBJECTS, kills);
}, 10_800_000);
