import type { CountLimits } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import { bigint, check, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { projects } from "./projects.js";

/** Named sets of limits. A tenant with the plan has those that it does not set itself. */
export const plans = pgTable(
  "plans",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    name: text("name").notNull(),
    /** Null if the plan sets no quota. */
    quotaBytes: bigint("quota_bytes", { mode: "number" }),
    /** Null if it sets no other limit. */
    limits: jsonb("limits").$type<CountLimits>(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.name] }),
    check("plans_quota_not_negative", sql`${table.quotaBytes} >= 0`),
  ],
);
