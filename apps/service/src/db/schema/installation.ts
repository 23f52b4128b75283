import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** What this installation has of its own, whichever replica made it. */
export const installation = pgTable("installation", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});

/** Tokens that may make the first owner: one for each replica that started while there was none. */
export const setupTokens = pgTable("setup_tokens", {
  /** Hex SHA-256: the token itself is shown once and kept nowhere. */
  tokenHash: text("token_hash").primaryKey(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
