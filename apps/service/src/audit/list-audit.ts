import type { AuditListInput } from "@stowage/schemas/dashboard";
import { and, desc, eq, lt } from "drizzle-orm";
import { readCursor, writeCursor } from "#lib/cursor.js";
import type { Queries } from "#db/client.js";
import { auditLog } from "#db/schema/index.js";

/** One entry of the audit log. */
export interface AuditLine {
  id: number;
  at: string;
  /** An `AuditAction`, or an action that a newer version of the service wrote. */
  action: string;
  operatorEmail: string;
  details: Record<string, string | number | boolean | null>;
  ipAddress: string;
  userAgent: string;
}

export interface AuditPage {
  lines: AuditLine[];
  nextCursor: string | null;
}

/**
 * Lists the audit entries of one project, or of one operator in all projects, newest first.
 *
 * @throws {StowageError} `invalid_request` if the cursor is not from this list; `unavailable`
 */
export async function listAudit(
  deps: { db: Queries },
  scope: { projectId: number } | { operatorId: string },
  query: AuditListInput,
): Promise<AuditPage> {
  const isInScope =
    "projectId" in scope
      ? eq(auditLog.projectId, scope.projectId)
      : eq(auditLog.operatorId, scope.operatorId);
  const [lastId] = query.cursor === undefined ? [] : readCursor("audit", ["number"], query.cursor);
  const rows = await deps.db.run((db) =>
    db
      .select({
        id: auditLog.id,
        at: auditLog.at,
        action: auditLog.action,
        operatorEmail: auditLog.operatorEmail,
        details: auditLog.details,
        ipAddress: auditLog.ipAddress,
        userAgent: auditLog.userAgent,
      })
      .from(auditLog)
      .where(and(isInScope, lastId === undefined ? undefined : lt(auditLog.id, lastId)))
      .orderBy(desc(auditLog.id))
      .limit(query.limit + 1),
  );
  const lines = rows.slice(0, query.limit).map((row) => ({ ...row, at: row.at.toISOString() }));
  const last = rows.length > query.limit ? lines.at(-1) : undefined;
  return { lines, nextCursor: last ? writeCursor("audit", [last.id]) : null };
}
