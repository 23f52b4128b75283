-- Marks pending files as stored, counts them, and queues their events and variants.
--
-- Arguments: `p` the project's id; `uploads` an array of objects with `number`, `id` (files.id), `revision`, `size`, `etag`,
--   `next_check_at` and, for traces, `traceparent`. If it contains a file twice, the values of its first place count. `at` the time of
--   the change; `today` the day in UTC.
-- Rows: the `number` of each upload that was marked. The rows of the others have changed since they were read.
-- Locks: the files in the order of their ids, then what add_usage, emit_file_events and queue_variants lock.
-- Errors: 55P03 if a lock takes longer than a second.
CREATE OR REPLACE FUNCTION mark_stored(p bigint, uploads json, at timestamptz, today date) RETURNS SETOF int
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '1s' AS $$
DECLARE
  numbers int[];
  ids bigint[];
  revisions int[];
  sizes bigint[];
  etags text[];
  checks timestamptz[];
  f record;
  i int;
  marked bigint[] := '{}';
  owners bigint[] := '{}';
  counted bigint[] := '{}';
  reserved bigint[] := '{}';
  scanner scan_setting;
BEGIN
  SELECT scan INTO scanner FROM projects WHERE id = p;
  SELECT array_agg(u.number), array_agg(u.id), array_agg(u.revision), array_agg(u.size), array_agg(u.etag),
         array_agg(u.next_check_at)
  INTO numbers, ids, revisions, sizes, etags, checks
  FROM json_to_recordset(uploads) AS u (
    number int, id bigint, revision int, size bigint, etag text, next_check_at timestamptz);

  FOR f IN
    SELECT id, revision, tenant, reserved_bytes FROM files
    WHERE project_id = p AND id = ANY (ids) ORDER BY id FOR NO KEY UPDATE
  LOOP
    i := array_position(ids, f.id);
    CONTINUE WHEN f.revision <> revisions[i];
    marked := marked || f.id;
    owners := owners || f.tenant;
    counted := counted || sizes[i];
    reserved := reserved || f.reserved_bytes;
    RETURN NEXT numbers[i];
  END LOOP;
  IF cardinality(marked) = 0 THEN RETURN; END IF;

  UPDATE files SET
    status = 'stored', reserved_bytes = 0, stored_at = at, revision = revision + 1,
    scan_status = CASE WHEN scanner = 'off' THEN 'none' ELSE 'pending' END::scan_status,
    scan_due_at = CASE WHEN scanner = 'clamav' THEN at END,
    parts_stored = NULL, part_bytes_stored = NULL, part_urls_expire_at = NULL, completing_until = NULL,
    size = CASE WHEN id > 0 THEN sizes[array_position(ids, id)] END,
    etag = CASE WHEN id > 0 THEN etags[array_position(ids, id)] END,
    next_check_at = CASE WHEN id > 0 THEN checks[array_position(ids, id)] END
  WHERE project_id = p AND id = ANY (marked);
  PERFORM add_usage(p, today, json_agg(change)) FROM (
    SELECT tenant, count(*) AS uploads, sum(size) AS uploaded_bytes, 0 AS deleted_files, 0 AS deleted_bytes,
           -sum(reserved_bytes) AS reserved_bytes
    FROM unnest(owners, counted, reserved) AS stored (tenant, size, reserved_bytes) GROUP BY tenant) change;
  PERFORM emit_file_events(p, 'file.stored', at, marked, uploads);
  PERFORM queue_variants(p, marked, at);
END $$;
