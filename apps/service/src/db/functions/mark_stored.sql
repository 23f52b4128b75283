-- Marks files as stored, counts them, and queues their scans, moves, events and variants. Nothing else gives a file an object: not the arrival
-- of an upload, not a replayed URL, not an object that arrives late or comes back. Before it, in the same transaction, the caller records
-- the history of bytes that are replaced and removes their variants.
--
-- A file in the trash, or whose object was lost there, is `trashed` and not `stored`, without an event. Replaced bytes count as deleted.
-- Infected bytes that come back are still infected: no other verdict is kept.
--
-- Bytes that nothing reserved have to fit the free quota, unless the project allows files over the quota or the file is on hold. Those of
-- an upload that had expired always have to, and it has to be within the tenant's limit of files: its reservation was returned. A file that does not fit is not marked, and nothing is written
-- for it: the caller refuses it (files/settle/apply-storage-state.ts). The tenant is locked while this is decided, so of two files that
-- arrive together only one takes the last bytes.
--
-- Arguments: `p` the project's id; `uploads` an array of objects with `number`, `id` (files.id), `revision`, `size`, `etag`,
--   `next_check_at`, `service_quota` in bytes and `service_limits` (missing for none), `ignores_quota` (missing for no) and, for traces, `traceparent`. If it
--   contains a file twice, the values of its first place count. `at` the time of the change, which is also `stored_at` unless the file
--   has one; `today` the day in UTC.
-- Rows: the `number` of each upload that was marked. The rows of the others have changed since they were read, or their bytes do not fit.
-- Locks: the files in the order of their ids, then the tenants in the order of their ids, then what add_usage, add_folder_usage,
--   emit_file_events, queue_variants, queue_scans and queue_moves lock.
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
  service_quotas bigint[];
  unlimited boolean[];
  f record;
  i int;
  j int;
  marked bigint[] := '{}';
  stored bigint[] := '{}';
  infected bigint[] := '{}';
  -- The files that wait for another scan or may have waited for one, and those that may have to be moved: none of most batches.
  unscanned bigint[] := '{}';
  public_files bigint[] := '{}';
  -- The changes of folders: none of most batches.
  folder_owners bigint[] := '{}';
  folder_names text[] := '{}';
  folder_files int[] := '{}';
  folder_bytes bigint[] := '{}';
  owners bigint[] := '{}';
  counted bigint[] := '{}';
  reserved bigint[] := '{}';
  -- The bytes that count no more; null for a file that did not count.
  replaced bigint[] := '{}';
  scanner scan_setting;
  may_exceed boolean;
  project_quota bigint;
  -- The files that have to fit the free quota: none of most batches. Then those of them that fit.
  growing bigint[] := '{}';
  growing_owners bigint[] := '{}';
  growths bigint[] := '{}';
  wanted bigint[];
  -- Their tenants, and all other tenants of the batch.
  tenant_ids bigint[];
  taken bigint[];
  quotas bigint[];
  -- For each growing file whether it counts as a new one, and for each tenant how many more files it may have.
  is_new boolean[] := '{}';
  -- The tenants of other files that count as new ones.
  new_owners bigint[] := '{}';
  rooms bigint[];
  service_limits jsonb;
  project_limits jsonb;
  defaults jsonb;
  l record;
BEGIN
  SELECT scan, allow_over_quota, default_quota_bytes, default_limits INTO scanner, may_exceed, project_quota, project_limits
  FROM projects WHERE id = p;
  SELECT array_agg(u.number), array_agg(u.id), array_agg(u.revision), array_agg(u.size), array_agg(u.etag),
         array_agg(u.next_check_at), array_agg(u.service_quota), array_agg(u.ignores_quota)
  INTO numbers, ids, revisions, sizes, etags, checks, service_quotas, unlimited
  FROM json_to_recordset(uploads) AS u (
    number int, id bigint, revision int, size bigint, etag text, next_check_at timestamptz, service_quota bigint, ignores_quota boolean);

  wanted := ids;
  -- First all files except those that have to fit the free quota, then those of them that do.
  FOR pass IN 1 .. 2 LOOP
    FOR f IN
      SELECT id, revision, tenant, reserved_bytes, status, size, purge_at, held, scan_status, scanned_etag, visibility, place, has_other_copy, folder,
             CASE WHEN status IN ('stored', 'trashed') THEN size END AS counted_size
      FROM files
      WHERE project_id = p AND id = ANY (wanted) ORDER BY id FOR NO KEY UPDATE
    LOOP
      i := array_position(ids, f.id);
      CONTINUE WHEN f.revision <> revisions[i];
      IF pass = 1 AND NOT f.held AND unlimited[i] IS NOT TRUE
         AND (f.status = 'expired' OR NOT may_exceed AND sizes[i] > f.reserved_bytes + coalesce(f.counted_size, 0)) THEN
        growing := growing || f.id;
        growing_owners := growing_owners || f.tenant;
        growths := growths || sizes[i] - f.reserved_bytes - coalesce(f.counted_size, 0);
        is_new := is_new || (f.status = 'expired');
        CONTINUE;
      END IF;
      marked := marked || f.id;
      owners := owners || f.tenant;
      counted := counted || sizes[i];
      reserved := reserved || f.reserved_bytes;
      replaced := replaced || f.counted_size;
      IF f.folder <> '' THEN
        folder_owners := folder_owners || f.tenant;
        folder_names := folder_names || f.folder;
        folder_files := folder_files || CASE WHEN f.counted_size IS NULL THEN 1 ELSE 0 END;
        folder_bytes := folder_bytes || sizes[i] - coalesce(f.counted_size, 0);
      END IF;
      IF pass = 1 AND f.status = 'expired' THEN new_owners := new_owners || f.tenant; END IF;
      IF f.purge_at IS NULL THEN stored := stored || f.id; END IF;
      IF f.scan_status = 'infected' AND f.scanned_etag = etags[i] THEN infected := infected || f.id;
      ELSIF scanner = 'clamav' OR f.status <> 'pending' THEN unscanned := unscanned || f.id; END IF;
      IF f.visibility = 'public' OR f.place = 'public' OR f.has_other_copy THEN public_files := public_files || f.id; END IF;
      RETURN NEXT numbers[i];
    END LOOP;
    EXIT WHEN pass = 2 OR cardinality(growing) = 0;

    SELECT array_agg(id), array_agg(used_bytes + reserved_bytes), array_agg(quota_of(quota_bytes, project_quota, service_quotas[1])), array_agg(NULL::bigint)
    INTO tenant_ids, taken, quotas, rooms
    FROM (SELECT * FROM tenants WHERE project_id = p AND id = ANY (owners || growing_owners) ORDER BY id FOR NO KEY UPDATE) locked;
    FOR n IN 1 .. cardinality(marked) LOOP
      j := array_position(tenant_ids, owners[n]);
      taken[j] := taken[j] + counted[n] - reserved[n] - coalesce(replaced[n], 0);
    END LOOP;
    service_limits := (uploads -> 0 ->> 'service_limits')::jsonb;
    defaults := coalesce(service_limits, '{}') || coalesce(project_limits, '{}');
    FOR n IN 1 .. cardinality(tenant_ids) LOOP
      SELECT * INTO l FROM limits_of_tenant(p, tenant_ids[n], defaults, false);
      quotas[n] := coalesce(l.quota, quotas[n]);
      rooms[n] := l.max_files - l.files - cardinality(array_positions(new_owners, tenant_ids[n]));
    END LOOP;
    wanted := '{}';
    FOR n IN 1 .. cardinality(growing) LOOP
      j := array_position(tenant_ids, growing_owners[n]);
      CONTINUE WHEN NOT fits_quota(growths[n], taken[j], quotas[j]) OR is_new[n] AND rooms[j] <= 0;
      taken[j] := taken[j] + growths[n];
      IF is_new[n] THEN rooms[j] := rooms[j] - 1; END IF;
      wanted := wanted || growing[n];
    END LOOP;
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
  PERFORM add_usage(p, today, json_agg(change), at) FROM (
    SELECT tenant, count(*) AS uploads, sum(size) AS uploaded_bytes, count(replaced_bytes) AS deleted_files,
           coalesce(sum(replaced_bytes), 0) AS deleted_bytes, -sum(reserved_bytes) AS reserved_bytes
    FROM unnest(owners, counted, reserved, replaced) AS mark (tenant, size, reserved_bytes, replaced_bytes) GROUP BY tenant) change;
  IF cardinality(folder_names) > 0 THEN
    PERFORM add_folder_usage(p, json_agg(change))
    FROM unnest(folder_owners, folder_names, folder_files, folder_bytes) AS change (tenant, folder, files, bytes);
  END IF;
  PERFORM emit_file_events(p, 'file.stored', at, stored, uploads);
  PERFORM queue_variants(p, stored, at);
  IF cardinality(unscanned) > 0 THEN PERFORM queue_scans(p, unscanned, at); END IF;
  IF cardinality(public_files) > 0 THEN PERFORM queue_moves(p, public_files, at); END IF;
END $$;
