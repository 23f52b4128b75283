/*
 * The conditions of partial indexes, as SQL with the plain names of columns. PostgreSQL uses such an index only for a statement that
 * implies its condition, so the tables and the statements take it from here. A statement that joins two tables with a column of the
 * condition selects the rows in a subquery first. A condition that only says that a column is not null is not here: a comparison with
 * the column implies it.
 */

/** When a file that {@link ENDS_BY_ITSELF} ends: it leaves the trash, or expires. */
export const END_OF_FILE = "coalesce(purge_at, expires_at)";
export const ENDS_BY_ITSELF =
  "not held and (purge_at is not null or expires_at is not null and status = 'stored')";
export const IS_HELD = "held";
export const IS_IN_FOLDER = "folder <> ''";
/** The beginning of a folder's name, in characters: a whole name may be longer than an index takes. */
export const KEY_OF_FOLDER = '"left"(folder, 250)';
export const IS_BY_PARTS = "part_size is not null";
/** Which sweeper checks a file. A number, because PostgreSQL simplifies a comparison of a truth value, and does not find the index then. */
export const SWEEPER_OF_FILE = `(${IS_BY_PARTS})::integer`;
export const SWEEPS_UPLOADS = `${SWEEPER_OF_FILE} = 0`;
export const SWEEPS_PARTS = `${SWEEPER_OF_FILE} = 1`;
export const IS_IN_QUARANTINE = "scan_status in ('infected', 'unscannable')";

/** The kinds of work in `file_tasks`. */
export const IS_SCAN = "kind = 'scan'";
export const IS_MOVE = "kind = 'move'";

/** Of a job for a folder that has not ended. */
export const IS_RUNNING_JOB = "ended_at is null";

/** Of an image preset that is neither deleted nor replaced by other parameters. */
export const IS_CURRENT_PRESET = "retired_at is null";

export const IS_WAITING_VARIANT = "status = 'waiting'";
export const IS_READY_VARIANT = "status = 'ready'";
export const IS_LEAVING_VARIANT = "status = 'removing'";
/** It is not tried again by itself. */
export const IS_FAILED_VARIANT = "status = 'failed' and failure <> 'image'";
/** It is tried again. */
export const IS_FAILING_VARIANT = "status = 'waiting' and failures > 0";
/** A verdict without a reason: see images/revise-verdicts.ts. */
export const IS_VARIANT_TO_REVISE = "status = 'failed' and failure is null";

/** Of a project that needs the scanner of the installation. */
export const USES_CLAMAV = "scan = 'clamav' and deleted_at is null";

export const IS_UNDELIVERED = "state in ('failed', 'skipped')";

export const IS_REFUSED_SIGN_IN = "action = 'operator.sign_in_refused'";
