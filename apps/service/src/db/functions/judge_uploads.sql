-- Judges the uploads of some projects, changes their tenants, and answers a repeated `Idempotency-Key`. The caller inserts the files.
-- docs/decisions/0022 has the reasons.
--
-- Arguments: for each project its id in `project_ids`, the hash of its key in `key_hashes`, null for an operator, and its uploads in
--   `lists`: an array of objects, see `toColumns` in files/upload/admit-uploads.ts. `service_quota` the quota in bytes of tenants without
--   one of their own, of their plan or of the project, null for none; `service_limits` the other limits of the service, null for none.
-- Rows: for each upload, in their order, its `number`, `outcome` ('admitted', 'retry', 'key_reused', 'size_required', 'file_too_large',
--   'quota_exceeded', 'file_limit_exceeded', 'too_many_uploads', 'tenant_being_deleted'), `path`, `is_new_tenant`, the project's
--   `max_file_bytes`, `owner`, the tenant, where the caller has to insert a file, and `retry_after_s`, the seconds until an upload that was
--   one too many may be admitted. No rows for a project that does not have this key.
-- Locks: the tenants in the order of their projects and ids, then new tenants in the order of their projects and names, then what
--   reopen_upload, emit_tenant_events and clear_quotas lock.
-- Errors: 55P03 if a lock takes longer than a second.
--
-- One statement reads the tenants of all projects, and one changes them. Citus cannot run these, so they have a twin for one project.
-- ROWS 10: with the default of 1,000, PostgreSQL expects millions of files of several projects, and almost enough to compile the statement.
CREATE OR REPLACE FUNCTION judge_uploads(project_ids bigint[], key_hashes text[], lists json[], service_quota bigint, service_limits jsonb DEFAULT NULL)
RETURNS TABLE (number int, outcome text, path text, is_new_tenant boolean, max_file_bytes bigint, owner bigint, retry_after_s int)
LANGUAGE plpgsql ROWS 10 SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '1s' AS $$
#variable_conflict use_column
DECLARE
  -- Citus runs only statements that name the project.
  only_project bigint := CASE WHEN cardinality(project_ids) = 1 THEN project_ids[1] END;
  -- The projects, in the order of the arguments. One that does not have its key has no ref.
  project_refs text[];
  size_limits bigint[];
  need_sizes boolean[];
  project_quotas bigint[];
  -- The limits of tenants that neither they nor their plans set; null for none.
  defaults jsonb[];
  -- The uploads: the place of their project, and what they ask for.
  places bigint[];
  numbers int[];
  names text[];
  sizes bigint[];
  new_refs text[];
  object_names text[];
  keys text[];
  upload_projects bigint[];
  wanted text[];
  -- The tenants. `known` has the id of the project and the name.
  owners bigint[];
  ids bigint[];
  tenant_names text[];
  known text[];
  taken bigint[];
  quotas bigint[];
  refs text[];
  leaving boolean[];
  -- Whether a tenant has a plan or limits of its own.
  limited boolean[];
  -- How many more files, open uploads and uploads of this minute a tenant may have, and how many empty files. Null for no limit.
  file_rooms bigint[];
  open_rooms bigint[];
  minute_rooms bigint[];
  empty_rooms bigint[];
  minute_starts timestamptz[];
  minute_counts int[];
  minute_start timestamptz;
  minute_count int;
  has_empty boolean;
  refusal text;
  reserved bigint[] := '{}';
  raced text[] := '{}';
  opens boolean := false;
  reopened boolean := false;
  claimed text[] := '{}';
  place int;
  t int;
  new_id bigint;
  upload json;
  verdict text;
  -- For each tenant, what webhooks tell of its quota.
  needs bigint[];
  missing bigint[];
  quota bigint;
  -- Places of tenants.
  created int[] := '{}';
  reached int[] := '{}';
  fitting int[] := '{}';
  requested_at timestamptz := lists[1] -> 0 ->> 'at';
  u record;
BEGIN
  IF only_project IS NOT NULL THEN
    SELECT ARRAY[ref], ARRAY[max_file_bytes], ARRAY[require_size], ARRAY[default_quota_bytes],
           ARRAY[CASE WHEN service_limits IS NULL THEN default_limits ELSE service_limits || coalesce(default_limits, '{}') END]
    INTO project_refs, size_limits, need_sizes, project_quotas, defaults
    FROM projects
    WHERE id = only_project AND CASE WHEN key_hashes[1] IS NULL THEN deleted_at IS NULL ELSE api_key_hash = key_hashes[1] END;
    IF NOT FOUND THEN RETURN; END IF;
  ELSE
    -- The same project may come with another key, which is not its own: its id is then null at that place.
    SELECT array_agg(id), array_agg(ref), array_agg(max_file_bytes), array_agg(require_size), array_agg(default_quota_bytes),
           array_agg(CASE WHEN service_limits IS NULL THEN default_limits ELSE service_limits || coalesce(default_limits, '{}') END)
    INTO project_ids, project_refs, size_limits, need_sizes, project_quotas, defaults
    FROM (SELECT id, ref, max_file_bytes, require_size, default_quota_bytes, default_limits
          FROM unnest(project_ids, key_hashes) WITH ORDINALITY AS c (project_id, key_hash, place)
          LEFT JOIN projects ON id = project_id
            AND CASE WHEN key_hash IS NULL THEN deleted_at IS NULL ELSE api_key_hash = key_hash END
          ORDER BY c.place) asked;
  END IF;

  SELECT array_agg(c.place), array_agg(r.number), array_agg(r.tenant_id), array_agg(r.size),
         array_agg(r.new_ref), array_agg(r.object_name), array_agg(r.idempotency_key), array_agg(project_ids[c.place]),
         array_agg(project_ids[c.place] || ' ' || r.tenant_id)
  INTO places, numbers, names, sizes, new_refs, object_names, keys, upload_projects, wanted
  FROM unnest(lists) WITH ORDINALITY AS c (list, place)
  CROSS JOIN LATERAL json_to_recordset(c.list) AS r (
    number int, tenant_id text, size bigint, new_ref text, object_name text, idempotency_key text)
  WHERE project_refs[c.place] IS NOT NULL;
  IF numbers IS NULL THEN RETURN; END IF;

  -- Reads the counters after it has the lock. This is what lets 200 concurrent requests admit exactly as many uploads as fit.
  IF only_project IS NOT NULL THEN
    SELECT array_agg(project_id), array_agg(id), array_agg(tenant_id), array_agg(used_bytes + reserved_bytes), array_agg(quota_of(quota_bytes, project_quotas[1], service_quota)),
           array_agg(ref), array_agg(next_purge_at IS NOT NULL), array_agg(quota_needs_bytes), array_agg(project_id || ' ' || tenant_id),
           array_agg(plan IS NOT NULL OR limits IS NOT NULL)
    INTO owners, ids, tenant_names, taken, quotas, refs, leaving, needs, known, limited
    FROM (SELECT * FROM tenants WHERE project_id = only_project AND tenant_id = ANY (names) ORDER BY id FOR UPDATE) locked;
  ELSE
    SELECT array_agg(project_id), array_agg(id), array_agg(tenant_id), array_agg(used_bytes + reserved_bytes), array_agg(quota_of(quota_bytes, project_quotas[array_position(project_ids, project_id)], service_quota)),
           array_agg(ref), array_agg(next_purge_at IS NOT NULL), array_agg(quota_needs_bytes), array_agg(project_id || ' ' || tenant_id),
           array_agg(plan IS NOT NULL OR limits IS NOT NULL)
    INTO owners, ids, tenant_names, taken, quotas, refs, leaving, needs, known, limited
    FROM (SELECT * FROM tenants WHERE (project_id, tenant_id) IN (SELECT * FROM unnest(upload_projects, names))
          ORDER BY project_id, id FOR UPDATE) locked;
  END IF;

  -- Creates the other tenants. Each one gets the ref that its first upload offers; that upload is the one that created it.
  -- A tenant is not created if all its uploads will be refused.
  known := coalesce(known, '{}');
  IF NOT wanted <@ known THEN
    FOR u IN
      SELECT w.project_id, w.tenant_id, w.key, (array_agg(w.new_ref ORDER BY w.n))[1] AS ref, min(project_quotas[w.place]) AS quota
      FROM unnest(upload_projects, places, names, sizes, new_refs, wanted)
           WITH ORDINALITY AS w (project_id, place, tenant_id, size, new_ref, key, n)
      WHERE NOT w.key = ANY (known)
        AND CASE WHEN w.size IS NULL THEN NOT need_sizes[w.place] ELSE w.size <= size_limits[w.place] END
        AND fits_quota(w.size, 0, quota_of(NULL, project_quotas[w.place], service_quota))
        AND ('{"maxFiles": 0}' <@ defaults[w.place] OR '{"maxOpenUploads": 0}' <@ defaults[w.place] OR '{"uploadsPerMinute": 0}' <@ defaults[w.place]) IS NOT TRUE
      GROUP BY w.project_id, w.tenant_id, w.key ORDER BY w.project_id, w.tenant_id
    LOOP
      INSERT INTO tenants (project_id, tenant_id, ref, created_at) VALUES (u.project_id, u.tenant_id, u.ref, requested_at)
      ON CONFLICT (project_id, tenant_id) DO NOTHING RETURNING id INTO new_id;
      IF FOUND THEN
        owners := owners || u.project_id;
        ids := ids || new_id;
        tenant_names := tenant_names || u.tenant_id;
        known := known || u.key;
        taken := taken || 0::bigint;
        quotas := quotas || quota_of(NULL, u.quota, service_quota);
        needs := needs || NULL::bigint;
        refs := refs || u.ref;
        leaving := leaving || false;
        limited := limited || false;
      ELSE
        raced := raced || u.key;
      END IF;
    END LOOP;
  END IF;
  reserved := array_fill(0::bigint, ARRAY[cardinality(known)]);

  -- Most tenants have no limits but the quota. A quota also limits the files that take none of it, so those are counted too.
  has_empty := array_position(sizes, NULL) IS NOT NULL OR 0 = ANY (sizes);
  FOR i IN 1 .. cardinality(known) LOOP
    place := array_position(project_ids, owners[i]);
    CONTINUE WHEN NOT limited[i] AND defaults[place] IS NULL AND (quotas[i] IS NULL OR NOT has_empty);
    SELECT * INTO u FROM limits_of_tenant(owners[i], ids[i], defaults[place], has_empty);
    quotas[i] := coalesce(u.quota, quotas[i]);
    file_rooms[i] := u.max_files - u.files;
    open_rooms[i] := u.max_open_uploads - u.open_uploads;
    IF u.max_files IS NULL THEN empty_rooms[i] := 300 + quotas[i] / 100 - u.files; END IF;
    CONTINUE WHEN u.uploads_per_minute IS NULL;
    -- The clocks of two replicas may differ.
    IF requested_at >= u.minute_started_at + interval '1 minute' OR requested_at < u.minute_started_at - interval '1 minute'
       OR u.minute_started_at IS NULL THEN
      minute_starts[i] := requested_at;
      minute_counts[i] := 0;
    ELSE
      minute_starts[i] := u.minute_started_at;
      minute_counts[i] := u.minute_uploads;
    END IF;
    minute_rooms[i] := u.uploads_per_minute - minute_counts[i];
  END LOOP;

  -- Judges the uploads in their order: an upload is admitted if it fits beside those that were admitted before it.
  FOR i IN 1 .. cardinality(numbers) LOOP
    place := places[i];
    t := array_position(known, wanted[i]);
    verdict := NULL;
    path := NULL;
    is_new_tenant := NULL;
    owner := NULL;
    retry_after_s := NULL;
    refusal := CASE WHEN file_rooms[t] <= 0 OR empty_rooms[t] <= 0 AND coalesce(sizes[i], 0) = 0 THEN 'file_limit_exceeded'
                    WHEN open_rooms[t] <= 0 THEN 'too_many_uploads' END;
    IF leaving[t] THEN
      verdict := 'tenant_being_deleted';
    ELSIF minute_rooms[t] <= 0 THEN
      verdict := 'too_many_uploads';
      retry_after_s := greatest(1, ceil(extract(epoch FROM minute_starts[t] + interval '1 minute' - requested_at)));
    ELSIF keys[i] IS NOT NULL AND t IS NOT NULL THEN
      upload := lists[place] -> (i - array_position(places, place));
      IF t || ' ' || keys[i] = ANY (claimed) THEN
        verdict := 'retry';
      ELSE
        SELECT * INTO u FROM reopen_upload(owners[t], ids[t], upload, quotas[t] - taken[t], refusal);
        verdict := u.outcome;
        IF verdict = 'admitted' THEN
          path := u.path;
          is_new_tenant := u.is_new_tenant;
          taken[t] := taken[t] + u.reserved;
          reserved[t] := reserved[t] + u.reserved;
          reopened := true;
          IF u.was_expired THEN
            file_rooms[t] := file_rooms[t] - 1;
            open_rooms[t] := open_rooms[t] - 1;
            empty_rooms[t] := empty_rooms[t] - 1;
          END IF;
        END IF;
      END IF;
    END IF;
    IF verdict IS NOT NULL THEN
      NULL;
    ELSIF sizes[i] IS NULL AND need_sizes[place] THEN
      verdict := 'size_required';
    ELSIF sizes[i] > size_limits[place] THEN
      verdict := 'file_too_large';
    ELSIF t IS NULL THEN
      verdict := CASE WHEN wanted[i] = ANY (raced) THEN 'retry'
                      WHEN NOT fits_quota(sizes[i], 0, quota_of(NULL, project_quotas[place], service_quota)) THEN 'quota_exceeded'
                      WHEN '{"maxFiles": 0}' <@ defaults[place] THEN 'file_limit_exceeded'
                      ELSE 'too_many_uploads' END;
    ELSIF NOT fits_quota(sizes[i], taken[t], quotas[t]) THEN
      verdict := 'quota_exceeded';
    ELSIF refusal IS NOT NULL THEN
      verdict := refusal;
    ELSE
      verdict := 'admitted';
      file_rooms[t] := file_rooms[t] - 1;
      open_rooms[t] := open_rooms[t] - 1;
      empty_rooms[t] := empty_rooms[t] - 1;
      IF sizes[i] > 0 THEN
        taken[t] := taken[t] + sizes[i];
        reserved[t] := reserved[t] + sizes[i];
      END IF;
      -- A tenant whose quota was set before its first upload has no ref yet.
      IF refs[t] IS NULL THEN refs[t] := new_refs[i]; END IF;
      path := 'projects/' || project_refs[place] || '/tenants/' || refs[t] || '/' || object_names[i];
      is_new_tenant := refs[t] = new_refs[i];
      IF is_new_tenant THEN created := created || t; END IF;
      owner := ids[t];
      opens := true;
      IF keys[i] IS NOT NULL THEN
        claimed := claimed || (t || ' ' || keys[i]);
        INSERT INTO idempotency_keys AS kept (project_id, tenant, key, request_hash, path, is_new_tenant, expires_at)
        VALUES (owners[t], ids[t], keys[i], upload ->> 'request_hash', path, is_new_tenant, (upload ->> 'key_expires_at')::timestamptz)
        ON CONFLICT (project_id, tenant, key) DO UPDATE SET
          request_hash = excluded.request_hash, path = excluded.path, is_new_tenant = excluded.is_new_tenant,
          expires_at = excluded.expires_at;
      END IF;
    END IF;
    IF verdict = 'quota_exceeded' AND t IS NOT NULL THEN missing[t] := greatest(missing[t], sizes[i], 1); END IF;
    IF minute_rooms[t] > 0 AND verdict NOT IN ('retry', 'too_many_uploads') THEN
      minute_rooms[t] := minute_rooms[t] - 1;
      minute_counts[t] := minute_counts[t] + 1;
    END IF;
    number := numbers[i];
    outcome := verdict;
    max_file_bytes := size_limits[place];
    RETURN NEXT;
  END LOOP;

  IF NOT opens AND NOT reopened THEN
    NULL;
  ELSIF only_project IS NOT NULL THEN
    -- By name, not by id: without statistics PostgreSQL 18 finds several ids by the index tenants_by_use, and reads it whole.
    UPDATE tenants SET
      reserved_bytes = reserved_bytes + reserved[array_position(tenant_names, tenant_id)],
      ref = coalesce(ref, refs[array_position(tenant_names, tenant_id)])
    WHERE project_id = only_project AND tenant_id = ANY (tenant_names);
  ELSE
    UPDATE tenants AS changed SET reserved_bytes = reserved_bytes + sums.reserved, ref = coalesce(changed.ref, sums.ref)
    FROM unnest(owners, tenant_names, reserved, refs) AS sums (project_id, tenant_id, reserved, ref)
    WHERE changed.project_id = sums.project_id AND changed.tenant_id = sums.tenant_id;
  END IF;

  FOR i IN 1 .. cardinality(known) LOOP
    IF minute_rooms[i] IS NOT NULL THEN
      minute_start := minute_starts[i];
      minute_count := minute_counts[i];
      UPDATE tenants SET minute_started_at = minute_start, minute_uploads = minute_count
      WHERE project_id = owners[i] AND id = ids[i] AND (minute_started_at, minute_uploads) IS DISTINCT FROM (minute_start, minute_count);
    END IF;
    -- In a variable of its own, for Citus 13.2.2.
    quota := quotas[i];
    IF needs[i] IS NOT NULL THEN
      -- The quota may have been raised for the whole project.
      UPDATE tenants SET quota_reached_bytes = quota
      WHERE project_id = owners[i] AND id = ids[i] AND quota_reached_bytes IS DISTINCT FROM quota;
      IF missing[i] IS NULL THEN fitting := fitting || i; END IF;
    ELSIF missing[i] IS NOT NULL OR (reserved[i] > 0 AND NOT fits_quota(NULL, taken[i], quota)) THEN
      -- Tracked only for an endpoint that gets to know it.
      PERFORM FROM webhook_endpoints w
      WHERE w.project_id = owners[i] AND w.deleted_at IS NULL AND w.events && ARRAY['tenant.quota_reached', 'tenant.quota_cleared'];
      CONTINUE WHEN NOT FOUND;
      UPDATE tenants SET quota_needs_bytes = greatest(missing[i], 1), quota_reached_bytes = quota
      WHERE project_id = owners[i] AND id = ids[i];
      reached := reached || i;
    END IF;
  END LOOP;
  IF cardinality(created || reached || fitting) > 0 THEN
    FOR u IN SELECT owners[n] AS project, array_agg(ids[n]) AS tenants FROM unnest(created) AS n GROUP BY 1 ORDER BY 1 LOOP
      PERFORM emit_tenant_events(u.project, 'tenant.created', requested_at, u.tenants);
    END LOOP;
    FOR u IN SELECT owners[n] AS project, array_agg(ids[n]) AS tenants FROM unnest(reached) AS n GROUP BY 1 ORDER BY 1 LOOP
      PERFORM emit_tenant_events(u.project, 'tenant.quota_reached', requested_at, u.tenants);
    END LOOP;
    FOR u IN SELECT owners[n] AS project, array_agg(ids[n]) AS tenants FROM unnest(fitting) AS n GROUP BY 1 ORDER BY 1 LOOP
      PERFORM clear_quotas(u.project, requested_at, u.tenants);
    END LOOP;
  END IF;
END $$;
