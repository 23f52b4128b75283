-- The schema of Stowage 1.0. src/db/schema describes each column and says why each index is there; src/db/functions has the functions.
-- A database of the last version before it, at migration 0041, is changed to this schema by from-0041.sql instead.
--
-- On Citus, tables with a project_id are split by it, so project_id leads every key (docs/decisions/0019).

create type file_event_kind as enum ('asked', 'stored', 'replayed', 'expired', 'lost', 'deleted', 'trashed', 'restored', 'held', 'released');
create type file_status as enum ('pending', 'stored', 'expired', 'deleting', 'trashed');
create type file_task_kind as enum ('scan', 'move');
create type file_visibility as enum ('private', 'public');
create type scan_status as enum ('none', 'pending', 'clean', 'infected', 'unscannable');
create type image_format as enum ('auto', 'webp', 'avif', 'jpeg');
create type preset_fit as enum ('cover', 'inside');
create type variant_failure as enum ('image', 'time', 'memory', 'crashed', 'storage');
create type variant_publication as enum ('none', 'begun', 'done');
create type variant_status as enum ('waiting', 'ready', 'failed', 'removing');
create type member_role as enum ('viewer', 'member', 'owner');
create type scan_setting as enum ('off', 'clamav', 'external');
create type webhook_delivery_state as enum ('pending', 'delivered', 'failed', 'skipped');

-- Values that all replicas of this installation share, such as generated secrets.
create table installation (
  name  text primary key not null,
  value text not null
);

-- Tokens that allow to create the first operator: one for each replica that started before there was one.
create table setup_tokens (
  token_hash text primary key not null,
  created_at timestamptz not null
);

-- The running replicas. Each one writes its own row every 15 seconds, and deletes it when it stops.
create table replicas (
  id         text primary key not null,
  host       text not null,
  version    text not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null,
  waiting    integer not null
);

-- Requests to the API per minute, of all replicas together.
create table request_minutes (
  minute     timestamptz primary key not null,
  requests   integer not null,
  refused    integer not null,
  wrong_keys integer not null,
  failed     integer not null,
  latencies  integer[] not null
);

-- The people who sign in to the dashboard.
create table operators (
  id                  text primary key not null,
  name                text not null,
  email               text not null,
  email_verified      boolean default false not null,
  image               text,
  two_factor_enabled  boolean default false not null,
  is_admin            boolean default false not null,
  may_create_projects boolean default false not null,
  may_use_password    boolean default false not null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  constraint operators_email_unique unique (email)
);

-- How operators sign in. `provider_id` is `credential` for a password, hashed with scrypt, and `oidc` for a connection with an account of
-- the OpenID Connect provider. No token of the provider is stored: the columns for tokens belong to better-auth and stay empty.
create table operator_accounts (
  id                       text primary key not null,
  operator_id              text not null,
  account_id               text not null,
  provider_id              text not null,
  password                 text,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  constraint operator_accounts_operator_id_operators_id_fk foreign key (operator_id) references operators (id) on delete cascade
);
create index operator_accounts_of on operator_accounts (operator_id);
create unique index operator_accounts_by_provider on operator_accounts (provider_id, account_id);

-- The sessions of operators.
create table operator_sessions (
  id                     text primary key not null,
  token                  text not null,
  operator_id            text not null,
  ip_address             text,
  user_agent             text,
  signed_in_by           text default 'password' not null,
  provider_second_factor boolean default false not null,
  ends_at                timestamptz,
  expires_at             timestamptz not null,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  constraint operator_sessions_token_unique unique (token),
  constraint operator_sessions_operator_id_operators_id_fk foreign key (operator_id) references operators (id) on delete cascade
);
create index operator_sessions_of on operator_sessions (operator_id);

-- The secret of an operator's authenticator app, encrypted with the installation's secret.
create table operator_two_factors (
  id                        text primary key not null,
  operator_id               text not null,
  secret                    text not null,
  backup_codes              text not null,
  verified                  boolean default true,
  failed_verification_count integer default 0,
  locked_until              timestamptz,
  last_used_step            bigint,
  constraint operator_two_factors_operator_id_operators_id_fk foreign key (operator_id) references operators (id) on delete cascade
);
create index operator_two_factors_of on operator_two_factors (operator_id);

-- Pending verifications, such as the second factor of a sign-in.
create table operator_verifications (
  id         text primary key not null,
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index operator_verifications_by_identifier on operator_verifications (identifier);

-- Attempts to sign in, by IP address and endpoint. They are in the database so that all replicas count together.
create table operator_rate_limits (
  id           text primary key not null,
  key          text not null,
  count        integer not null,
  last_request bigint not null,
  constraint operator_rate_limits_key_unique unique (key)
);

-- Tries that are left for passwords of one account, for each kind of device: see auth/password-budget.ts. At most 2^20 rows.
create table password_budgets (
  bucket  integer primary key not null,
  full_at timestamptz not null
);

-- Links with which an operator sets a new password. Each works once. An operator has one link; a newer link replaces it.
create table password_resets (
  operator_id text primary key not null,
  token_hash  text not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  constraint password_resets_token_hash_unique unique (token_hash),
  constraint password_resets_operator_id_operators_id_fk foreign key (operator_id) references operators (id) on delete cascade
);

-- One customer project: one API key, many tenants.
create table projects (
  id                  bigint primary key generated always as identity,
  ref                 text not null,
  name                text not null,
  api_key_hash        text not null,
  api_key_start       text not null,
  api_key_last4       text not null,
  default_quota_bytes bigint,
  max_file_bytes      bigint not null,
  require_size        boolean default false not null,
  trash_days          integer default 0 not null,
  scan                scan_setting default 'off' not null,
  allow_unscannable   boolean default false not null,
  scan_queued_up_to   bigint,
  created_at          timestamptz not null,
  key_created_at      timestamptz not null,
  key_last_used_at    timestamptz,
  deleted_at          timestamptz,
  next_purge_at       timestamptz,
  constraint projects_ref_unique unique (ref),
  constraint projects_api_key_hash_unique unique (api_key_hash),
  constraint projects_quota_not_negative check (default_quota_bytes >= 0),
  constraint projects_trash_days check (trash_days between 0 and 90),
  constraint projects_max_file_not_negative check (max_file_bytes >= 0)
);
create index projects_to_purge on projects (next_purge_at) where next_purge_at is not null;
create index projects_to_queue_for_scans on projects (id) where scan_queued_up_to is not null;
create index projects_with_clamav on projects (id) where scan = 'clamav' and deleted_at is null;

-- The operators of a project and their roles.
create table project_members (
  project_id  bigint not null,
  operator_id text not null,
  role        member_role not null,
  created_at  timestamptz not null,
  constraint project_members_project_id_operator_id_pk primary key (project_id, operator_id),
  constraint project_members_project_id_projects_id_fk foreign key (project_id) references projects (id),
  constraint project_members_operator_id_operators_id_fk foreign key (operator_id) references operators (id) on delete cascade
);
create index project_members_of_operator on project_members (operator_id, project_id);

-- Links that make one person, identified by an e-mail address, a member of a project. Each works once.
create table invitations (
  project_id bigint not null,
  id         bigint generated always as identity,
  email      text not null,
  role       member_role not null,
  token_hash text not null,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint invitations_project_id_id_pk primary key (project_id, id),
  constraint invitations_token_hash_unique unique (token_hash),
  constraint invitations_project_id_projects_id_fk foreign key (project_id) references projects (id)
);

-- The actions of operators. There are no foreign keys, because an entry outlives its project and its operator.
create table audit_log (
  id             bigint primary key generated always as identity,
  project_id     bigint,
  operator_id    text,
  operator_email text not null,
  action         text not null,
  details        jsonb default '{}'::jsonb not null,
  ip_address     text not null,
  user_agent     text not null,
  at             timestamptz not null
);
create index audit_log_of_project on audit_log (project_id, at, id);
create index audit_log_of_action on audit_log (project_id, action, at, id);
create index audit_log_of_person on audit_log (project_id, operator_id, at, id);
create index audit_log_of_person_action on audit_log (project_id, operator_id, action, at, id);
create index audit_log_of_operator on audit_log (operator_id, at, id);
create index audit_log_refused_sign_ins on audit_log (at) where action = 'operator.sign_in_refused';

-- The customer's users. The counters change only in the transaction that also changes the file's row, so they always equal the sums over
-- `files`.
create table tenants (
  project_id          bigint not null,
  id                  bigint generated always as identity,
  tenant_id           text not null,
  ref                 text,
  quota_bytes         bigint,
  used_bytes          bigint default 0 not null,
  reserved_bytes      bigint default 0 not null,
  file_count          integer default 0 not null,
  quota_needs_bytes   bigint,
  quota_reached_bytes bigint,
  created_at          timestamptz not null,
  next_purge_at       timestamptz,
  constraint tenants_project_id_id_pk primary key (project_id, id),
  constraint tenants_tenant_id unique (project_id, tenant_id),
  constraint tenants_ref unique (project_id, ref),
  constraint tenants_used_not_negative check (used_bytes >= 0),
  constraint tenants_reserved_not_negative check (reserved_bytes >= 0),
  constraint tenants_file_count_not_negative check (file_count >= 0),
  constraint tenants_quota_not_negative check (quota_bytes >= 0),
  constraint tenants_project_id_projects_id_fk foreign key (project_id) references projects (id)
);
create index tenants_by_use on tenants (project_id, used_bytes, id);
create index tenants_to_purge on tenants (next_purge_at) where next_purge_at is not null;

-- One row for each requested upload.
create table files (
  project_id          bigint not null,
  id                  bigint generated always as identity,
  tenant              bigint not null,
  path                text collate "C" not null,
  filename            text not null,
  content_type        text not null,
  cache_control       text,
  declared_size       bigint,
  reserved_bytes      bigint default 0 not null,
  size                bigint,
  etag                text,
  metadata            jsonb default '{}'::jsonb not null,
  status              file_status default 'pending' not null,
  url_expires_at      timestamptz not null,
  created_at          timestamptz not null,
  stored_at           timestamptz,
  expires_at          timestamptz,
  purge_at            timestamptz,
  held                boolean default false not null,
  next_check_at       timestamptz,
  part_size           bigint,
  multipart           jsonb,
  scan_status         scan_status default 'none' not null,
  scan_signature      text,
  scanned_etag        text,
  image               jsonb,
  visibility          file_visibility default 'private' not null,
  place               file_visibility default 'private' not null,
  published_etag      text,
  has_other_copy      boolean default false not null,
  publish_ends_at     timestamptz default '1970-01-01T00:00:00.000Z' not null,
  revision            integer default 0 not null,
  constraint files_project_id_id_pk primary key (project_id, id),
  constraint files_path unique (project_id, path),
  constraint files_stored_has_size check (status <> 'stored' or size is not null),
  constraint files_parts_have_size check (part_size is null or declared_size is not null),
  constraint files_trashed
    check (case status::text when 'trashed' then purge_at is not null and size is not null when 'expired' then true else purge_at is null end),
  constraint files_only_pending_reserves check (status = 'pending' or reserved_bytes = 0),
  constraint files_tenant foreign key (project_id, tenant) references tenants (project_id, id)
);
create index files_by_status on files (project_id, status, created_at, id);
create index files_of_tenant on files (project_id, tenant, status, created_at, id);
create index files_by_name on files (project_id, status, lower(filename) collate "C", id) where status in ('stored', 'expired');
create index files_by_size on files (project_id, status, coalesce(size, declared_size, 0), id)
  where status in ('stored', 'expired');
create index files_to_check on files (((part_size is not null)::integer), next_check_at) where next_check_at is not null;
create index files_to_end on files (coalesce(purge_at, expires_at))
  where not held and (purge_at is not null or expires_at is not null and status = 'stored');
create index files_held on files (project_id, tenant) where held;
create index files_in_quarantine on files (project_id, id) where scan_status in ('infected', 'unscannable');

-- What is to be done about files: a virus scan, or a move of the object to the other bucket. A row is there while its work waits or runs.
create table file_tasks (
  project_id bigint not null,
  file_id    bigint not null,
  kind       file_task_kind not null,
  due_at     timestamptz not null,
  claim      integer default floor(random() * 1000000000)::integer not null,
  failures   integer default 0 not null,
  constraint file_tasks_project_id_file_id_kind_pk primary key (project_id, file_id, kind),
  constraint file_tasks_file foreign key (project_id, file_id) references files (project_id, id) on delete cascade
);
create index file_tasks_scans on file_tasks (project_id, due_at) where kind = 'scan';
create index file_tasks_moves on file_tasks (project_id, due_at) where kind = 'move';
create index file_tasks_scans_by_time on file_tasks (due_at) where kind = 'scan';
create index file_tasks_failing_scans on file_tasks (failures) where kind = 'scan' and failures > 0;

-- The events in the history of files that cannot be derived from a file's own row: replays, losses and deletes, and the events before the
-- first of them. An ordinary upload writes nothing here. See files/record/file-events.ts.
create table file_events (
  project_id bigint not null,
  file_id    bigint not null,
  id         bigint generated always as identity,
  kind       file_event_kind not null,
  at         timestamptz not null,
  size       bigint,
  etag       text,
  path       text collate "C" not null,
  filename   text not null,
  actor      text not null,
  forget_at  timestamptz,
  constraint file_events_project_id_file_id_id_pk primary key (project_id, file_id, id),
  constraint file_events_project_id_projects_id_fk foreign key (project_id) references projects (id)
);
create index file_events_to_forget on file_events (forget_at) where forget_at is not null;

-- Paths of deleted files that must stay empty. A URL that was signed before the delete can still write an object there.
create table tombstones (
  project_id       bigint not null,
  path             text not null,
  cancelled_tenant bigint,
  had_parts        boolean default false not null,
  is_removing      boolean default false not null,
  until            timestamptz not null,
  next_check_at    timestamptz not null,
  constraint tombstones_project_id_path_pk primary key (project_id, path),
  constraint tombstones_project_id_projects_id_fk foreign key (project_id) references projects (id)
);
create index tombstones_to_check on tombstones (next_check_at);

-- The `Idempotency-Key` of upload requests, with the upload that each one opened. Only `judge_uploads` writes it
-- (db/functions/judge_uploads.sql).
create table idempotency_keys (
  project_id    bigint not null,
  tenant        bigint not null,
  key           text not null,
  request_hash  text not null,
  path          text collate "C" not null,
  is_new_tenant boolean not null,
  expires_at    timestamptz not null,
  constraint idempotency_keys_project_id_tenant_key_pk primary key (project_id, tenant, key),
  constraint idempotency_keys_tenant foreign key (project_id, tenant) references tenants (project_id, id)
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);

-- The usage of one tenant.
create table usage_daily (
  project_id     bigint not null,
  tenant         bigint not null,
  day            date not null,
  uploads        integer not null,
  uploaded_bytes bigint not null,
  deleted_files  integer not null,
  deleted_bytes  bigint not null,
  constraint usage_daily_project_id_tenant_day_pk primary key (project_id, tenant, day),
  constraint usage_daily_tenant foreign key (project_id, tenant) references tenants (project_id, id)
);

-- The usage of a whole project: the sums over its tenants. They are stored, because a project may have millions of tenants.
create table project_usage_daily (
  project_id     bigint not null,
  day            date not null,
  slot           smallint not null,
  uploads        integer not null,
  uploaded_bytes bigint not null,
  deleted_files  integer not null,
  deleted_bytes  bigint not null,
  constraint project_usage_daily_project_id_day_slot_pk primary key (project_id, day, slot),
  constraint project_usage_daily_project_id_projects_id_fk foreign key (project_id) references projects (id)
);

-- How often a project's requests were refused, by day and error code.
create table refusals_daily (
  project_id bigint not null,
  day        date not null,
  code       text not null,
  count      bigint not null,
  constraint refusals_daily_project_id_day_code_pk primary key (project_id, day, code),
  constraint refusals_daily_counted check (count > 0),
  constraint refusals_daily_project_id_projects_id_fk foreign key (project_id) references projects (id)
);

-- The newest refused requests of each project: one row for each minute, reason and tenant. A project has at most about 500 rows, for 30
-- days: see usage/refused-request-buffer.ts.
create table refused_requests (
  project_id bigint not null,
  minute     timestamptz not null,
  code       text not null,
  tenant_id  text not null,
  count      bigint not null,
  last_at    timestamptz not null,
  constraint refused_requests_project_id_minute_code_tenant_id_pk primary key (project_id, minute, code, tenant_id),
  constraint refused_requests_counted check (count > 0),
  constraint refused_requests_project_id_projects_id_fk foreign key (project_id) references projects (id)
);

-- The sizes and formats in which a project hands out its images.
create table image_presets (
  project_id bigint not null,
  id         bigint generated always as identity,
  name       text not null,
  width      integer,
  height     integer,
  fit        preset_fit not null,
  format     image_format not null,
  quality    integer not null,
  eager      boolean not null,
  hash       text not null,
  avif_hash  text,
  created_at timestamptz not null,
  retired_at timestamptz,
  constraint image_presets_project_id_id_pk primary key (project_id, id),
  constraint image_presets_size check (width is not null or height is not null),
  constraint image_presets_project_id_projects_id_fk foreign key (project_id) references projects (id)
);
create unique index image_presets_name on image_presets (project_id, name) where retired_at is null;
create index image_presets_retired on image_presets (retired_at) where retired_at is not null;

-- One row for each image that is made of a file. It is there before its object, and stays until its object is removed, also when its file
-- is gone. So no object is without a row.
create table file_variants (
  project_id       bigint not null,
  file_id          bigint not null,
  preset_hash      text not null,
  source_etag      text not null,
  path             text collate "C" not null,
  parameters       jsonb not null,
  status           variant_status not null,
  due_at           timestamptz,
  publication      variant_publication default 'none' not null,
  claim            integer default 0 not null,
  failures         integer default 0 not null,
  decoder_failures integer default 0 not null,
  failure          variant_failure,
  retry_at         timestamptz,
  size             bigint,
  content_type     text,
  reason           text,
  created_at       timestamptz not null,
  constraint file_variants_project_id_file_id_preset_hash_source_etag_pk primary key (project_id, file_id, preset_hash, source_etag),
  constraint file_variants_ready_has_size check (status <> 'ready' or size is not null),
  constraint file_variants_project_id_projects_id_fk foreign key (project_id) references projects (id)
);
create index file_variants_to_make on file_variants (project_id, due_at) where status = 'waiting';
create index file_variants_by_time on file_variants (due_at) where status = 'waiting';
create index file_variants_to_remove on file_variants (due_at) where status = 'removing';
create index file_variants_by_path on file_variants (project_id, path);
create index file_variants_bytes on file_variants (project_id, size) where status = 'ready';
create index file_variants_of_preset on file_variants (project_id, preset_hash);
create index file_variants_failed on file_variants (project_id, file_id) where status = 'failed' and failure <> 'image';
create index file_variants_failing on file_variants (project_id, file_id) where status = 'waiting' and failures > 0;
create index file_variants_to_revise on file_variants (project_id) where status = 'failed' and failure is null;

-- Addresses that receive the events of a project: at most ten.
create table webhook_endpoints (
  project_id              bigint not null,
  id                      bigint generated always as identity,
  ref                     text not null,
  url                     text not null,
  description             text not null,
  events                  text[] not null,
  secret                  text not null,
  previous_secret         text,
  previous_secret_ends_at timestamptz,
  created_at              timestamptz not null,
  disabled_at             timestamptz,
  disabled_reason         text,
  failing_since           timestamptz,
  deleted_at              timestamptz,
  constraint webhook_endpoints_project_id_id_pk primary key (project_id, id),
  constraint webhook_endpoints_ref unique (project_id, ref),
  constraint webhook_endpoints_project_id_projects_id_fk foreign key (project_id) references projects (id)
);

-- Events that were not fanned out yet: a row for each call that emitted some. So a change of many files writes one row.
create table webhook_outbox (
  project_id bigint not null,
  position   timestamptz not null,
  id         uuid default gen_random_uuid() not null,
  type       text not null,
  at         timestamptz not null,
  wanted_by  bigint[] not null,
  skipped_by bigint[] not null,
  rows       json not null,
  by_tenant  json not null,
  constraint webhook_outbox_project_id_position_id_pk primary key (project_id, position, id),
  constraint webhook_outbox_project_id_projects_id_fk foreign key (project_id) references projects (id)
);

-- What happened. A row is never changed.
create table webhook_events (
  project_id bigint not null,
  id         uuid not null,
  type       text not null,
  subject    text not null,
  data       jsonb not null,
  at         timestamptz not null,
  constraint webhook_events_project_id_id_pk primary key (project_id, id),
  constraint webhook_events_project_id_projects_id_fk foreign key (project_id) references projects (id)
);
create index webhook_events_by_time on webhook_events (at);

-- An event for one endpoint.
create table webhook_deliveries (
  project_id      bigint not null,
  endpoint        bigint not null,
  event           uuid not null,
  subject         text not null,
  seq             bigint not null,
  state           webhook_delivery_state not null,
  attempts        integer default 0 not null,
  next_attempt_at timestamptz,
  delivered_at    timestamptz,
  last_status     integer,
  constraint webhook_deliveries_project_id_endpoint_event_pk primary key (project_id, endpoint, event)
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where next_attempt_at is not null;
create index webhook_deliveries_due_of_endpoint on webhook_deliveries (project_id, endpoint, next_attempt_at)
  where next_attempt_at is not null;
create index webhook_deliveries_undelivered on webhook_deliveries (project_id, endpoint, event)
  where state in ('failed', 'skipped');
create index webhook_deliveries_in_order on webhook_deliveries (project_id, endpoint, subject, seq)
  where next_attempt_at is not null;

-- The log of tries.
create table webhook_attempts (
  project_id  bigint not null,
  endpoint    bigint not null,
  event       uuid not null,
  at          timestamptz not null,
  status      integer,
  duration_ms integer not null,
  error       text,
  answer      text,
  constraint webhook_attempts_project_id_endpoint_event_at_pk primary key (project_id, endpoint, event, at)
);
