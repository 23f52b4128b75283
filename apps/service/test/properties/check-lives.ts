import fc from "fast-check";
import { expect, inject } from "vitest";
import { openDatabase } from "#db/client.js";
import { createBatchedAdmit } from "#files/upload/admit-uploads.js";
import { createBatchedMarkStored } from "#files/settle/mark-stored.js";
import { aWorkerOutage } from "../fixtures/a-worker-outage.js";
import { aWorld } from "../fixtures/a-world.js";
import { History } from "./history.js";
import { partsSteps, REPLICAS, steps } from "./operations.js";

/**
 * Checks random sequences of actions by customers, browsers, storage and operators, and of crashes, on real PostgreSQL and
 * real storage. Counters must be exact after each step, quotas must hold, and storage must agree at the end. A failure prints
 * its seed and the shortest sequence that still fails.
 */
export async function expectExactHistories({
  sequences,
  seed,
  killsWorker = false,
  areByParts = false,
}: {
  sequences: number;
  seed: number;
  /** Kills a worker of the Citus cluster once in each sequence. @default false */
  killsWorker?: boolean;
  /** Most files are sent in parts. @default false */
  areByParts?: boolean;
}): Promise<void> {
  const world = await aWorld();
  const batching = { timeoutMs: 10_000, isCitus: () => inject("citus") !== null };
  const replicas = Array.from({ length: REPLICAS }, () => {
    const db = openDatabase({ url: world.databaseUrl, poolSize: 3, timeoutMs: 10_000 });
    return {
      ...world.deps,
      db,
      uploadSessionDays: 1,
      admit: createBatchedAdmit(db, batching),
      markStored: createBatchedMarkStored({ db, clock: world.deps.clock }, batching),
    };
  });
  try {
    const bucket = inject("servers").S3_BUCKET;
    const outage = killsWorker ? aWorkerOutage(world.databaseUrl) : null;
    const property = fc.asyncProperty(areByParts ? partsSteps : steps, (sequence) =>
      new History(world, replicas, bucket, outage).run(sequence),
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
  }
}
