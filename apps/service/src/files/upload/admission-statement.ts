/*
 * The statements that admit uploads: one round trip, one commit, nothing to undo. The work is done by functions
 * in the database (db/functions): `admit_uploads` for the uploads of one project, which Citus runs on the node of
 * that project, and `admit_uploads_of_projects`. Both let `judge_uploads` decide, project by project, and insert the admitted files.
 * `fits_quota` says whether an upload fits the quota of its tenant.
 */

const COLUMNS = `number, outcome, path, is_new_tenant as "isNewTenant", max_file_bytes as "maxFileBytes"`;

/** $1: the project's id. $2: the hash of its key, or null for an operator. $3: the uploads. $4: the default quota. */
export const ADMIT_TO_PROJECT = `
select ${COLUMNS} from admit_uploads($1::bigint, $2::text, $3::text::json, $4::bigint)`;

/**
 * $1: for each project its id, the hash of its key and its uploads. $2: the default quota. Not for Citus: there each statement has the
 * uploads of one project.
 */
export const ADMIT_TO_PROJECTS = `
select ${COLUMNS} from admit_uploads_of_projects($1::text::json, $2::bigint)`;
