import { StowageError } from "@stowage/schemas";
import { and, eq } from "drizzle-orm";
import { type Caller, commandLineClient } from "#audit/caller.js";
import { auditedTransaction, writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries } from "#db/client.js";
import { operators, operatorSessions } from "#db/schema/index.js";
import { deleteSessions } from "./delete-sessions.js";
import { lockOperatorByEmail } from "./operators.js";

/** An operator who makes a call, and the session of the call. */
export interface SessionCaller extends Caller {
  sessionId: string;
}

/**
 * Ends one of the caller's sessions. Does nothing if the caller has no such session.
 *
 * @throws {StowageError} `unavailable`
 */
export function endSession(
  deps: { db: Queries; clock: () => Date },
  caller: Caller,
  { sessionId }: { sessionId: string },
): Promise<void> {
  return auditedTransaction(deps, caller, async (_, tx) => {
    const [ended] = await tx
      .delete(operatorSessions)
      .where(and(eq(operatorSessions.operatorId, caller.operator.id), eq(operatorSessions.id, sessionId)))
      .returning({ ipAddress: operatorSessions.ipAddress, userAgent: operatorSessions.userAgent });
    return {
      result: undefined,
      entry: ended ? { action: "operator.session_ended", projectId: null, details: ended } : null,
    };
  });
}

/** Ends all sessions of the caller except the one that makes the call. @throws {StowageError} `unavailable` */
export function endOtherSessions(
  deps: { db: Queries; clock: () => Date },
  caller: SessionCaller,
): Promise<{ count: number }> {
  return auditedTransaction(deps, caller, async (_, tx) => {
    const count = await deleteSessions(tx, caller.operator.id, { except: caller.sessionId });
    return {
      result: { count },
      entry: count > 0 ? { action: "operator.sessions_ended", projectId: null, details: { count } } : null,
    };
  });
}

/**
 * Ends all sessions of an operator, for the administrators. The session that makes the call stays.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export function endSessionsAsAdmin(
  deps: { db: Queries; clock: () => Date },
  caller: SessionCaller,
  { operatorId }: { operatorId: string },
): Promise<{ count: number }> {
  return auditedTransaction(deps, caller, async (_, tx) => {
    const [operator] = await tx
      .select({ email: operators.email })
      .from(operators)
      .where(eq(operators.id, operatorId));
    if (!operator) throw new StowageError("not_found", { detail: "Operator not found" });
    const count = await deleteSessions(tx, operatorId, { except: caller.sessionId });
    const details = { email: operator.email, count };
    return { result: { count }, entry: { action: "operator.sessions_ended", projectId: null, details } };
  });
}

/**
 * Ends the sessions of all operators, for the command line. Each operator with sessions gets an audit entry.
 *
 * @throws {StowageError} `unavailable`
 */
export async function endAllSessions(deps: { db: Queries; clock: () => Date }): Promise<{ count: number }> {
  const signedIn = await deps.db.run((db) =>
    db
      .selectDistinct({ email: operators.email })
      .from(operators)
      .innerJoin(operatorSessions, eq(operatorSessions.operatorId, operators.id)),
  );
  let count = 0;
  for (const { email } of signedIn) count += (await endSessionsOfOperator(deps, email)).count;
  return { count };
}

/**
 * Ends all sessions of an operator, for the command line.
 *
 * @param email in upper or lower case
 * @throws {StowageError} `not_found` if no operator has this e-mail address; `unavailable`
 */
export function endSessionsOfOperator(
  deps: { db: Queries; clock: () => Date },
  email: string,
): Promise<{ email: string; count: number }> {
  return inTransaction(deps.db, async (_, tx) => {
    const operator = await lockOperatorByEmail(tx, email);
    const count = await deleteSessions(tx, operator.id);
    await writeAudit(
      tx,
      { operator, client: commandLineClient, at: deps.clock() },
      { projectId: null, action: "operator.sessions_ended", details: { count } },
    );
    return { email: operator.email, count };
  });
}
