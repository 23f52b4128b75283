import { test } from "vitest";
import { expectNoFailure } from "@stowage/service/test/fuzz/attack.js";

/*
 * Every run uses another seed. SEED=… repeats a failed run, CASES=… sets the number of cases.
 */
const CASES = Number(process.env["CASES"] || 100_000);
const SEED = Number(process.env["SEED"] || Date.now() % 1_000_000_000);

test(`no input makes an interface fail, hang or leak: ${CASES} cases, seed ${SEED}`, () =>
  expectNoFailure({ cases: CASES, seed: SEED }));
