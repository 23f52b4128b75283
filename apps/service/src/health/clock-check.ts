import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { MINUTE_MS, SECOND_MS } from "#lib/time.js";

/** Storage refuses signatures of a clock that is 15 minutes off. */
const MAX_OFFSET_MS = 5 * MINUTE_MS;
/** The database is asked again after this time. */
const VALID_MS = MINUTE_MS;
/** If the clock and `performance.now()`, which cannot be set, have moved apart by more than this, an operator or NTP has set the clock. */
const JUMP_MS = SECOND_MS;

/** Compares this machine's clock with the database's. All replicas share that one. */
export interface ClockCheck {
  /**
   * @returns in words how far the clock is from the database's; null up to five minutes
   * @throws {StowageError} `unavailable`
   */
  findProblem(): Promise<string | null>;
  /**
   * Call it before a job that ends, deletes or claims files by the time of this machine's clock.
   *
   * @throws {StowageError} `unavailable`, also if the clock is more than five minutes off
   */
  requireRightClock(): Promise<void>;
}

/** The database is asked once a minute, after each problem, and as soon as the clock was set. */
export function createClockCheck({ db, clock }: { db: Queries; clock: () => Date }): ClockCheck {
  let agreed: { wall: number; steady: number } | undefined;
  let asking: Promise<string | null> | undefined;

  const isStillRight = () => {
    if (!agreed) return false;
    const steadyMs = performance.now() - agreed.steady;
    const jumpMs = Math.abs(clock().getTime() - agreed.wall - steadyMs);
    return steadyMs < VALID_MS && jumpMs < JUMP_MS;
  };
  const ask = async () => {
    const problem = await compareWithDatabase(db, clock);
    agreed = problem === null ? { wall: clock().getTime(), steady: performance.now() } : undefined;
    return problem;
  };
  const findProblem = async () => {
    if (isStillRight()) return null;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    findProblem,
    requireRightClock: async () => {
      const problem = await findProblem();
      if (problem !== null)
        throw new StowageError("unavailable", { detail: `Nothing is done at a wrong time: ${problem}` });
    },
  };
}

async function compareWithDatabase(db: Queries, clock: () => Date): Promise<string | null> {
  const before = clock().getTime();
  const [row] = await db.execute<{ now: number }>(READ_TIME, []);
  const now = Number(row!.now);
  // The answer may take long, so the database's time only has to lie between them.
  const aheadMs = before - now;
  const behindMs = now - clock().getTime();
  const offsetMs = Math.max(aheadMs, behindMs);
  if (offsetMs <= MAX_OFFSET_MS) return null;
  return `the clock of this machine is ${Math.round(offsetMs / MINUTE_MS)} minutes ${aheadMs > behindMs ? "ahead of" : "behind"} the database's`;
}

const READ_TIME = `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
