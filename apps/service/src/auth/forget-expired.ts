import { and, lt, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import {
  auditLog,
  invitations,
  operatorSessions,
  operatorVerifications,
  passwordResets,
} from "#db/schema/index.js";

const REFUSALS_KEPT_MS = 90 * 24 * 3600 * 1000;

/**
 * Takes away sessions, half sign-ins and links that have ended. None of them opens anything by then; they would only pile up.
 * So would refused sign-ins, the one line of the audit log that anybody can have written: they are kept for 90 days.
 *
 * @throws {StowageError} `unavailable`
 */
export async function forgetExpired(deps: { db: Queries; clock: () => Date }): Promise<void> {
  const now = deps.clock();
  for (const table of [operatorSessions, operatorVerifications, invitations, passwordResets]) {
    await deps.db.run((db) => db.delete(table).where(lt(table.expiresAt, now)));
  }
  const isOld = lt(auditLog.at, new Date(now.getTime() - REFUSALS_KEPT_MS));
  // Written out, as in the index: PostgreSQL takes it only for what it can see to be the same.
  const isRefusal = sql`${auditLog.action} = 'operator.sign_in_refused'`;
  await deps.db.run((db) => db.delete(auditLog).where(and(isRefusal, isOld)));
}
