import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * What operators did. Nothing here refers to another table, since it outlives what it tells of: the project, and the
 * operator.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** Null for what belongs to no project, such as a sign-in. */
    projectId: bigint("project_id", { mode: "number" }),
    operatorId: text("operator_id"),
    /** As it was then. */
    operatorEmail: text("operator_email").notNull(),
    action: text("action").notNull(),
    /** Never a key, a token or a password. */
    details: jsonb("details").$type<Record<string, string | number | boolean | null>>().notNull().default({}),
    ipAddress: text("ip_address").notNull(),
    userAgent: text("user_agent").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("audit_log_of_project").on(table.projectId, table.id),
    index("audit_log_of_operator").on(table.operatorId, table.id),
    // Of those that are forgotten by their age.
    index("audit_log_refused_sign_ins")
      .on(table.at)
      .where(sql`${table.action} = 'operator.sign_in_refused'`),
  ],
);
