import { roles } from "@stowage/operator-schemas";
import { bigint, index, pgEnum, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { operators } from "./operators.js";
import { projects } from "./projects.js";

export const memberRole = pgEnum("member_role", roles);

/** The operators of a project and their roles. */
export const projectMembers = pgTable(
  "project_members",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    operatorId: text("operator_id")
      .notNull()
      .references(() => operators.id, { onDelete: "cascade" }),
    role: memberRole("role").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.operatorId] }),
    // For the list of an operator's projects.
    index("project_members_of_operator").on(table.operatorId, table.projectId),
  ],
);
