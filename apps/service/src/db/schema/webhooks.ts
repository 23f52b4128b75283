import { webhookDeliveryStates, type WebhookDisabledReason } from "@stowage/operator-schemas";
import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  json,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { IS_UNDELIVERED } from "./conditions.js";
import { projects } from "./projects.js";

/*
 * Events that are delivered to the endpoints of a project (docs/decisions/0033). The SQL functions `emit_file_events` and
 * `emit_tenant_events` write them into the outbox, in the transaction that makes them true. `fan_out_events` moves them from there into
 * events and deliveries.
 */

/** Addresses that receive the events of a project: at most ten. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** 128 random bits, by which the API names the endpoint. */
    ref: text("ref").notNull(),
    url: text("url").notNull(),
    description: text("description").notNull(),
    /** The types of events that it wants. */
    events: text("events").array().notNull(),
    /** Encrypted: see webhooks/secret-box.ts. */
    secret: text("secret").notNull(),
    /** The secret before the last rotation. It signs too until its end. */
    previousSecret: text("previous_secret"),
    previousSecretEndsAt: timestamp("previous_secret_ends_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** Since when nothing is sent to it; null for an endpoint in use. */
    disabledAt: timestamp("disabled_at", { withTimezone: true }),
    disabledReason: text("disabled_reason").$type<WebhookDisabledReason>(),
    /** The first failure since the last success; null while deliveries succeed. */
    failingSince: timestamp("failing_since", { withTimezone: true }),
    /** When an operator deleted it. The row stays until the log of its deliveries is deleted. */
    deletedAt: timestamp("deleted_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("webhook_endpoints_ref").on(table.projectId, table.ref),
  ],
);

/** Events that were not fanned out yet: a row for each call that emitted some. So a change of many files writes one row. */
export const webhookOutbox = pgTable(
  "webhook_outbox",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    /** Later than that of any earlier event of the same file or tenant that is still here, even if a clock was set back. */
    position: timestamp("position", { withTimezone: true }).notNull(),
    id: uuid("id").notNull().defaultRandom(),
    type: text("type").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    /** The endpoints that wanted the type, and were in use. */
    wantedBy: bigint("wanted_by", { mode: "number" }).array().notNull(),
    /** The endpoints that wanted it, and were disabled. */
    skippedBy: bigint("skipped_by", { mode: "number" }).array().notNull(),
    /** An array of rows of `tenants`, or of `files` with the columns that an event needs, as the transaction left them. */
    rows: json("rows").notNull(),
    /** What the events have from other rows, by `tenants.id`: the `tenant_id` for files, the `project_quota` for tenants. */
    byTenant: json("by_tenant").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.position, table.id] })],
);

/**
 * The log of a project's events that programs follow (docs/decisions/0073). The row exists from the first fan-out or the first reader on.
 * Who numbers events locks it, so the events of a project get their positions one transaction after the other.
 */
export const eventLogs = pgTable("event_logs", {
  projectId: bigint("project_id", { mode: "number" })
    .primaryKey()
    .references(() => projects.id),
  /** Of the newest event. */
  lastPosition: bigint("last_position", { mode: "number" }).notNull().default(0),
  /** Events up to this position were deleted for their age, so a reader that has not come so far has missed some. */
  deletedTo: bigint("deleted_to", { mode: "number" }).notNull().default(0),
  /** When it was last read, to the hour. Null: the project keeps no log, and the service writes only the events that an endpoint wants. */
  readAt: timestamp("read_at", { withTimezone: true }),
  /** What `backfill_events` does next: 1 and 3 tenants, 2 and 4 files; null: nothing. */
  backfillStep: integer("backfill_step"),
  /** The id up to which it has done this step. */
  backfilledTo: bigint("backfilled_to", { mode: "number" }).notNull().default(0),
  /** Steps 3 and 4 begin when all transactions before this id have ended. */
  backfillBarrier: bigint("backfill_barrier", { mode: "number" }),
});

/** What happened. A row is never changed. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    /** A UUID of version 7, so ids sort by time. */
    id: uuid("id").notNull(),
    type: text("type").notNull(),
    /** What the event is about, such as `file:12`. */
    subject: text("subject").notNull(),
    /** The row of the outbox, with the names of its columns. Older events can lack columns, or have more. */
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    /**
     * The place in the log of the project: the microsecond in which `fan_out_events` numbered it, or later. Null for a `webhook.test`, which
     * is not in the log.
     */
    position: bigint("position", { mode: "number" }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index("webhook_events_by_time").on(table.at),
    uniqueIndex("webhook_events_in_log")
      .on(table.projectId, table.position)
      .where(sql`${table.position} is not null`),
    index("webhook_events_of_tenant").on(
      table.projectId,
      sql`(${table.data} ->> 'tenant_id')`,
      table.subject,
    ),
  ],
);

export const webhookDeliveryState = pgEnum("webhook_delivery_state", webhookDeliveryStates);

/** An event for one endpoint. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    projectId: bigint("project_id", { mode: "number" }).notNull(),
    /** `webhook_endpoints.id` in the same project. */
    endpoint: bigint("endpoint", { mode: "number" }).notNull(),
    /** `webhook_events.id` in the same project. */
    event: uuid("event").notNull(),
    subject: text("subject").notNull(),
    /** The order of the events of one subject. For a file, the revision of its row. */
    seq: bigint("seq", { mode: "number" }).notNull(),
    state: webhookDeliveryState("state").notNull(),
    /** Tries since the delivery was last started. */
    attempts: integer("attempts").notNull().default(0),
    /** When it is tried next, or when the lease of the running try ends; null unless the delivery is pending. */
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }),
    deliveredAt: timestamp("delivered_at", { withTimezone: true }),
    /** The status of the last answer; null if none arrived. */
    lastStatus: integer("last_status"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.endpoint, table.event] }),
    // Over all projects.
    index("webhook_deliveries_due")
      .on(table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
    index("webhook_deliveries_due_of_endpoint")
      .on(table.projectId, table.endpoint, table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
    index("webhook_deliveries_undelivered")
      .on(table.projectId, table.endpoint, table.event)
      .where(sql.raw(IS_UNDELIVERED)),
    index("webhook_deliveries_in_order")
      .on(table.projectId, table.endpoint, table.subject, table.seq)
      .where(sql`${table.nextAttemptAt} is not null`),
  ],
);

/** The log of tries. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    projectId: bigint("project_id", { mode: "number" }).notNull(),
    endpoint: bigint("endpoint", { mode: "number" }).notNull(),
    event: uuid("event").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    /** The status of the answer; null if none arrived. */
    status: integer("status"),
    durationMs: integer("duration_ms").notNull(),
    /** Why the try failed; null if it succeeded. */
    error: text("error"),
    /** The first 1,024 bytes of the answer; null if none arrived. */
    answer: text("answer"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.endpoint, table.event, table.at] })],
);
