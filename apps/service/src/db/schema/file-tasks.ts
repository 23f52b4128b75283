import { sql } from "drizzle-orm";
import {
  bigint,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  timestamp,
} from "drizzle-orm/pg-core";
import { IS_MOVE, IS_SCAN } from "./conditions.js";
import { files } from "./files.js";

export const fileTaskKind = pgEnum("file_task_kind", ["scan", "move"]);

/**
 * What is to be done about files: a virus scan, or a move of the object to the other bucket. A row is there while its work waits or runs.
 * Only `queue_scans` and `queue_moves` write new ones (db/functions), in the transaction that changes the file.
 */
export const fileTasks = pgTable(
  "file_tasks",
  {
    projectId: bigint("project_id", { mode: "number" }).notNull(),
    fileId: bigint("file_id", { mode: "number" }).notNull(),
    kind: fileTaskKind("kind").notNull(),
    /** When a process may claim it. A claim moves it to the end of the process's lease. */
    dueAt: timestamp("due_at", { withTimezone: true }).notNull(),
    /**
     * The number of the newest claim. It grows with each claim, and whenever the task is queued anew. It starts anywhere, so a claim of an
     * earlier task of the same file is known to be over.
     */
    claim: integer("claim")
      .notNull()
      .default(sql`floor(random() * 1000000000)::integer`),
    /** Tries in succession that failed. */
    failures: integer("failures").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.fileId, table.kind] }),
    foreignKey({
      name: "file_tasks_file",
      columns: [table.projectId, table.fileId],
      foreignColumns: [files.projectId, files.id],
    }).onDelete("cascade"),
    // Processes go from project to project: see work/work-queue.ts. An index for each kind, so a claim reads no rows of the other one.
    index("file_tasks_scans").on(table.projectId, table.dueAt).where(sql.raw(IS_SCAN)),
    index("file_tasks_moves").on(table.projectId, table.dueAt).where(sql.raw(IS_MOVE)),
    // For the health page and metrics, which count scans. Each has an order of its own, so PostgreSQL does not read all rows of another
    // index instead.
    index("file_tasks_scans_by_time").on(table.dueAt).where(sql.raw(IS_SCAN)),
    index("file_tasks_failing_scans")
      .on(table.failures)
      .where(sql.raw(`${IS_SCAN} and failures > 0`)),
  ],
);
