-- Queues the scan of each file, if the workers scan the files of the project. Otherwise nothing is queued any more: the customer's own
-- scanner, or none, looks at them. A scan that is queued already begins anew, and a claim of it is over.
--
-- Arguments: `p` the project's id; `ids` files.id; `at` when the scans are due.
-- Rows: none.
-- Locks: the caller holds the files. Then it locks their rows in file_tasks.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION queue_scans(p bigint, ids bigint[], at timestamptz) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  file bigint;
BEGIN
  PERFORM FROM projects WHERE id = p AND scan = 'clamav';
  IF NOT FOUND THEN
    DELETE FROM file_tasks WHERE project_id = p AND file_id = ANY (ids) AND kind = 'scan';
    RETURN;
  END IF;
  FOREACH file IN ARRAY ids LOOP
    INSERT INTO file_tasks AS t (project_id, file_id, kind, due_at) VALUES (p, file, 'scan', at)
    ON CONFLICT (project_id, file_id, kind) DO UPDATE SET due_at = excluded.due_at, claim = t.claim + 1, failures = 0;
  END LOOP;
END $$;
