-- Adds to the usage per day of tenants and of their project.
--
-- Arguments: `p` the project's id; `today` the day in UTC; `changes` an array of objects with `tenant` (tenants.id), `uploads`,
--   `uploaded_bytes`, `deleted_files`, `deleted_bytes`, at most one for each tenant; `at` the time of the changes, to the millisecond. A
--   time outside of the day counts as its start or its end. Replicas of the version before do not pass it.
-- Rows: none.
-- Locks: the caller holds the tenants. Rows of usage_daily, then the slots of project_usage_daily in their order.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION add_daily_usage(p bigint, today date, changes json, at timestamptz DEFAULT clock_timestamp()) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  owners bigint[];
  new_uploads int[];
  new_bytes bigint[];
  new_deletes int[];
  deleted bigint[];
  -- By how many bytes the usage changes.
  growths bigint[];
  -- From the changes to the end of the day.
  ms_left bigint := greatest(0, least(86400000, floor(1000 * (extract(epoch FROM today + 1) - extract(epoch FROM at)))));
  slots smallint[];
  known bigint[] := '{}';
  row_count int := 0;
  seen record;
BEGIN
  SELECT array_agg(c.tenant), array_agg(c.uploads), array_agg(c.uploaded_bytes), array_agg(c.deleted_files), array_agg(c.deleted_bytes),
         array_agg(c.uploaded_bytes - c.deleted_bytes)
  INTO owners, new_uploads, new_bytes, new_deletes, deleted, growths
  FROM json_to_recordset(changes) AS c (
    tenant bigint, uploads int, uploaded_bytes bigint, deleted_files int, deleted_bytes bigint)
  WHERE (c.uploads, c.uploaded_bytes, c.deleted_files, c.deleted_bytes) <> (0, 0, 0, 0);
  IF owners IS NULL THEN RETURN; END IF;

  -- For one tenant, the insert below alone is cheaper.
  IF cardinality(owners) > 1 THEN
    FOR seen IN
      UPDATE usage_daily SET
        uploads = uploads + CASE WHEN tenant > 0 THEN new_uploads[array_position(owners, tenant)] END,
        uploaded_bytes = uploaded_bytes + CASE WHEN tenant > 0 THEN new_bytes[array_position(owners, tenant)] END,
        deleted_files = deleted_files + CASE WHEN tenant > 0 THEN new_deletes[array_position(owners, tenant)] END,
        deleted_bytes = deleted_bytes + CASE WHEN tenant > 0 THEN deleted[array_position(owners, tenant)] END,
        byte_ms = byte_ms + CASE WHEN tenant > 0 THEN growths[array_position(owners, tenant)]::numeric * ms_left END,
        peak_growth_bytes = greatest(peak_growth_bytes, uploaded_bytes - deleted_bytes
          + CASE WHEN tenant > 0 THEN growths[array_position(owners, tenant)] END)
      WHERE project_id = p AND day = today AND tenant = ANY (owners)
      RETURNING tenant
    LOOP
      known := known || seen.tenant;
    END LOOP;
  END IF;
  FOR i IN 1 .. cardinality(owners) LOOP
    CONTINUE WHEN owners[i] = ANY (known);
    INSERT INTO usage_daily AS kept
      (project_id, tenant, day, uploads, uploaded_bytes, deleted_files, deleted_bytes, byte_ms, peak_growth_bytes)
    VALUES (p, owners[i], today, new_uploads[i], new_bytes[i], new_deletes[i], deleted[i],
            growths[i]::numeric * ms_left, greatest(0, growths[i]))
    ON CONFLICT (project_id, tenant, day) DO UPDATE SET
      uploads = kept.uploads + excluded.uploads, uploaded_bytes = kept.uploaded_bytes + excluded.uploaded_bytes,
      deleted_files = kept.deleted_files + excluded.deleted_files, deleted_bytes = kept.deleted_bytes + excluded.deleted_bytes,
      byte_ms = kept.byte_ms + excluded.byte_ms,
      peak_growth_bytes = greatest(kept.peak_growth_bytes,
        kept.uploaded_bytes - kept.deleted_bytes + excluded.uploaded_bytes - excluded.deleted_bytes);
  END LOOP;

  SELECT array_agg(s.slot), array_agg(s.uploads), array_agg(s.uploaded_bytes), array_agg(s.deleted_files), array_agg(s.deleted_bytes),
         array_agg(s.uploaded_bytes - s.deleted_bytes)
  INTO slots, new_uploads, new_bytes, new_deletes, deleted, growths
  FROM (
    SELECT (u.tenant % 16)::smallint AS slot, sum(u.uploads)::int AS uploads, sum(u.uploaded_bytes)::bigint AS uploaded_bytes,
           sum(u.deleted_files)::int AS deleted_files, sum(u.deleted_bytes)::bigint AS deleted_bytes
    FROM unnest(owners, new_uploads, new_bytes, new_deletes, deleted)
      AS u (tenant, uploads, uploaded_bytes, deleted_files, deleted_bytes)
    GROUP BY 1 ORDER BY 1) s;
  -- Both branches lock the slots in their order. For one slot, the insert alone is cheaper.
  IF cardinality(slots) > 1 THEN
    SELECT count(*) INTO row_count FROM project_usage_daily WHERE project_id = p AND day = today AND slot = ANY (slots);
  END IF;
  IF row_count = cardinality(slots) THEN
    PERFORM FROM project_usage_daily
    WHERE project_id = p AND day = today AND slot = ANY (slots) ORDER BY slot FOR NO KEY UPDATE;
    UPDATE project_usage_daily SET
      uploads = uploads + CASE WHEN slot >= 0 THEN new_uploads[array_position(slots, slot)] END,
      uploaded_bytes = uploaded_bytes + CASE WHEN slot >= 0 THEN new_bytes[array_position(slots, slot)] END,
      deleted_files = deleted_files + CASE WHEN slot >= 0 THEN new_deletes[array_position(slots, slot)] END,
      deleted_bytes = deleted_bytes + CASE WHEN slot >= 0 THEN deleted[array_position(slots, slot)] END,
      byte_ms = byte_ms + CASE WHEN slot >= 0 THEN growths[array_position(slots, slot)]::numeric * ms_left END,
      peak_growth_bytes = greatest(peak_growth_bytes, uploaded_bytes - deleted_bytes
        + CASE WHEN slot >= 0 THEN growths[array_position(slots, slot)] END)
    WHERE project_id = p AND day = today AND slot = ANY (slots);
  ELSE
    FOR i IN 1 .. cardinality(slots) LOOP
      INSERT INTO project_usage_daily AS kept
        (project_id, day, slot, uploads, uploaded_bytes, deleted_files, deleted_bytes, byte_ms, peak_growth_bytes)
      VALUES (p, today, slots[i], new_uploads[i], new_bytes[i], new_deletes[i], deleted[i],
              growths[i]::numeric * ms_left, greatest(0, growths[i]))
      ON CONFLICT (project_id, day, slot) DO UPDATE SET
        uploads = kept.uploads + excluded.uploads, uploaded_bytes = kept.uploaded_bytes + excluded.uploaded_bytes,
        deleted_files = kept.deleted_files + excluded.deleted_files, deleted_bytes = kept.deleted_bytes + excluded.deleted_bytes,
        byte_ms = kept.byte_ms + excluded.byte_ms,
        peak_growth_bytes = greatest(kept.peak_growth_bytes,
          kept.uploaded_bytes - kept.deleted_bytes + excluded.uploaded_bytes - excluded.deleted_bytes);
    END LOOP;
  END IF;
END $$;
