import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { plant } from "./plant.js";
import { plantedRaces } from "./planted-races.js";

test.each(plantedRaces)("the code has one place for the planted race: $name", (planted) => {
  const code = readFileSync(new URL(`../../src/${planted.file}`, import.meta.url), "utf8");
  expect(plant(code, planted)).not.toBe(code);
});
