-- Counts the bytes that an access log says were delivered to tenants. The counts of a log only grow, to these numbers, so that a log which is
-- imported again adds nothing. Tenants that do not exist any more are left out.
--
-- Arguments: `p` the project's id; `log_name` what the log is known by; `changes` an array of objects with `tenant` (tenants.id), `day` and
--   `bytes`, at most one for each tenant and day.
-- Rows: one, how many bytes were added.
-- Locks: the tenants in the order of their ids, because only the holder of a tenant's lock changes its days. Then as add_daily_usage, by day.
-- Errors: 55P03 if a lock takes longer than five seconds; 22003 if a sum is beyond 2^63.
CREATE OR REPLACE FUNCTION import_deliveries(p bigint, log_name text, changes json) RETURNS bigint
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '5s' AS $$
DECLARE
  owners bigint[];
  -- What the log has counted before.
  counted bigint;
  added bigint := 0;
  grown_tenants bigint[] := '{}';
  grown_days date[] := '{}';
  growths bigint[] := '{}';
  c record;
BEGIN
  SELECT array_agg(r.tenant) INTO owners FROM json_to_recordset(changes) AS r (tenant bigint);
  SELECT array_agg(id) INTO owners
  FROM (SELECT id FROM tenants WHERE project_id = p AND id = ANY (owners) ORDER BY id FOR NO KEY UPDATE) locked;
  FOR c IN
    SELECT r.tenant, r.day, r.bytes FROM json_to_recordset(changes) AS r (tenant bigint, day date, bytes bigint)
    WHERE r.tenant = ANY (owners)
  LOOP
    SELECT d.bytes INTO counted FROM log_deliveries d
    WHERE d.project_id = p AND d.log = log_name AND d.tenant = c.tenant AND d.day = c.day;
    CONTINUE WHEN c.bytes <= counted;
    INSERT INTO log_deliveries (project_id, log, tenant, day, bytes) VALUES (p, log_name, c.tenant, c.day, c.bytes)
    ON CONFLICT (project_id, log, tenant, day) DO UPDATE SET bytes = excluded.bytes;
    grown_tenants := grown_tenants || c.tenant;
    grown_days := grown_days || c.day;
    growths := growths || (c.bytes - coalesce(counted, 0));
  END LOOP;
  FOR c IN SELECT g.tenant, g.day, g.bytes FROM unnest(grown_tenants, grown_days, growths) AS g (tenant, day, bytes)
  LOOP
    INSERT INTO usage_daily AS kept
      (project_id, tenant, day, uploads, uploaded_bytes, deleted_files, deleted_bytes, bytes_delivered)
    VALUES (p, c.tenant, c.day, 0, 0, 0, 0, c.bytes)
    ON CONFLICT (project_id, tenant, day) DO UPDATE SET
      bytes_delivered = coalesce(kept.bytes_delivered, 0) + excluded.bytes_delivered;
    added := added + c.bytes;
  END LOOP;
  FOR c IN
    SELECT g.day, (g.tenant % 16)::smallint AS slot, sum(g.bytes)::bigint AS bytes
    FROM unnest(grown_tenants, grown_days, growths) AS g (tenant, day, bytes) GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    INSERT INTO project_usage_daily AS kept
      (project_id, day, slot, uploads, uploaded_bytes, deleted_files, deleted_bytes, bytes_delivered)
    VALUES (p, c.day, c.slot, 0, 0, 0, 0, c.bytes)
    ON CONFLICT (project_id, day, slot) DO UPDATE SET
      bytes_delivered = coalesce(kept.bytes_delivered, 0) + excluded.bytes_delivered;
  END LOOP;
  RETURN added;
END $$;
