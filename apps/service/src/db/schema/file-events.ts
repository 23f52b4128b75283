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
]);

/**
 * What a file's own row cannot tell, or not for long: a replay, a loss, a delete, and what was there before the first of them. An
 * upload that goes its usual way writes nothing here. See files/note-event.ts.
 */
export const fileEvents = pgTable(
  "file_events",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    /** `files.id` in the same project, whose row may be gone. */
    fileId: bigint("file_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    kind: fileEventKind("kind").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    /** Bytes, where there were any. */
    size: bigint("size", { mode: "number" }),
    etag: text("etag"),
    path: objectKey("path").notNull(),
    filename: text("filename").notNull(),
    /** Who did it: an operator's e-mail address, `customer` for its backend, or `service`. */
    actor: text("actor").notNull(),
    /** When it is forgotten; null as long as the file is there. */
    forgetAt: timestamp("forget_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.fileId, table.id] }),
    index("file_events_to_forget")
      .on(table.forgetAt)
      .where(sql`${table.forgetAt} is not null`),
  ],
);
