import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { IS_REFUSED_SIGN_IN } from "./conditions.js";

/**
 * The actions of operators. There are no foreign keys, because an entry outlives its project and its operator.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** Null for an action outside of any project, such as a sign-in. */
    projectId: bigint("project_id", { mode: "number" }),
    operatorId: text("operator_id"),
    /** The address at the time of the action. */
    operatorEmail: text("operator_email").notNull(),
    action: text("action").notNull(),
    /** Must not contain a key, a token or a password. */
    details: jsonb("details").$type<Record<string, string | number | boolean | null>>().notNull().default({}),
    ipAddress: text("ip_address").notNull(),
    userAgent: text("user_agent").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("audit_log_of_project").on(table.projectId, table.at, table.id),
    index("audit_log_of_action").on(table.projectId, table.action, table.at, table.id),
    index("audit_log_of_person").on(table.projectId, table.operatorId, table.at, table.id),
    index("audit_log_of_person_action").on(
      table.projectId,
      table.operatorId,
      table.action,
      table.at,
      table.id,
    ),
    index("audit_log_of_operator").on(table.operatorId, table.at, table.id),
    // Only these entries are deleted by their age.
    index("audit_log_refused_sign_ins").on(table.at).where(sql.raw(IS_REFUSED_SIGN_IN)),
  ],
);
