import { describe, test } from "vitest";
import { expectTrueHistories } from "./check-visibility.js";

/*
 * The seeds are fixed, so every run tests the same histories. The nightly test runs many more, with random seeds. After a change of the
 * steps of a move, plant these errors again. These seeds find them, the nightly test (`SEED=7000 SEQUENCES=150`) those with a star:
 *
 * - A claim does not set `has_other_copy`, or an arrival clears it before the old copy is removed.
 * - A move to the private bucket ends before the public copy is removed, or before the variants are taken back (*).
 * - A move to the public bucket ends before the private copy is removed (*).
 * - A deleted, private or trashed file keeps the public copies of its variants. A delete does not mark the variants.
 * - A file in the trash stays published.
 * - `begun` is not written before the copy, or is ignored when variants are taken back or removed.
 * - Variants are taken back for good, although a copy may still land, or forget the copies that had no answer (*).
 * - The CDN is not purged (*).
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
