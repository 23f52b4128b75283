import { pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { operators } from "./operators.js";

/** Links that let an operator set a new password. Each works once. An operator has one link; a newer link replaces it. */
export const passwordResets = pgTable("password_resets", {
  operatorId: text("operator_id")
    .primaryKey()
    .references(() => operators.id, { onDelete: "cascade" }),
  /** Hex SHA-256 of the link's token. The token itself is shown once and not stored. */
  tokenHash: text("token_hash").notNull().unique(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
