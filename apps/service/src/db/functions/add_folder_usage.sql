-- Adds changes of files to the counters of their folders and of all folders above them. A folder that counts no file any more is removed.
-- Call it in the transaction that changes the files. Files in no folder are in no change, so they cost nothing.
--
-- Arguments: `p` the project's id; `changes` an array of objects with `tenant` (tenants.id), `folder`, `files` and `bytes`: how many more files
--   count there, and how many more bytes; negative for fewer.
-- Rows: none.
-- Locks: the tenants in the order of their ids, which add_usage has locked before unless only folders change. Only the holder of a tenant's
--   lock changes the tenant's folders, so the order of the folders does not matter, and no statement waits for one.
-- Errors: 23514 if a counter would be negative.
CREATE OR REPLACE FUNCTION add_folder_usage(p bigint, changes json) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  owners bigint[];
  remaining int;
  c record;
BEGIN
  SELECT array_agg(DISTINCT r.tenant) INTO owners FROM json_to_recordset(changes) AS r (tenant bigint);
  PERFORM FROM tenants WHERE project_id = p AND id = ANY (owners) ORDER BY id FOR NO KEY UPDATE;
  FOR c IN
    SELECT r.tenant, f.parent, f.name, sum(r.files)::int AS files, sum(r.bytes)::bigint AS bytes
    FROM json_to_recordset(changes) AS r (tenant bigint, folder text, files int, bytes bigint)
    CROSS JOIN LATERAL folder_chain(r.folder) f
    GROUP BY r.tenant, f.parent, f.name HAVING sum(r.files) <> 0 OR sum(r.bytes) <> 0
  LOOP
    UPDATE folders SET file_count = file_count + c.files, used_bytes = used_bytes + c.bytes
    WHERE project_id = p AND tenant = c.tenant AND parent = c.parent AND name = c.name
    RETURNING file_count INTO remaining;
    IF NOT FOUND THEN
      INSERT INTO folders (project_id, tenant, parent, name, file_count, used_bytes)
      VALUES (p, c.tenant, c.parent, c.name, c.files, c.bytes);
    ELSIF remaining = 0 THEN
      DELETE FROM folders WHERE project_id = p AND tenant = c.tenant AND parent = c.parent AND name = c.name;
    END IF;
  END LOOP;
END $$;
