import { describe, test } from "vitest";
import { expectExactHistories } from "@stowage/service/test/properties/check-lives.js";

/*
 * Every run uses another seed. SEED=… repeats a failed run, SEQUENCES=… sets the number of sequences.
 */
const SEQUENCES = Number(process.env["SEQUENCES"] || 500);
const SEED = Number(process.env["SEED"] || Date.now() % 1_000_000_000);
const SEED_OFFSETS = [0, 1, 2, 3];

describe("random histories of expiry, trash, hold and scans", { concurrent: true }, () => {
  test.each(SEED_OFFSETS.map((offset) => SEED + offset))(
    `counters and quotas stay exact, and no file is downloaded or lost against its state, over ${SEQUENCES} sequences, seed %i`,
    (seed) => expectExactHistories({ sequences: SEQUENCES, seed, of: "lifecycle" }),
  );
});
