-- Marks files as stored, counts them, and queues their scans, moves, events and variants. Nothing else gives a file an object: not the arrival
-- of an upload, not a replayed URL, not an object that arrives late or comes back. Before it, in the same transaction, the caller records
-- the history of bytes that are replaced and removes their variants.
--
-- A file in the trash, or whose object was lost there, is `trashed` and not `stored`, without an event. Replaced bytes count as deleted.
-- Infected bytes that come back are still infected: no other verdict is kept.
--
-- Arguments: `p` the project's id; `uploads` an array of objects with `number`, `id` (files.id), `revision`, `size`, `etag`,
--   `next_check_at` and, for traces, `traceparent`. If it contains a file twice, the values of its first place count. `at` the time of
--   the change, which is also `stored_at` unless the file has one; `today` the day in UTC.
-- Rows: the `number` of each upload that was marked. The rows of the others have changed since they were read.
-- Locks: the files in the order of their ids, then what add_usage, emit_file_events, queue_variants, queue_scans and queue_moves lock.
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
  stored bigint[] := '{}';
  infected bigint[] := '{}';
  -- The files that wait for another scan or may have waited for one, and those that may have to be moved: none of most batches.
  unscanned bigint[] := '{}';
  public_files bigint[] := '{}';
  owners bigint[] := '{}';
  counted bigint[] := '{}';
  reserved bigint[] := '{}';
  -- The bytes that count no more; null for a file that did not count.
  replaced bigint[] := '{}';
  scanner scan_setting;
BEGIN
  SELECT scan INTO scanner FROM projects WHERE id = p;
  SELECT array_agg(u.number), array_agg(u.id), array_agg(u.revision), array_agg(u.size), array_agg(u.etag),
         array_agg(u.next_check_at)
  INTO numbers, ids, revisions, sizes, etags, checks
  FROM json_to_recordset(uploads) AS u (
    number int, id bigint, revision int, size bigint, etag text, next_check_at timestamptz);

  FOR f IN
    SELECT id, revision, tenant, reserved_bytes, status, size, purge_at, scan_status, scanned_etag, visibility, place, has_other_copy
    FROM files
    WHERE project_id = p AND id = ANY (ids) ORDER BY id FOR NO KEY UPDATE
  LOOP
    i := array_position(ids, f.id);
    CONTINUE WHEN f.revision <> revisions[i];
    marked := marked || f.id;
    owners := owners || f.tenant;
    counted := counted || sizes[i];
    reserved := reserved || f.reserved_bytes;
    replaced := replaced || CASE WHEN f.status IN ('stored', 'trashed') THEN f.size END;
    IF f.purge_at IS NULL THEN stored := stored || f.id; END IF;
    IF f.scan_status = 'infected' AND f.scanned_etag = etags[i] THEN infected := infected || f.id;
    ELSIF scanner = 'clamav' OR f.status <> 'pending' THEN unscanned := unscanned || f.id; END IF;
    IF f.visibility = 'public' OR f.place = 'public' OR f.has_other_copy THEN public_files := public_files || f.id; END IF;
    RETURN NEXT numbers[i];
  END LOOP;
  IF cardinality(marked) = 0 THEN RETURN; END IF;

  UPDATE files SET
    status = CASE WHEN purge_at IS NULL THEN 'stored'::file_status ELSE 'trashed'::file_status END,
    reserved_bytes = 0, stored_at = coalesce(stored_at, at), revision = revision + 1,
    scan_status = CASE WHEN id = ANY (infected) THEN scan_status WHEN scanner = 'off' THEN 'none'::scan_status
                       ELSE 'pending'::scan_status END,
    scan_signature = CASE WHEN id = ANY (infected) THEN scan_signature END,
    scanned_etag = CASE WHEN id = ANY (infected) THEN scanned_etag END,
    multipart = multipart - '{partsStored,bytesStored,urlsExpireAt,completingUntil}'::text[],
    size = CASE WHEN id > 0 THEN sizes[array_position(ids, id)] END,
    etag = CASE WHEN id > 0 THEN etags[array_position(ids, id)] END,
    published_etag = CASE WHEN place = 'public' THEN etags[array_position(ids, id)] ELSE published_etag END,
    next_check_at = CASE WHEN id > 0 THEN checks[array_position(ids, id)] END
  WHERE project_id = p AND id = ANY (marked);
  PERFORM add_usage(p, today, json_agg(change)) FROM (
    SELECT tenant, count(*) AS uploads, sum(size) AS uploaded_bytes, count(replaced_bytes) AS deleted_files,
           coalesce(sum(replaced_bytes), 0) AS deleted_bytes, -sum(reserved_bytes) AS reserved_bytes
    FROM unnest(owners, counted, reserved, replaced) AS mark (tenant, size, reserved_bytes, replaced_bytes) GROUP BY tenant) change;
  PERFORM emit_file_events(p, 'file.stored', at, stored, uploads);
  PERFORM queue_variants(p, stored, at);
  IF cardinality(unscanned) > 0 THEN PERFORM queue_scans(p, unscanned, at); END IF;
  IF cardinality(public_files) > 0 THEN PERFORM queue_moves(p, public_files, at); END IF;
END $$;
