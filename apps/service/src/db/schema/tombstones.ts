import { bigint, boolean, index, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { projects } from "./projects.js";

/** Paths of deleted files that must stay empty. A URL that was signed before the delete can still write an object there. */
export const tombstones = pgTable(
  "tombstones",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    path: text("path").notNull(),
    /** `tenants.id` of the owner, if the file was deleted or cancelled before it was stored: cancelling it again succeeds. */
    cancelledTenant: bigint("cancelled_tenant", { mode: "number" }),
    /** Whether its bytes did not fit the quota: completing it is then refused for that reason. */
    isOverQuota: boolean("is_over_quota").notNull().default(false),
    /** Whether the file was uploaded by parts: then multipart uploads of the path are aborted too. */
    hadParts: boolean("had_parts").notNull().default(false),
    /**
     * Whether an object of the path is being removed: set before it is removed from storage, and cleared when the CDN has forgotten it too.
     * So a removal is repeated also if storage has no object any more.
     */
    isRemoving: boolean("is_removing").notNull().default(false),
    /** From then on no PUT to the path can still be running: one day after the last URL expires. */
    until: timestamp("until", { withTimezone: true }).notNull(),
    nextCheckAt: timestamp("next_check_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.path] }),
    index("tombstones_to_check").on(table.nextCheckAt),
  ],
);
