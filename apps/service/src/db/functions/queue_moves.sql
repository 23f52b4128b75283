-- Queues the move of each file whose object is not where it belongs. Every change of a file that can make `is_misplaced` true calls it in
-- the same transaction: of its status, visibility, place, verdict, or other copy. Files that are where they belong are ignored. A move
-- that is queued already keeps its time, because a process may be moving the file.
--
-- Arguments: `p` the project's id; `ids` files.id; `at` when the moves are due.
-- Rows: none.
-- Locks: the caller holds the files. Then it locks their rows in file_tasks.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION queue_moves(p bigint, ids bigint[], at timestamptz) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  misplaced bigint;
BEGIN
  -- Rows one by one: of INSERT … SELECT, Citus keeps no plan.
  FOR misplaced IN
    SELECT id FROM files
    WHERE project_id = p AND id = ANY (ids) AND is_misplaced(visibility, status, scan_status, place, has_other_copy)
  LOOP
    INSERT INTO file_tasks AS t (project_id, file_id, kind, due_at) VALUES (p, misplaced, 'move', at)
    ON CONFLICT (project_id, file_id, kind) DO UPDATE SET failures = 0;
  END LOOP;
END $$;
