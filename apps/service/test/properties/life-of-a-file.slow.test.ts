import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openDatabase } from "#db/client.js";
import { admitTogether } from "#files/upload/admit.js";
import { recordTogether } from "#files/settle/record-arrival.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { History } from "./history.js";
import { REPLICAS, steps } from "./operations.js";

/*
 * Random sequences of what customers, browsers, storage, operators and crashes do, on real PostgreSQL and real storage. A
 * failure prints its seed and the shortest sequence that still fails; SEED=… runs that one again.
 */
const SEQUENCES = Number(process.env["SEQUENCES"] || 500);
const SEED = Number(process.env["SEED"] || 20261121);
const LANES = 4;

describe.each(Array.from({ length: LANES }, (_, lane) => ({ lane, seed: SEED + lane })))(
  `${SEQUENCES} random lives of files, seed $seed:`,
  { concurrent: true },
  ({ seed }) => {
    let world: World;
    let replicas: World["deps"][];
    beforeAll(async () => {
      world = await aWorld();
      replicas = Array.from({ length: REPLICAS }, () => {
        const db = openDatabase({ url: world.databaseUrl, poolSize: 3, timeoutMs: 10_000 });
        return {
          ...world.deps,
          db,
          admit: admitTogether(db, { patienceMs: 10_000 }),
          recordArrival: recordTogether({ db, clock: world.deps.clock }, { patienceMs: 10_000 }),
        };
      });
    });
    afterAll(async () => {
      await Promise.all(replicas.map(({ db }) => db.close()));
      await world.close();
    });

    test("counters are exact after each step, quotas hold, and storage agrees in the end", async () => {
      const bucket = inject("servers").S3_BUCKET;
      const property = fc.asyncProperty(steps, (sequence) =>
        new History(world, replicas, bucket).run(sequence),
      );
      const result = await fc.check(property, { seed, numRuns: SEQUENCES, includeErrorInReport: true });
      expect(fc.defaultReportMessage(result) ?? "no counterexample").toBe("no counterexample");
    }, 1_200_000);
  },
);
