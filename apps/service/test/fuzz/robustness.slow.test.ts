import { test } from "vitest";
import { expectNoFailure } from "./attack.js";

/*
 * The seed is fixed, so every run sends the same cases. `pnpm lab fuzz` sends many more, with random seeds.
 */
test("no input makes an interface fail, hang or leak", { timeout: 900_000 }, () =>
  expectNoFailure({ cases: 3000, seed: 20261123 }),
);
