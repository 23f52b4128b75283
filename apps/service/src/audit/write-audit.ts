import type { AuditAction } from "@stowage/schemas/dashboard";
import type { Transaction } from "#db/client.js";
import { auditLog } from "#db/schema/index.js";
import type { Caller } from "./caller.js";

export interface AuditEntry {
  action: AuditAction;
  /** Null for what belongs to no project. */
  projectId: number | null;
  /** What was changed to what. Never a key, a token or a password. */
  details?: Record<string, string | number | boolean | null>;
}

/** Who did it, from where and when. */
export interface Doer extends Pick<Caller, "from"> {
  /** Without an id where nobody has the address. */
  operator: { id: string | null; email: string };
  at: Date;
}

const USER_AGENT_LENGTH = 500;

/** Adds a line to the audit log, in the transaction of the act that it tells of: there is no act without its line. */
export async function writeAudit(
  tx: Transaction,
  { operator, from, at }: Doer,
  entry: AuditEntry,
): Promise<void> {
  await tx.insert(auditLog).values({
    projectId: entry.projectId,
    operatorId: operator.id,
    operatorEmail: operator.email,
    action: entry.action,
    details: entry.details ?? {},
    ipAddress: from.ipAddress,
    userAgent: from.userAgent.slice(0, USER_AGENT_LENGTH),
    at,
  });
}
