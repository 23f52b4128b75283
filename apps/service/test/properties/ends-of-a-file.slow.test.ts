import { describe, test } from "vitest";
import { expectExactHistories } from "./check-lives.js";

/*
 * The seeds are fixed, so every run tests the same sequences. The nightly test runs many more, with random seeds.
 */
const SEQUENCES = 20;
const SEEDS = [20261127, 20261128];

describe("random histories of expiry, trash, hold and scans", { concurrent: true, timeout: 900_000 }, () => {
  test.each(SEEDS)(
    `counters and quotas stay exact, and no file is downloaded or lost against its state, over ${SEQUENCES} sequences, seed %i`,
    (seed) => expectExactHistories({ sequences: SEQUENCES, seed, of: "lifecycle" }),
  );
});
