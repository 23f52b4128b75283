import { bigint, index, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { projects } from "./projects.js";

/** Paths of deleted files that must stay empty: a URL signed before the delete can still write the object anew. */
export const tombstones = pgTable(
  "tombstones",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    path: text("path").notNull(),
    /** From then on no PUT to the path can still be under way: the last URL, and a day. */
    until: timestamp("until", { withTimezone: true }).notNull(),
    nextCheckAt: timestamp("next_look_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.path] }),
    index("tombstones_to_look_at").on(table.nextCheckAt),
  ],
);
