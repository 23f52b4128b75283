import { test } from "vitest";
import { expectExactAfterKills, type Kill } from "./killed-import.js";

/** Batches have 256 objects, so each of the first runs is killed within the batch that follows. */
const OBJECTS = 1500;
const KILLS: Kill[] = [
  { afterLines: 0, delayMs: 900 },
  { afterLines: 1, delayMs: 0 },
  { afterLines: 1, delayMs: 20 },
  { afterLines: 1, delayMs: 60 },
  { afterLines: 1, delayMs: 150 },
];

test("an import that is killed five times gives each object exactly one file", async () => {
  await expectExactAfterKills(OBJECTS, KILLS);
}, 600_000);
