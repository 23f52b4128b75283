-- Adds changes to the counters of tenants, and the same numbers to their usage per day. Tells webhooks of a quota that is cleared by it.
--
-- Arguments: `p` the project's id; `today` the day in UTC; `changes` an array of objects with `tenant` (tenants.id), `uploads`,
--   `uploaded_bytes`, `deleted_files`, `deleted_bytes`, `reserved_bytes`, at most one for each tenant; `at` the time of the changes. Replicas of
--   the version before do not pass it.
-- Rows: none.
-- Locks: the tenants in the order of their ids, then what add_daily_usage locks, then what clear_quotas locks.
-- Errors: 23514 if a counter would be negative.
CREATE OR REPLACE FUNCTION add_usage(p bigint, today date, changes json, at timestamptz DEFAULT clock_timestamp()) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  owners bigint[];
  new_bytes bigint[];
  new_files int[];
  new_reserved bigint[];
  -- The tenants whose quota was reached.
  waiting bigint[] := '{}';
  t record;
BEGIN
  SELECT array_agg(c.tenant), array_agg(c.uploaded_bytes - c.deleted_bytes), array_agg(c.uploads - c.deleted_files),
         array_agg(c.reserved_bytes)
  INTO owners, new_bytes, new_files, new_reserved
  FROM json_to_recordset(changes) AS c (
    tenant bigint, uploads int, uploaded_bytes bigint, deleted_files int, deleted_bytes bigint, reserved_bytes bigint);
  IF owners IS NULL THEN RETURN; END IF;
  IF cardinality(owners) > 1 THEN
    PERFORM FROM tenants WHERE project_id = p AND id = ANY (owners) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  FOR t IN
    UPDATE tenants SET
      used_bytes = used_bytes + CASE WHEN id > 0 THEN new_bytes[array_position(owners, id)] END,
      file_count = file_count + CASE WHEN id > 0 THEN new_files[array_position(owners, id)] END,
      reserved_bytes = reserved_bytes + CASE WHEN id > 0 THEN new_reserved[array_position(owners, id)] END
    WHERE project_id = p AND id = ANY (owners)
    RETURNING id, quota_needs_bytes
  LOOP
    IF t.quota_needs_bytes IS NOT NULL THEN waiting := waiting || t.id; END IF;
  END LOOP;
  PERFORM add_daily_usage(p, today, changes, at);
  IF cardinality(waiting) > 0 THEN PERFORM clear_quotas(p, clock_timestamp(), waiting); END IF;
END $$;
