import type { CountLimits } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from "drizzle-orm/pg-core";
import { projects } from "./projects.js";

/**
 * The customer's users. The counters change only in the transaction that also changes the file's row, so they always equal the sums
 * over `files`.
 */
export const tenants = pgTable(
  "tenants",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** The customer's own ID, byte for byte. */
    tenantId: text("tenant_id").notNull(),
    /** 128 random bits. Identifies the tenant in every path. The first upload sets it: null if only a quota has been set so far. */
    ref: text("ref"),
    /** Null for the project's default. */
    quotaBytes: bigint("quota_bytes", { mode: "number" }),
    /** The tenant's own limits beside the quota; null for none. */
    limits: jsonb("limits").$type<CountLimits>(),
    /**
     * The name of its plan; null for none. No foreign key, because Citus allows none to a table that an upgrade has created. The locks of
     * tenants/plans.ts keep the plan while a tenant has it.
     */
    plan: text("plan"),
    /** When the minute began in which uploads are counted, and how many were requested in it. Only while a limit is set. */
    minuteStartedAt: timestamp("minute_started_at", { withTimezone: true }),
    minuteUploads: integer("minute_uploads").notNull().default(0),
    /** Sum of `size` over stored files and those in the trash. */
    usedBytes: bigint("used_bytes", { mode: "number" }).notNull().default(0),
    /** Sum of `reserved_bytes` over pending files. */
    reservedBytes: bigint("reserved_bytes", { mode: "number" }).notNull().default(0),
    /** Number of stored files and those in the trash. */
    fileCount: integer("file_count").notNull().default(0),
    /**
     * How many bytes must be free until webhooks tell that the quota is cleared: what the refused upload needed. Null unless they told
     * that it was reached. Only tracked while an endpoint wants these events.
     */
    quotaNeedsBytes: bigint("quota_needs_bytes", { mode: "number" }),
    /** The quota when it was last compared; null for none. Only valid with `quotaNeedsBytes`. */
    quotaReachedBytes: bigint("quota_reached_bytes", { mode: "number" }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** When the deletion of the tenant continues; null unless it is being deleted. See purge/delete-tenant.ts. */
    nextPurgeAt: timestamp("next_purge_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("tenants_tenant_id").on(table.projectId, table.tenantId),
    unique("tenants_ref").on(table.projectId, table.ref),
    index("tenants_by_use").on(table.projectId, table.usedBytes, table.id),
    index("tenants_by_plan")
      .on(table.projectId, table.plan)
      .where(sql`${table.plan} is not null`),
    index("tenants_to_purge")
      .on(table.nextPurgeAt)
      .where(sql`${table.nextPurgeAt} is not null`),
    check("tenants_used_not_negative", sql`${table.usedBytes} >= 0`),
    check("tenants_reserved_not_negative", sql`${table.reservedBytes} >= 0`),
    check("tenants_file_count_not_negative", sql`${table.fileCount} >= 0`),
    check("tenants_quota_not_negative", sql`${table.quotaBytes} >= 0`),
  ],
);
