import { describe, test } from "vitest";
import { expectExactHistories } from "./check-lives.js";

/*
 * The seeds are fixed, so every run tests the same sequences. The nightly test runs many more, with random seeds.
 */
const SEQUENCES = 20;
const SEEDS = [20261125, 20261126];

describe("random histories of uploads by parts", { concurrent: true, timeout: 900_000 }, () => {
  test.each(SEEDS)(`counters, quotas and storage stay exact over ${SEQUENCES} sequences, seed %i`, (seed) =>
    expectExactHistories({ sequences: SEQUENCES, seed, of: "parts" }),
  );
});
