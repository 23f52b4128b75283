-- Changes a database of the last version before 1.0, at migration 0041, to the schema of 0000_baseline.sql. It changes no row.
-- Replicas of that version do not work on this schema: docs/upgrading.md says how to upgrade.

alter table files rename column next_look_at to next_check_at;
alter table files rename column scan_attempts to scan_claim;
alter index files_to_look_at rename to files_to_check;
alter index files_parts_to_look_at rename to files_parts_to_check;
alter table tombstones rename column next_look_at to next_check_at;
alter index tombstones_to_look_at rename to tombstones_to_check;
alter table projects rename column next_empty_at to next_purge_at;
alter index projects_to_empty rename to projects_to_purge;

-- The form with four arguments was for replicas of an older version.
drop function emit_file_events(bigint, text, timestamptz, bigint[]);

-- The version before checked only new rows.
alter table files validate constraint files_trashed;

-- Why variants failed. Verdicts without a `failure` are those of the version before; a job revises them.
create type variant_failure as enum ('image', 'time', 'memory', 'crashed', 'storage');
alter table file_variants add column decoder_failures integer default 0 not null;
alter table file_variants add column failure variant_failure;
alter table file_variants add column retry_at timestamptz;
create index file_variants_failed on file_variants (project_id, file_id) where status = 'failed' and failure <> 'image';
create index file_variants_failing on file_variants (project_id, file_id) where status = 'waiting' and failures > 0;
create index file_variants_to_revise on file_variants (project_id) where status = 'failed' and failure is null;
