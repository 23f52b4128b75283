import { describe, test } from "vitest";
import { expectTrueHistories } from "@stowage/service/test/properties/check-visibility.js";

/*
 * Every run uses another seed. SEED=… repeats a failed run, SEQUENCES=… sets the number of histories of each seed.
 */
const SEQUENCES = Number(process.env["SEQUENCES"] || 500);
const SEED = Number(process.env["SEED"] || Date.now() % 1_000_000_000);
const SEED_OFFSETS = [0, 1, 2, 3];

describe("random histories of public files and their variants", { concurrent: true }, () => {
  test.each(SEED_OFFSETS.map((offset) => SEED + offset))(
    `no stranger reads what is private or deleted, and everyone reads what is public, over ${SEQUENCES} histories, seed %i`,
    (seed) => expectTrueHistories({ runs: SEQUENCES, seed }),
  );
});
