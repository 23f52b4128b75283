-- The limits of a tenant and what counts toward them: its own limits, else those of its plan, else the defaults. Zero is a limit too.
--
-- Arguments: `p` the project's id; `t` tenants.id; `defaults` the limits of the project, else those of the service, null for none;
--   `counts` whether open uploads are counted also if no limit needs it.
-- Rows: one. `quota` the tenant's own quota in bytes, else its plan's; `max_files`, `max_open_uploads` and `uploads_per_minute`, each null
--   for no limit; `open_uploads`, and `files` with those in the trash and the open uploads, or null if they were not counted. An upload
--   that will replace a file without a trash is not one more file. `minute_started_at` and `minute_uploads` as in tenants.
-- Locks: none. The caller holds the tenant, so meanwhile no upload is admitted, counted or stored.
-- Errors: none.
CREATE OR REPLACE FUNCTION limits_of_tenant(
  p bigint, t bigint, defaults jsonb, counts boolean,
  OUT quota bigint, OUT max_files bigint, OUT max_open_uploads bigint, OUT uploads_per_minute bigint,
  OUT files bigint, OUT open_uploads bigint, OUT minute_started_at timestamptz, OUT minute_uploads int)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  u record;
  l jsonb;
BEGIN
  SELECT n.file_count, n.quota_bytes, n.limits, n.minute_started_at, n.minute_uploads,
         q.quota_bytes AS plan_quota, q.limits AS plan_limits INTO u
  FROM tenants n LEFT JOIN plans q ON q.project_id = n.project_id AND q.name = n.plan
  WHERE n.project_id = p AND n.id = t;
  l := coalesce(defaults, '{}') || coalesce(u.plan_limits, '{}') || coalesce(u.limits, '{}');
  quota := coalesce(u.quota_bytes, u.plan_quota);
  max_files := (l ->> 'maxFiles')::bigint;
  max_open_uploads := (l ->> 'maxOpenUploads')::bigint;
  uploads_per_minute := (l ->> 'uploadsPerMinute')::bigint;
  minute_started_at := u.minute_started_at;
  minute_uploads := u.minute_uploads;
  IF counts OR max_files IS NOT NULL OR max_open_uploads IS NOT NULL THEN
    SELECT count(*), u.file_count + count(*) FILTER (WHERE NOT f.is_replacement OR NOT EXISTS (
      SELECT FROM replacements r WHERE r.project_id = p AND r.new_file = f.id AND NOT r.trashes_old))
    INTO open_uploads, files
    FROM files f WHERE f.project_id = p AND f.tenant = t AND f.status = 'pending';
  END IF;
END $$;
