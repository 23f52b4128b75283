import { test } from "vitest";
import { expectNoFailure } from "./attack.js";

/*
 * The seed is fixed, so every run sends the same cases. The nightly test and `pnpm fuzz` send many more, with random seeds.
 */
test("no input makes an interface fail, hang or leak", { timeout: 900_000 }, () =>
  expectNoFailure({ cases: 3000, seed: 20261123 }),
);
