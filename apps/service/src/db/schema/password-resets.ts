import { pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { operators } from "./operators.js";

/** Links by which an operator who forgot the password chooses another, once. One for each operator: a later one ends it. */
export const passwordResets = pgTable("password_resets", {
  operatorId: text("operator_id")
    .primaryKey()
    .references(() => operators.id, { onDelete: "cascade" }),
  /** Hex SHA-256 of the link's token: the token itself is shown once and kept nowhere. */
  tokenHash: text("token_hash").notNull().unique(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
