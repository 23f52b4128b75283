import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  foreignKey,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { projects } from "./projects.js";
import { tenants } from "./tenants.js";

/*
 * What came and what went, by days of UTC. The two tables change only in the transaction that changes the file row which
 * causes it (see usage/count-files.ts), so what came less what went is what is there: the tenants' own counters.
 */

const sums = {
  /** Files that became stored, and those that another PUT to the same path replaced. */
  uploads: integer("uploads").notNull(),
  uploadedBytes: bigint("uploaded_bytes", { mode: "number" }).notNull(),
  /** Stored files that went: deleted, replaced, or found missing by `reconcile`. */
  deletedFiles: integer("deleted_files").notNull(),
  deletedBytes: bigint("deleted_bytes", { mode: "number" }).notNull(),
};

/** Of one tenant. */
export const usageDaily = pgTable(
  "usage_daily",
  {
    projectId: bigint("project_id", { mode: "number" }).notNull(),
    /** `tenants.id` in the same project. */
    tenant: bigint("tenant", { mode: "number" }).notNull(),
    day: date("day").notNull(),
    ...sums,
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.tenant, table.day] }),
    foreignKey({
      name: "usage_daily_tenant",
      columns: [table.projectId, table.tenant],
      foreignColumns: [tenants.projectId, tenants.id],
    }),
  ],
);

/** Rows that a project's day has: settles of different tenants seldom wait for the same one. */
export const USAGE_SLOTS = 16;

/** Of a whole project: the sums over its tenants, kept, since there may be millions of those. */
export const projectUsageDaily = pgTable(
  "project_usage_daily",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    day: date("day").notNull(),
    /** `tenant % USAGE_SLOTS`. */
    slot: smallint("slot").notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day, table.slot] })],
);

/** How often a project's requests were refused, by day and by the catalogue's code. */
export const refusalsDaily = pgTable(
  "refusals_daily",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    day: date("day").notNull(),
    code: text("code").notNull(),
    count: bigint("count", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.day, table.code] }),
    check("refusals_daily_counted", sql`${table.count} > 0`),
  ],
);
