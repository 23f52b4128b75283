import { and, lt, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { IS_REFUSED_SIGN_IN } from "#db/schema/conditions.js";
import {
  auditLog,
  invitations,
  operatorSessions,
  operatorVerifications,
  passwordBudgets,
  passwordResets,
} from "#db/schema/index.js";
import { addMs, DAY_MS } from "#lib/time.js";

const REFUSED_SIGN_INS_KEPT_MS = 90 * DAY_MS;

/**
 * Deletes expired sessions, unfinished sign-ins, invitations, reset links and full password budgets, and the audit entries of
 * refused sign-ins after 90 days. Any caller can cause such entries, so they must not pile up. All other audit entries are kept forever.
 *
 * @throws {StowageError} `unavailable`
 */
export async function deleteExpired(deps: { db: Queries; clock: () => Date }): Promise<void> {
  const now = deps.clock();
  for (const table of [operatorSessions, operatorVerifications, invitations, passwordResets]) {
    await deps.db.run((db) => db.delete(table).where(lt(table.expiresAt, now)));
  }
  await deps.db.run((db) => db.delete(operatorSessions).where(lt(operatorSessions.endsAt, now)));
  await deps.db.run((db) => db.delete(passwordBudgets).where(lt(passwordBudgets.fullAt, now)));
  const isOld = lt(auditLog.at, addMs(now, -REFUSED_SIGN_INS_KEPT_MS));
  await deps.db.run((db) => db.delete(auditLog).where(and(sql.raw(IS_REFUSED_SIGN_IN), isOld)));
}
