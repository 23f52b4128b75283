import fc from "fast-check";
import { expect, inject } from "vitest";
import { openDatabase } from "#db/client.js";
import { createBatchedAdmit } from "#files/upload/admit-uploads.js";
import { createBatchedMarkStored } from "#files/settle/mark-stored.js";
import { aWorkerOutage } from "../fixtures/a-worker-outage.js";
import { aWorld } from "../fixtures/a-world.js";
import { partsSteps, steps } from "./arbitraries.js";
import { History } from "./history.js";
import { lifecycleSettings, lifecycleSteps } from "./lifecycle-arbitraries.js";
import { SESSION_DAYS } from "./model.js";
import { type LifecycleSettings, REPLICAS } from "./operations.js";
import { aScanner } from "./verdicts.js";

const STEPS = { puts: steps, parts: partsSteps, lifecycle: lifecycleSteps };
const DEFAULT_SETTINGS: fc.Arbitrary<LifecycleSettings> = fc.record({
  allowOverQuota: fc.boolean(),
  trashDays: fc.constant(0),
  scan: fc.constant("off"),
  allowUnscannable: fc.constant(false),
});

/**
 * Checks random sequences of actions by customers, browsers, storage and operators, and of crashes, on real PostgreSQL and
 * real storage. Counters must be exact after each step, quotas must hold, and storage must agree at the end. A failure prints
 * its seed and the shortest sequence that still fails.
 */
export async function expectExactHistories({
  sequences,
  seed,
  killsWorker = false,
  of = "puts",
}: {
  sequences: number;
  seed: number;
  /** Kills a worker of the Citus cluster once in each sequence. @default false */
  killsWorker?: boolean;
  /** What most operations are about: single PUTs, uploads by parts, or the ends, holds and scans of files. @default "puts" */
  of?: keyof typeof STEPS;
}): Promise<void> {
  const world = await aWorld();
  // A busy machine may take longer for a step than the files have time.
  world.stopClock();
  const scanner = await aScanner();
  const batching = { isSeparate: () => inject("citus") !== null };
  const replicas = Array.from({ length: REPLICAS }, () => {
    const db = openDatabase({ url: world.databaseUrl, poolSize: 3, timeoutMs: 60_000 });
    return {
      ...world.deps,
      db,
      uploadSessionDays: SESSION_DAYS,
      admit: createBatchedAdmit(db, batching),
      markStored: createBatchedMarkStored({ ...world.deps, db }, batching),
    };
  });
  try {
    const bucket = inject("servers").S3_BUCKET;
    const outage = killsWorker ? aWorkerOutage(world.databaseUrl) : null;
    const settings = of === "lifecycle" ? lifecycleSettings : DEFAULT_SETTINGS;
    let hasFailed = false;
    const property = fc.asyncProperty(STEPS[of], fc.tuple(settings, settings), (sequence, ofProjects) =>
      new History({ world, replicas, bucket, scanner, outage }).run(sequence, ofProjects).catch((error) => {
        // The search for a shorter sequence may take longer than the test has, so this may be all that is seen of the failure.
        if (!hasFailed) console.error(`seed ${seed} failed, now a shorter sequence is searched:`, error);
        hasFailed = true;
        throw error;
      }),
    );
    const result = await fc.check(property, {
      seed,
      numRuns: sequences,
      includeErrorInReport: true,
      // Each attempt at a shorter sequence would kill the worker once more.
      endOnFailure: killsWorker,
    });
    expect(fc.defaultReportMessage(result) ?? "no counterexample").toBe("no counterexample");
  } finally {
    await Promise.all(replicas.map(({ db }) => db.close()));
    await world.close();
    scanner.close();
  }
}
