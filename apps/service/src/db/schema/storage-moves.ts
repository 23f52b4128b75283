import { bigint, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { projects } from "./projects.js";

/**
 * - `preparing`: every process learns of the move. All is still written to the old storage
 * - `copying`: all is written to the new storage, and objects are copied to it
 * - `settling`: the project belongs to the new storage. The old one keeps its copies until the URLs end that were signed for it
 */
export const storageMoveStates = ["preparing", "copying", "settling"] as const;

/** Projects that move to another storage: see projects/moving-projects.ts and relocate/move-project.ts. Without one the table is empty. */
export const storageMoves = pgTable("storage_moves", {
  projectId: bigint("project_id", { mode: "number" })
    .primaryKey()
    .references(() => projects.id, { onDelete: "cascade" }),
  /** Their names in STORAGES_FILE. */
  fromStorage: text("from_storage").notNull(),
  toStorage: text("to_storage").notNull(),
  state: text("state", { enum: storageMoveStates }).notNull(),
  /** By the clock of the database, as all times here. */
  stateSince: timestamp("state_since", { withTimezone: true }).notNull(),
  /** When the last URL ends that was signed for the old storage; null before `settling`. */
  urlsEndAt: timestamp("urls_end_at", { withTimezone: true }),
  /** The command that works on the move, and until when no other one may. */
  runner: text("runner"),
  runnerUntil: timestamp("runner_until", { withTimezone: true }).notNull(),
  /** The objects that the command copies now, as pairs of bucket and path. */
  copying: jsonb("copying").$type<[place: string, path: string][]>().notNull().default([]),
  /** Those that commands copied when they were killed. They are looked at again before the move ends. */
  interrupted: jsonb("interrupted").$type<[place: string, path: string][]>().notNull().default([]),
});
