-- Differs from 0030: an event can have the trace of its cause. `sources`: an array of objects with the `id` of a file and the
-- `traceparent` of what changed it, or null. The data of an event get the `traceparent` as a member that no file has.
--
-- Emits events about files. The data are the rows as they are now, so call it after the change. Every change that emits an event has to
-- increment the file's revision, which gives the order of the file's events.
CREATE FUNCTION emit_file_events(p bigint, kind text, at timestamptz, ids bigint[], sources json) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  changed json;
  owners bigint[];
  names json;
  traces jsonb;
BEGIN
  PERFORM FROM webhook_endpoints w WHERE w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF NOT FOUND THEN RETURN; END IF;
  SELECT jsonb_object_agg(s.id, s.traceparent) INTO traces
  FROM json_to_recordset(sources) AS s (id bigint, traceparent text) WHERE s.traceparent IS NOT NULL;
  IF traces IS NULL THEN
    SELECT json_agg(f), array_agg(DISTINCT f.tenant) INTO changed, owners
    FROM files f WHERE f.project_id = p AND f.id = ANY (ids);
  ELSE
    SELECT json_agg(to_jsonb(f) || jsonb_strip_nulls(jsonb_build_object('traceparent', traces -> f.id::text))), array_agg(DISTINCT f.tenant)
    INTO changed, owners
    FROM files f WHERE f.project_id = p AND f.id = ANY (ids);
  END IF;
  IF changed IS NULL THEN RETURN; END IF;
  SELECT json_object_agg(t.id, json_build_object('tenant_id', t.tenant_id)) INTO names FROM tenants t WHERE t.project_id = p AND t.id = ANY (owners);
  PERFORM write_outbox(p, kind, at, changed, names);
END $$;
--> statement-breakpoint
-- For replicas of the version before.
CREATE OR REPLACE FUNCTION emit_file_events(p bigint, kind text, at timestamptz, ids bigint[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM emit_file_events(p, kind, at, ids, NULL);
END $$;
--> statement-breakpoint
-- Differs from 0023: an upload may have the `traceparent` of what found it.
--
-- Marks pending files as stored and counts them. Returns the `number` of each upload that was marked: the rows of the others have
-- changed since they were read. Locks the files in the order of their ids, and then what add_usage locks. If a batch contains a file
-- twice, the values of its first place count.
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
         array_agg(u.next_look_at)
  INTO numbers, ids, revisions, sizes, etags, checks
  FROM json_to_recordset(uploads) AS u (
    number int, id bigint, revision int, size bigint, etag text, next_look_at timestamptz);

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
    next_look_at = CASE WHEN id > 0 THEN checks[array_position(ids, id)] END
  WHERE project_id = p AND id = ANY (marked);
  PERFORM add_usage(p, today, json_agg(change)) FROM (
    SELECT tenant, count(*) AS uploads, sum(size) AS uploaded_bytes, 0 AS deleted_files, 0 AS deleted_bytes,
           -sum(reserved_bytes) AS reserved_bytes
    FROM unnest(owners, counted, reserved) AS stored (tenant, size, reserved_bytes) GROUP BY tenant) change;
  PERFORM emit_file_events(p, 'file.stored', at, marked, uploads);
END $$;
