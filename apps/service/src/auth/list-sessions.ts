import { and, desc, eq, gt, isNull, or } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { operatorSessions } from "#db/schema/index.js";
import type { SessionCaller } from "./end-sessions.js";

/** A session of an operator, without its token. Its id is random too, and allows nothing but to end the session. */
export interface SessionSummary {
  sessionId: string;
  /** When the operator signed in, or turned on two-step sign-in. */
  createdAt: string;
  /** At most five minutes before the session's last request. */
  lastUsedAt: string;
  /** Where the operator signed in from. */
  ipAddress: string;
  userAgent: string;
  /** True for the session that makes this call. */
  isCurrent: boolean;
}

const MAX_LISTED = 50;

/** Lists the caller's sessions, the last used first, at most 50. @throws {StowageError} `unavailable` */
export async function listSessions(
  deps: { db: Queries; clock: () => Date },
  { operator, sessionId }: Pick<SessionCaller, "operator" | "sessionId">,
): Promise<SessionSummary[]> {
  const rows = await deps.db.run((db) =>
    db
      .select({
        sessionId: operatorSessions.id,
        createdAt: operatorSessions.createdAt,
        lastUsedAt: operatorSessions.updatedAt,
        ipAddress: operatorSessions.ipAddress,
        userAgent: operatorSessions.userAgent,
      })
      .from(operatorSessions)
      .where(and(eq(operatorSessions.operatorId, operator.id), isOpen(deps.clock())))
      .orderBy(desc(operatorSessions.updatedAt), desc(operatorSessions.id))
      .limit(MAX_LISTED),
  );
  return rows.map((row) => ({
    sessionId: row.sessionId,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    ipAddress: row.ipAddress ?? "",
    userAgent: row.userAgent ?? "",
    isCurrent: row.sessionId === sessionId,
  }));
}

/** Tells whether a session has neither ended nor expired. @throws {StowageError} `unavailable` */
export async function isSessionActive(
  deps: { db: Queries; clock: () => Date },
  sessionId: string,
): Promise<boolean> {
  const [row] = await deps.db.run((db) =>
    db
      .select({ id: operatorSessions.id })
      .from(operatorSessions)
      .where(and(eq(operatorSessions.id, sessionId), isOpen(deps.clock()))),
  );
  return row !== undefined;
}

function isOpen(now: Date) {
  const { expiresAt, endsAt } = operatorSessions;
  return and(gt(expiresAt, now), or(isNull(endsAt), gt(endsAt, now)));
}
