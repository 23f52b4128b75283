import type { AuditListInput } from "@stowage/schemas/dashboard";
import { and, desc, eq, lt, type SQL } from "drizzle-orm";
import { readCursor, writeCursor } from "#lib/cursor.js";
import type { Queries } from "#db/client.js";
import { auditLog } from "#db/schema/index.js";

export interface AuditLine {
  id: number;
  at: string;
  /** `AuditAction`, or one of a newer version of the service. */
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
 * What was done, newest first: in a project, or by an operator wherever it was.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listAudit(
  deps: { db: Queries },
  of: { projectId: number } | { operatorId: string },
  query: AuditListInput,
): Promise<AuditPage> {
  const isOf: SQL =
    "projectId" in of ? eq(auditLog.projectId, of.projectId) : eq(auditLog.operatorId, of.operatorId);
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
      .where(and(isOf, lastId === undefined ? undefined : lt(auditLog.id, lastId)))
      .orderBy(desc(auditLog.id))
      .limit(query.limit + 1),
  );
  const lines = rows.slice(0, query.limit).map((row) => ({ ...row, at: row.at.toISOString() }));
  const last = rows.length > query.limit ? lines.at(-1) : undefined;
  return { lines, nextCursor: last ? writeCursor("audit", [last.id]) : null };
}
