import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Values that all replicas of this installation share, such as generated secrets. */
export const installation = pgTable("installation", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});

/** Tokens that allow to create the first operator: one for each replica that started before there was one. */
export const setupTokens = pgTable("setup_tokens", {
  /** Hex SHA-256. The token itself is shown once and not stored. */
  tokenHash: text("token_hash").primaryKey(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
