import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/*
 * What the replicas report about themselves. Both tables are small, and stay on the coordinator of a Citus cluster.
 */

/** The running replicas. Each one writes its own row every 15 seconds, and deletes it when it stops. */
export const replicas = pgTable("replicas", {
  /** Random, for each start. */
  id: text("id").primaryKey(),
  host: text("host").notNull(),
  version: text("version").notNull(),
  startedAt: timestamp("started_at", { withTimezone: true }).notNull(),
  seenAt: timestamp("seen_at", { withTimezone: true }).notNull(),
  /** Statements that wait for a connection to the database. */
  waiting: integer("waiting").notNull(),
});

/** Requests to the API per minute, of all replicas together. */
export const requestMinutes = pgTable("request_minutes", {
  minute: timestamp("minute", { withTimezone: true }).primaryKey(),
  requests: integer("requests").notNull(),
  /** Answered with 4xx, except those with a wrong key. */
  refused: integer("refused").notNull(),
  /** Answered with 401. */
  wrongKeys: integer("wrong_keys").notNull(),
  /** Answered with 5xx. */
  failed: integer("failed").notNull(),
  /** Accepted and failed requests, counted by duration: see health/latency-histogram.ts. */
  latencies: integer("latencies").array().notNull(),
});
