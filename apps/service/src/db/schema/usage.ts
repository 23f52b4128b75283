import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  foreignKey,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import { projects } from "./projects.js";
import { tenants } from "./tenants.js";

/*
 * Uploads, deletes and downloads per day in UTC. Uploads and deletes change only in the transaction that also changes the file's
 * row (see tenants/usage-counters.ts). So the sum of a tenant's days always equals the tenant's counters.
 */

const sums = {
  /** Files that became stored. A file that another PUT replaced counts again. */
  uploads: integer("uploads").notNull(),
  uploadedBytes: bigint("uploaded_bytes", { mode: "number" }).notNull(),
  /** Stored files that were deleted, replaced, or found missing by `reconcile`. */
  deletedFiles: integer("deleted_files").notNull(),
  deletedBytes: bigint("deleted_bytes", { mode: "number" }).notNull(),
  /**
   * What the changes of the day add to the integral of the used bytes over this day: for each change its bytes, times the milliseconds
   * from it to the end of the day. Not a bigint, because 110 GB at midnight are too much for one.
   */
  byteMs: numeric("byte_ms").notNull().default("0"),
  /** By how many bytes the usage was at most above that at the start of the day; 0 if it never was. */
  peakGrowthBytes: bigint("peak_growth_bytes", { mode: "number" }).notNull().default(0),
  /** URLs of downloads that were answered, and the bytes of their files: see tenants/download-meter.ts. */
  downloadsSigned: bigint("downloads_signed", { mode: "number" }).notNull().default(0),
  bytesSigned: bigint("bytes_signed", { mode: "number" }).notNull().default(0),
  /** The sum of {@link logDeliveries}, also after they were deleted. Null if no log had a download. */
  bytesDelivered: bigint("bytes_delivered", { mode: "number" }),
};

/** The usage of one tenant. */
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

/** How many rows the day of a project has. With several rows, settles of different tenants seldom wait for the same lock. */
export const USAGE_SLOTS = 16;

/** The usage of a whole project: the sums over its tenants. They are stored, because a project may have millions of tenants. */
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

/**
 * What each access log has added to `bytesDelivered`, so that importing it again adds nothing: see usage/import-log.ts. Kept for 92 days.
 * There is no foreign key to `tenants`, because a migration cannot add one on Citus.
 */
export const logDeliveries = pgTable(
  "log_deliveries",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    /** A SHA-256, by which the log is known. */
    log: text("log").notNull(),
    /** `tenants.id` in the same project. */
    tenant: bigint("tenant", { mode: "number" }).notNull(),
    day: date("day").notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.log, table.tenant, table.day] }),
    index("log_deliveries_of_tenant").on(table.projectId, table.tenant),
    index("log_deliveries_by_day").on(table.day),
  ],
);

/** How often a project's requests were refused, by day and error code. */
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

/**
 * The newest refused requests of each project: one row for each minute, reason and tenant. A project has at most about 500 rows,
 * for 30 days: see usage/refused-request-buffer.ts.
 */
export const refusedRequests = pgTable(
  "refused_requests",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    minute: timestamp("minute", { withTimezone: true }).notNull(),
    code: text("code").notNull(),
    /** The customer's own ID of the tenant, as the request named it; empty if it named none. */
    tenantId: text("tenant_id").notNull(),
    count: bigint("count", { mode: "number" }).notNull(),
    lastAt: timestamp("last_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.minute, table.code, table.tenantId] }),
    check("refused_requests_counted", sql`${table.count} > 0`),
  ],
);
