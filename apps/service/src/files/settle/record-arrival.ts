import type { Queries } from "#db/client.js";
import { batchCalls } from "#lib/batch-calls.js";
import { type Arrival, recordArrivals } from "./record-arrivals.js";

/**
 * Records and counts what came for a pending file, unless somebody has changed the file since it was seen.
 *
 * @returns whether it was recorded
 * @throws {StowageError} `unavailable`
 */
export type RecordArrival = (arrival: Arrival) => Promise<boolean>;

/** As admit.ts has it, and for the same reasons. */
const STATEMENTS_AT_ONCE = 2;
const ARRIVALS_AT_ONCE = 100;
const LONGEST_LINE = 2000;

/** Arrivals that come while others are being recorded share one SQL statement, and its commit, with each other. */
export function recordTogether(
  deps: { db: Queries; clock: () => Date },
  { patienceMs }: { patienceMs: number },
): RecordArrival {
  return batchCalls((arrivals: Arrival[]) => recordArrivals(deps, arrivals), {
    callsAtOnce: STATEMENTS_AT_ONCE,
    inputsAtOnce: ARRIVALS_AT_ONCE,
    longestLine: LONGEST_LINE,
    patienceMs,
  });
}
