import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from "drizzle-orm/pg-core";
import { IS_RUNNING_JOB } from "./conditions.js";
import { objectKey } from "./object-key.js";
import { projects } from "./projects.js";

/**
 * Moves and deletes of folders (docs/decisions/0078): each row is one job, which files/organise/run-folder-jobs.ts continues until it has
 * ended. There is no foreign key to `tenants`, because a migration cannot add one on Citus.
 */
export const folderJobs = pgTable(
  "folder_jobs",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** 128 random bits. Names the job in calls. */
    ref: text("ref").notNull(),
    /** `tenants.id` in the same project. */
    tenant: bigint("tenant", { mode: "number" }).notNull(),
    /** The folder whose files are moved or deleted, with those below. Never the root. */
    fromFolder: objectKey("from_folder").notNull(),
    /** What it is called then. Null: the files are deleted. */
    toFolder: objectKey("to_folder"),
    /** Whom the history of the files names: `customer`, or an operator's e-mail address. */
    actor: text("actor").notNull(),
    /** Files that were in the folder when the job was made. */
    total: integer("total").notNull(),
    /** Files that the job has moved or deleted. */
    done: integer("done").notNull().default(0),
    /** Files that the job had to leave where they are. */
    kept: integer("kept").notNull().default(0),
    /** The largest `files.id` of the project when the job was made. Later files stay where they are. */
    lastId: bigint("last_id", { mode: "number" }).notNull(),
    /** Of the files up to this `files.id`, the job has changed those in the folder. */
    lastFile: bigint("last_file", { mode: "number" }).notNull().default(0),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** Null while the job runs. */
    endedAt: timestamp("ended_at", { withTimezone: true }),
    /** When a process may claim it. A claim moves it to the end of the process's lease. */
    dueAt: timestamp("due_at", { withTimezone: true }).notNull(),
    /** The number of the newest claim. */
    claim: integer("claim").notNull().default(0),
    /** Tries in succession that failed. */
    failures: integer("failures").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("folder_jobs_ref").on(table.projectId, table.ref),
    index("folder_jobs_due").on(table.projectId, table.dueAt).where(sql.raw(IS_RUNNING_JOB)),
    index("folder_jobs_of_tenant").on(table.projectId, table.tenant),
    index("folder_jobs_ended").on(table.endedAt),
    check("folder_jobs_counts", sql`${table.done} + ${table.kept} <= ${table.total}`),
  ],
);
