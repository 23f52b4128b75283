import { sql } from "drizzle-orm";
import { bigint, index, pgEnum, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { objectKey } from "./object-key.js";
import { projects } from "./projects.js";

export const fileEventKind = pgEnum("file_event_kind", [
  "asked",
  "stored",
  "replayed",
  "expired",
  "lost",
  "deleted",
  "trashed",
  "restored",
  "held",
  "released",
  "updated",
]);

/**
 * The events in the history of files that cannot be derived from a file's own row: replays, losses and deletes, and the events
 * before the first of them. An ordinary upload writes nothing here. See files/record/file-events.ts.
 */
export const fileEvents = pgTable(
  "file_events",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    /** `files.id` in the same project. The file's row may have been deleted. */
    fileId: bigint("file_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    kind: fileEventKind("kind").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    /** Bytes; null if there were none. */
    size: bigint("size", { mode: "number" }),
    etag: text("etag"),
    path: objectKey("path").notNull(),
    filename: text("filename").notNull(),
    /**
     * Who caused the event: an operator's e-mail address, `customer` for the customer's backend or its users, `service`, or `quota` for
     * the service, if the bytes did not fit the quota.
     */
    actor: text("actor").notNull(),
    /** When the event is deleted; null until the file is deleted. */
    forgetAt: timestamp("forget_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.fileId, table.id] }),
    index("file_events_to_forget")
      .on(table.forgetAt)
      .where(sql`${table.forgetAt} is not null`),
  ],
);
