-- Judges the uploads of one project, changes its tenants, and answers a repeated `Idempotency-Key`. The caller inserts the files.
-- docs/decisions/0022 has the reasons.
--
-- Arguments: `p` the project's id; `key_hash` the hash of its key, null for an operator; `uploads` an array of objects, see `toColumns` in
--   files/upload/admit-uploads.ts; `service_quota` the quota in bytes of tenants without one of their own or of the project, null for none.
-- Rows: for each upload, in their order, its `number`, `outcome` ('admitted', 'retry', 'key_reused', 'size_required', 'file_too_large',
--   'quota_exceeded', 'tenant_being_deleted'), `path`, `is_new_tenant`, the project's `max_file_bytes`, and `owner`, the tenant, where the
--   caller has to insert a file. No rows if the project does not have this key.
-- Locks: the tenants in the order of their ids, then new tenants in the order of their names, then what reopen_upload,
--   emit_tenant_events and clear_quotas lock.
-- Errors: 55P03 if a lock takes longer than a second.
--
-- ROWS 10: with the default of 1,000, PostgreSQL expects millions of files of several projects, and almost enough to compile the statement.
CREATE OR REPLACE FUNCTION judge_uploads(p bigint, key_hash text, uploads json, service_quota bigint)
RETURNS TABLE (number int, outcome text, path text, is_new_tenant boolean, max_file_bytes bigint, owner bigint)
LANGUAGE plpgsql ROWS 10 SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '1s' AS $$
#variable_conflict use_column
DECLARE
  project_ref text;
  size_limit bigint;
  needs_size boolean;
  project_quota bigint;
  -- The uploads, in the order of the array.
  numbers int[];
  names text[];
  sizes bigint[];
  new_refs text[];
  object_names text[];
  keys text[];
  -- The tenants.
  ids bigint[] := '{}';
  known text[] := '{}';
  taken bigint[] := '{}';
  quotas bigint[] := '{}';
  refs text[] := '{}';
  leaving boolean[] := '{}';
  reserved bigint[] := '{}';
  raced text[] := '{}';
  opens boolean := false;
  reopened boolean := false;
  claimed text[] := '{}';
  t int;
  new_id bigint;
  verdict text;
  -- For each tenant, what webhooks tell of its quota.
  needs bigint[] := '{}';
  missing bigint[];
  created bigint[] := '{}';
  reached bigint[] := '{}';
  fitting bigint[] := '{}';
  quota bigint;
  requested_at timestamptz := uploads -> 0 ->> 'at';
  u record;
BEGIN
  SELECT ref, max_file_bytes, require_size, default_quota_bytes
  INTO project_ref, size_limit, needs_size, project_quota
  FROM projects
  WHERE id = p AND CASE WHEN key_hash IS NULL THEN deleted_at IS NULL ELSE api_key_hash = key_hash END;
  IF NOT FOUND THEN RETURN; END IF;
  max_file_bytes := size_limit;

  SELECT array_agg(r.number), array_agg(r.tenant_id), array_agg(r.size), array_agg(r.new_ref), array_agg(r.object_name),
         array_agg(r.idempotency_key)
  INTO numbers, names, sizes, new_refs, object_names, keys
  FROM json_to_recordset(uploads) AS r (
    number int, tenant_id text, size bigint, new_ref text, object_name text, idempotency_key text);

  -- Reads the counters after it has the lock. This is what lets 200 concurrent requests admit exactly as many uploads as fit.
  FOR u IN
    SELECT id, tenant_id, used_bytes + reserved_bytes AS taken, quota_of(quota_bytes, project_quota, service_quota) AS quota, ref,
           next_purge_at IS NOT NULL AS is_leaving, quota_needs_bytes
    FROM tenants WHERE project_id = p AND tenant_id = ANY (names) ORDER BY id FOR UPDATE
  LOOP
    ids := ids || u.id;
    known := known || u.tenant_id;
    taken := taken || u.taken;
    quotas := quotas || u.quota;
    needs := needs || u.quota_needs_bytes;
    refs := refs || u.ref;
    leaving := leaving || u.is_leaving;
  END LOOP;

  -- Creates the other tenants. Each one gets the ref that its first upload offers; that upload is the one that created it.
  -- A tenant is not created if all its uploads will be refused.
  IF NOT names <@ known THEN
    FOR u IN
      SELECT r.tenant_id, (array_agg(r.new_ref ORDER BY r.number))[1] AS ref, min(r.at) AS at
      FROM json_to_recordset(uploads) AS r (number int, tenant_id text, size bigint, new_ref text, at timestamptz)
      WHERE NOT r.tenant_id = ANY (known)
        AND CASE WHEN r.size IS NULL THEN NOT needs_size ELSE r.size <= size_limit END
        AND fits_quota(r.size, 0, quota_of(NULL, project_quota, service_quota))
      GROUP BY r.tenant_id ORDER BY r.tenant_id
    LOOP
      INSERT INTO tenants (project_id, tenant_id, ref, created_at) VALUES (p, u.tenant_id, u.ref, u.at)
      ON CONFLICT (project_id, tenant_id) DO NOTHING RETURNING id INTO new_id;
      IF FOUND THEN
        ids := ids || new_id;
        known := known || u.tenant_id;
        taken := taken || 0::bigint;
        quotas := quotas || quota_of(NULL, project_quota, service_quota);
        needs := needs || NULL::bigint;
        refs := refs || u.ref;
        leaving := leaving || false;
      ELSE
        raced := raced || u.tenant_id;
      END IF;
    END LOOP;
  END IF;
  reserved := array_fill(0::bigint, ARRAY[cardinality(ids)]);

  -- Judges the uploads in their order: an upload is admitted if it fits beside those that were admitted before it.
  FOR i IN 1 .. coalesce(cardinality(numbers), 0) LOOP
    t := array_position(known, names[i]);
    verdict := NULL;
    path := NULL;
    is_new_tenant := NULL;
    owner := NULL;
    IF leaving[t] THEN
      verdict := 'tenant_being_deleted';
    ELSIF keys[i] IS NOT NULL AND t IS NOT NULL THEN
      IF t || ' ' || keys[i] = ANY (claimed) THEN
        verdict := 'retry';
      ELSE
        SELECT * INTO u FROM reopen_upload(p, ids[t], uploads -> (i - 1), quotas[t] - taken[t]);
        verdict := u.outcome;
        IF verdict = 'admitted' THEN
          path := u.path;
          is_new_tenant := u.is_new_tenant;
          taken[t] := taken[t] + u.reserved;
          reserved[t] := reserved[t] + u.reserved;
          reopened := true;
        END IF;
      END IF;
    END IF;
    IF verdict IS NOT NULL THEN
      NULL;
    ELSIF sizes[i] IS NULL AND needs_size THEN
      verdict := 'size_required';
    ELSIF sizes[i] > size_limit THEN
      verdict := 'file_too_large';
    ELSIF t IS NULL THEN
      verdict := CASE WHEN names[i] = ANY (raced) THEN 'retry' ELSE 'quota_exceeded' END;
    ELSIF NOT fits_quota(sizes[i], taken[t], quotas[t]) THEN
      verdict := 'quota_exceeded';
    ELSE
      verdict := 'admitted';
      IF sizes[i] > 0 THEN
        taken[t] := taken[t] + sizes[i];
        reserved[t] := reserved[t] + sizes[i];
      END IF;
      -- A tenant whose quota was set before its first upload has no ref yet.
      IF refs[t] IS NULL THEN refs[t] := new_refs[i]; END IF;
      path := 'projects/' || project_ref || '/tenants/' || refs[t] || '/' || object_names[i];
      is_new_tenant := refs[t] = new_refs[i];
      IF is_new_tenant THEN created := created || ids[t]; END IF;
      owner := ids[t];
      opens := true;
      IF keys[i] IS NOT NULL THEN
        claimed := claimed || (t || ' ' || keys[i]);
        INSERT INTO idempotency_keys AS kept (project_id, tenant, key, request_hash, path, is_new_tenant, expires_at)
        VALUES (p, ids[t], keys[i], uploads -> (i - 1) ->> 'request_hash', path, is_new_tenant,
                (uploads -> (i - 1) ->> 'key_expires_at')::timestamptz)
        ON CONFLICT (project_id, tenant, key) DO UPDATE SET
          request_hash = excluded.request_hash, path = excluded.path, is_new_tenant = excluded.is_new_tenant,
          expires_at = excluded.expires_at;
      END IF;
    END IF;
    IF verdict = 'quota_exceeded' AND t IS NOT NULL THEN missing[t] := greatest(missing[t], sizes[i], 1); END IF;
    number := numbers[i];
    outcome := verdict;
    RETURN NEXT;
  END LOOP;

  IF opens OR reopened THEN
    -- By name, not by id: without statistics PostgreSQL 18 finds several ids by the index tenants_by_use, and reads it whole.
    UPDATE tenants SET
      reserved_bytes = reserved_bytes + reserved[array_position(known, tenant_id)],
      ref = coalesce(ref, refs[array_position(known, tenant_id)])
    WHERE project_id = p AND tenant_id = ANY (known);
  END IF;

  IF cardinality(created) > 0 THEN PERFORM emit_tenant_events(p, 'tenant.created', requested_at, created); END IF;
  FOR i IN 1 .. cardinality(ids) LOOP
    quota := quotas[i];
    IF needs[i] IS NOT NULL THEN
      -- The quota may have been raised for the whole project.
      UPDATE tenants SET quota_reached_bytes = quota
      WHERE project_id = p AND id = ids[i] AND quota_reached_bytes IS DISTINCT FROM quota;
      IF missing[i] IS NULL THEN fitting := fitting || ids[i]; END IF;
    ELSIF missing[i] IS NOT NULL OR (reserved[i] > 0 AND NOT fits_quota(NULL, taken[i], quota)) THEN
      -- Tracked only for an endpoint that gets to know it.
      PERFORM FROM webhook_endpoints w
      WHERE w.project_id = p AND w.deleted_at IS NULL AND w.events && ARRAY['tenant.quota_reached', 'tenant.quota_cleared'];
      CONTINUE WHEN NOT FOUND;
      UPDATE tenants SET quota_needs_bytes = greatest(missing[i], 1), quota_reached_bytes = quota
      WHERE project_id = p AND id = ids[i];
      reached := reached || ids[i];
    END IF;
  END LOOP;
  IF cardinality(reached) > 0 THEN PERFORM emit_tenant_events(p, 'tenant.quota_reached', requested_at, reached); END IF;
  IF cardinality(fitting) > 0 THEN PERFORM clear_quotas(p, requested_at, fitting); END IF;
END $$;
