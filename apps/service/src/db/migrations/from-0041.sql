-- Changes a database of the last version before 1.0, at migration 0041, to the schema of 0000_baseline.sql. No row of a table is lost:
-- waiting scans and moves go from `files` to `file_tasks`.
-- Replicas of that version do not work on this schema: docs/upgrading.md says how to upgrade.

alter table files rename column next_look_at to next_check_at;
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

-- What is to be done about files stands in a table of its own.
create type file_task_kind as enum ('scan', 'move');
create table file_tasks (
  project_id bigint not null,
  file_id    bigint not null,
  kind       file_task_kind not null,
  due_at     timestamptz not null,
  claim      integer default floor(random() * 1000000000)::integer not null,
  failures   integer default 0 not null,
  constraint file_tasks_project_id_file_id_kind_pk primary key (project_id, file_id, kind)
);
alter table file_tasks add constraint file_tasks_file
  foreign key (project_id, file_id) references files (project_id, id) on delete cascade;
insert into file_tasks (project_id, file_id, kind, due_at, failures)
  select project_id, id, 'scan', scan_due_at, scan_failures from files where scan_due_at is not null;
insert into file_tasks (project_id, file_id, kind, due_at, failures)
  select project_id, id, 'move', move_due_at, move_failures from files
  where status not in ('pending', 'expired', 'deleting') and (has_other_copy or
    (place = 'public') <> (visibility = 'public' and status = 'stored' and scan_status in ('none', 'clean')));
create index file_tasks_scans on file_tasks (project_id, due_at) where kind = 'scan';
create index file_tasks_moves on file_tasks (project_id, due_at) where kind = 'move';
create index file_tasks_scans_by_time on file_tasks (due_at) where kind = 'scan';
create index file_tasks_failing_scans on file_tasks (failures) where kind = 'scan' and failures > 0;
-- Their indexes go with them.
alter table files drop column scan_due_at;
alter table files drop column scan_attempts;
alter table files drop column scan_failures;
alter table files drop column move_due_at;
alter table files drop column move_claim;
alter table files drop column move_failures;

drop index files_to_look_at;
drop index files_parts_to_look_at;
create index files_to_check on files (((part_size is not null)::integer), next_check_at) where next_check_at is not null;

-- The state of an upload by parts, and what is known about an image, are one value each.
alter table files add column multipart jsonb;
alter table files add column image jsonb;
-- In a table of its own first: Citus builds no JSON from the columns that it updates.
create table adopted_files as
  select project_id, id,
    case when part_size is not null then jsonb_strip_nulls(jsonb_build_object(
      'fingerprint', fingerprint, 'uploadId', upload_id, 'partsStored', parts_stored, 'bytesStored', part_bytes_stored,
      'urlsExpireAt', (extract(epoch from part_urls_expire_at) * 1000)::bigint,
      'completingUntil', (extract(epoch from completing_until) * 1000)::bigint)) end as multipart,
    case when image_etag is not null then jsonb_build_object(
      'width', image_width, 'height', image_height, 'placeholder', image_placeholder, 'etag', image_etag) end as image
  from files where part_size is not null or image_etag is not null;
update files set multipart = adopted.multipart, image = adopted.image
  from adopted_files adopted where files.project_id = adopted.project_id and files.id = adopted.id;
drop table adopted_files;
alter table files drop column upload_id, drop column fingerprint, drop column parts_stored, drop column part_bytes_stored,
  drop column part_urls_expire_at, drop column completing_until,
  drop column image_width, drop column image_height, drop column image_placeholder, drop column image_etag;
-- Events keep the columns of their file.
update webhook_events set data = jsonb_set(jsonb_set(jsonb_set(jsonb_set(jsonb_set(data, '{image}', '{}'),
  '{image,width}', coalesce(data -> 'image_width', 'null')), '{image,height}', coalesce(data -> 'image_height', 'null')),
  '{image,placeholder}', coalesce(data -> 'image_placeholder', 'null')), '{image,etag}', data -> 'image_etag')
  where data ->> 'image_etag' is not null;
