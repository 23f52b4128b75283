import { describe, test } from "vitest";
import { expectExactLives } from "./check-lives.js";

/*
 * Every run draws another seed. SEED=… repeats a failed run, SEQUENCES=… sets the number of sequences.
 */
const SEQUENCES = Number(process.env["SEQUENCES"] || 1000);
const SEED = Number(process.env["SEED"] || Date.now() % 1_000_000_000);
const LANES = [0, 1, 2, 3];

describe("random lives of files", { concurrent: true }, () => {
  test.each(LANES.map((lane) => SEED + lane))(
    `counters, quotas and storage stay exact over ${SEQUENCES} sequences, seed %i`,
    (seed) => expectExactLives({ sequences: SEQUENCES, seed }),
  );
});
