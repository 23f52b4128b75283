import { IS_MOVE, IS_RUNNING_JOB, IS_SCAN, IS_WAITING_VARIANT } from "#db/schema/conditions.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.js";
import { COUNTED } from "#db/schema/file-statuses.js";

/** Rows of a table that wait for a worker or a job. All statements of a queue are made of this row: see work-queue.ts. */
export interface WorkKind {
  table: string;
  /** The column with the id of the project. */
  project: string;
  /** The column that names a row of this kind within its project. */
  key: string;
  /** When a row may be claimed. A claim moves it to the end of its lease. */
  dueAt: string;
  /**
   * Whether the rows have the columns `claim`, the number of the newest claim, and `failures`, the tries that failed. Otherwise the end of
   * its lease names a claim.
   */
  hasCounters: boolean;
  /** Which rows of the table, called `t`, are of this kind. An index on project and time has the same condition. @default all */
  condition?: string;
  /** What else a claim reads, as columns of `t` and of {@link join}. */
  columns?: string;
  /** A table that is joined for {@link columns}, and how. */
  join?: { table: string; on: string };
  /** Which of the rows that are due may be claimed, by columns of {@link join}. @default all */
  isReady?: string;
  /** A batch ends with the row that brings the sum of this column of {@link join} to `most`. @default only the caller limits a batch */
  batchLimit?: { of: string; most: number };
  /** If a process dies, another one claims its row after this time. */
  leaseMs: number;
  /** The pauses after failures in succession, which double. */
  pauses?: { firstMs: number; longestMs: number };
}

const ofProject = { project: "project_id", key: "id", dueAt: "due_at", hasCounters: true };

const ofFile = {
  ...ofProject,
  table: "file_tasks",
  key: "file_id",
};

/** Everything that is claimed row by row, in turns between the projects. */
export const workKinds = {
  scans: {
    ...ofFile,
    condition: `t.${IS_SCAN}`,
    columns: `f.path, f.etag, f.place, f.published_etag as "publishedEtag", f.size`,
    join: { table: "files f", on: "f.project_id = t.project_id and f.id = t.file_id" },
    // Storage that sends no ETag cannot tell other bytes from the scanned ones.
    isReady: `f.status in ${COUNTED} and f.etag <> ''`,
    // So a batch has one large file at most.
    batchLimit: { of: "f.size", most: 8 * 1024 ** 2 },
    leaseMs: MINUTE_MS,
    pauses: { firstMs: 15 * SECOND_MS, longestMs: HOUR_MS },
  },
  moves: {
    ...ofFile,
    condition: `t.${IS_MOVE}`,
    // Longer than all calls to storage of one move may take together, so no process changes an object after its lease.
    leaseMs: 5 * MINUTE_MS,
    pauses: { firstMs: SECOND_MS, longestMs: HOUR_MS },
  },
  variants: {
    ...ofProject,
    table: "file_variants",
    key: "path",
    condition: `t.${IS_WAITING_VARIANT}`,
    columns: `t.file_id as "fileId", t.preset_hash as "presetHash", t.source_etag as "sourceEtag", t.path, t.parameters,
  t.decoder_failures as "decoderFailures"`,
    // Longer than a worker needs from its last renewal to the end of the PUT, so no object is written after the lease.
    leaseMs: MINUTE_MS,
    // Storage works again for all files at once, so no variant waits long after that.
    pauses: { firstMs: 15 * SECOND_MS, longestMs: 15 * MINUTE_MS },
  },
  folderJobs: {
    ...ofProject,
    table: "folder_jobs",
    condition: `t.${IS_RUNNING_JOB}`,
    columns: `p.ref as "projectRef", t.tenant, t.from_folder as "from", t.to_folder as "to", t.actor, t.last_id as "lastId",
  t.last_file as "lastFile"`,
    join: { table: "projects p", on: "p.id = t.project_id" },
    // Each step renews the lease. A step that takes longer changes nothing, if another process has claimed the job meanwhile.
    leaseMs: 30 * SECOND_MS,
    pauses: { firstMs: SECOND_MS, longestMs: MINUTE_MS },
  },
  tenantDeletions: {
    ...ofProject,
    table: "tenants",
    dueAt: "next_purge_at",
    hasCounters: false,
    columns: `p.ref as "projectRef"`,
    join: { table: "projects p", on: "p.id = t.project_id" },
    // Also how long the job leaves the deletion to a caller who repeats the call.
    leaseMs: MINUTE_MS,
  },
  projectPurges: {
    ...ofProject,
    table: "projects",
    project: "id",
    dueAt: "next_purge_at",
    hasCounters: false,
    columns: "t.ref",
    leaseMs: 30 * SECOND_MS,
  },
} satisfies Record<string, WorkKind>;
