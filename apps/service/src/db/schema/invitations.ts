import { bigint, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { memberRole } from "./project-members.js";
import { projects } from "./projects.js";

/** Links that make one person, identified by an e-mail address, a member of a project. Each works once. */
export const invitations = pgTable(
  "invitations",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** In lower case. */
    email: text("email").notNull(),
    role: memberRole("role").notNull(),
    /** Hex SHA-256 of the link's token. The token itself is shown once and not stored. */
    tokenHash: text("token_hash").notNull().unique(),
    invitedBy: text("invited_by").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);
