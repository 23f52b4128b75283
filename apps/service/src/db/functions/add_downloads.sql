-- Adds signed downloads to the usage per day of tenants and of their project. Tenants that do not exist any more are left out.
--
-- Arguments: `p` the project's id; `today` the day in UTC; `changes` an array of objects with `tenant` (tenants.id), `downloads` and
--   `bytes`, at most one for each tenant.
-- Rows: none.
-- Locks: the tenants in the order of their ids, because only the holder of a tenant's lock changes its days. Then as add_daily_usage.
-- Errors: 55P03 if a lock takes longer than a second.
CREATE OR REPLACE FUNCTION add_downloads(p bigint, today date, changes json) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '1s' AS $$
DECLARE
  owners bigint[];
  c record;
BEGIN
  SELECT array_agg(r.tenant) INTO owners FROM json_to_recordset(changes) AS r (tenant bigint);
  SELECT array_agg(id) INTO owners
  FROM (SELECT id FROM tenants WHERE project_id = p AND id = ANY (owners) ORDER BY id FOR NO KEY UPDATE) locked;
  FOR c IN
    SELECT r.tenant, r.downloads, r.bytes FROM json_to_recordset(changes) AS r (tenant bigint, downloads bigint, bytes bigint)
    WHERE r.tenant = ANY (owners)
  LOOP
    INSERT INTO usage_daily AS kept
      (project_id, tenant, day, uploads, uploaded_bytes, deleted_files, deleted_bytes, downloads_signed, bytes_signed)
    VALUES (p, c.tenant, today, 0, 0, 0, 0, c.downloads, c.bytes)
    ON CONFLICT (project_id, tenant, day) DO UPDATE SET
      downloads_signed = kept.downloads_signed + excluded.downloads_signed,
      bytes_signed = kept.bytes_signed + excluded.bytes_signed;
  END LOOP;
  FOR c IN
    SELECT (r.tenant % 16)::smallint AS slot, sum(r.downloads)::bigint AS downloads, sum(r.bytes)::bigint AS bytes
    FROM json_to_recordset(changes) AS r (tenant bigint, downloads bigint, bytes bigint)
    WHERE r.tenant = ANY (owners) GROUP BY 1 ORDER BY 1
  LOOP
    INSERT INTO project_usage_daily AS kept
      (project_id, day, slot, uploads, uploaded_bytes, deleted_files, deleted_bytes, downloads_signed, bytes_signed)
    VALUES (p, today, c.slot, 0, 0, 0, 0, c.downloads, c.bytes)
    ON CONFLICT (project_id, day, slot) DO UPDATE SET
      downloads_signed = kept.downloads_signed + excluded.downloads_signed,
      bytes_signed = kept.bytes_signed + excluded.bytes_signed;
  END LOOP;
END $$;
