import { StowageError } from "@stowage/schemas";
import { eq, lte, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { passwordBudgets } from "#db/schema/index.js";
import { addMs, MINUTE_MS, SECOND_MS } from "#lib/time.js";

/** Wrong passwords that may follow each other without a pause. Enough for typing errors. */
const TRIES = 10;
/**
 * Then one try comes back in each interval. With that of an operator at most 70 wrong passwords in the first hour, and 60 in each later
 * one.
 */
const TRY_BACK_MS = MINUTE_MS;
/** How long it takes until all tries but one are back. */
const burstMs = (tryBackMs: number) => (TRIES - 1) * tryBackMs;

interface BudgetDeps {
  db: Queries;
  clock: () => Date;
}

/**
 * Limits wrong passwords by a token bucket in PostgreSQL, so that all replicas count together (docs/decisions/0025). A try is taken
 * before the password is checked, so concurrent guesses cannot exceed the budget. It is given back if the password was not wrong.
 *
 * @param bucket the row of the budget, see auth/budget-of-call.ts
 * @param work checks the password
 * @param isWrongPassword tells whether an error of `work` means that the password was wrong
 * @param tryBackMs how soon one try comes back. @default one minute
 * @throws {StowageError} `too_many_requests` with the time until the next try, without calling `work`; `unavailable`
 * @throws any error of `work`
 */
export async function withPasswordBudget<T>(
  deps: BudgetDeps,
  bucket: number,
  work: () => Promise<T>,
  isWrongPassword: (error: unknown) => boolean,
  tryBackMs = TRY_BACK_MS,
): Promise<T> {
  await takeTry(deps, bucket, tryBackMs);
  let isWrong = false;
  try {
    return await work();
  } catch (error) {
    isWrong = isWrongPassword(error);
    throw error;
  } finally {
    // A try that is not given back comes back by itself, so this error must not hide the result.
    if (!isWrong) await giveBack(deps, bucket, tryBackMs).catch(() => undefined);
  }
}

/** One statement: the row's lock orders the calls of all replicas. */
async function takeTry({ db, clock }: BudgetDeps, bucket: number, tryBackMs: number): Promise<void> {
  const now = clock();
  const { fullAt } = passwordBudgets;
  const start = sql`greatest(${fullAt}, ${now.toISOString()}::timestamptz)`;
  const interval = sql`${tryBackMs} * interval '1 millisecond'`;
  const taken = await db.run((drizzle) =>
    drizzle
      .insert(passwordBudgets)
      .values({ bucket, fullAt: addMs(now, tryBackMs) })
      .onConflictDoUpdate({
        target: passwordBudgets.bucket,
        set: { fullAt: sql`${start} + ${interval}` },
        setWhere: lte(fullAt, addMs(now, burstMs(tryBackMs))),
      })
      .returning({ bucket: passwordBudgets.bucket }),
  );
  if (taken.length > 0) return;
  const [row] = await db.run((drizzle) =>
    drizzle.select({ fullAt }).from(passwordBudgets).where(eq(passwordBudgets.bucket, bucket)),
  );
  const waitMs = (row?.fullAt.getTime() ?? now.getTime()) - burstMs(tryBackMs) - now.getTime();
  throw new StowageError("too_many_requests", {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / SECOND_MS)),
  });
}

async function giveBack({ db }: BudgetDeps, bucket: number, tryBackMs: number): Promise<void> {
  const interval = sql`${tryBackMs} * interval '1 millisecond'`;
  await db.run((drizzle) =>
    drizzle
      .update(passwordBudgets)
      .set({ fullAt: sql`${passwordBudgets.fullAt} - ${interval}` })
      .where(eq(passwordBudgets.bucket, bucket)),
  );
}
