import { describe, test } from "vitest";
import { expectExactHistories } from "./check-lives.js";

/*
 * The seeds are fixed, so every run tests the same sequences. The nightly test runs many more, with random seeds.
 */
const SEQUENCES = 60;
const SEEDS = [20261121, 20261122, 20261123, 20261124];

describe("random histories of files", { concurrent: true, timeout: 900_000 }, () => {
  test.each(SEEDS)(`counters, quotas and storage stay exact over ${SEQUENCES} sequences, seed %i`, (seed) =>
    expectExactHistories({ sequences: SEQUENCES, seed }),
  );
});
