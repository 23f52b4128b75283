import { describe, test } from "vitest";
import { expectTrueHistories } from "./check-visibility.js";

/*
 * The seeds are fixed, so every run tests the same histories. The nightly test runs many more, with random seeds. These seeds find the
 * planted errors of docs/public-files.md: after a change of the steps, plant them again.
 */
const RUNS = 24;
const SEEDS = [7000, 7001];

describe(
  "random histories of public files and their variants",
  { concurrent: true, timeout: 900_000 },
  () => {
    test.each(SEEDS)(
      `no stranger reads what is private or deleted, and everyone reads what is public, over ${RUNS} histories, seed %i`,
      (seed) => expectTrueHistories({ runs: RUNS, seed }),
    );
  },
);
