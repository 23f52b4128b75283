import { test } from "vitest";
import { expectExactHistories } from "@stowage/service/test/properties/check-lives.js";

const SEQUENCES = Number(process.env["SEQUENCES"] || 25);
const SEED = Number(process.env["SEED"] || Date.now() % 1_000_000_000);

test.each(["puts", "parts", "lifecycle"] as const)(
  `counters, quotas and storage stay exact over ${SEQUENCES} sequences of %s in which a worker is killed, seed ${SEED}`,
  (of) => expectExactHistories({ sequences: SEQUENCES, seed: SEED, of, killsWorker: true }),
);
