-- Writes events about files into the outbox. The data are the rows as they are now, so call it after the change. Every change that
-- emits an event increments the file's revision, which gives the order of the file's events.
--
-- An event has only the columns that its body, its order and its tenant are read from: those of `fileColumns` in files/record/file-record.ts,
-- and `id`, `tenant`, `revision` and `scan_signature`. A test compares them. With all columns a settle wrote 1.1 kB of WAL more for each
-- file, because PostgreSQL does not compress an array whose first row is longer than a kilobyte.
--
-- Arguments: `p` the project's id; `kind` the type of the events; `at` their time; `ids` files.id; `sources` an array of objects with the
--   `id` of a file and the `traceparent` of what changed it, or null; `only_log` as for write_outbox.
-- Rows: none.
-- Locks: the caller holds the files. It inserts into webhook_outbox.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION emit_file_events(p bigint, kind text, at timestamptz, ids bigint[], sources json, only_log boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  changed json;
  owners bigint[];
  names json;
  traces jsonb;
BEGIN
  PERFORM FROM webhook_endpoints w WHERE w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF NOT FOUND AND NOT only_log THEN
    PERFORM FROM event_logs l WHERE l.project_id = p AND l.read_at IS NOT NULL;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  SELECT json_agg(r), array_agg(DISTINCT r.tenant) INTO changed, owners
  FROM (
    SELECT f.id, f.tenant, f.revision, f.path, f.filename, f.content_type, f.size, f.status, f.etag, f.metadata, f.folder, f.created_at, f.stored_at,
           f.expires_at, f.purge_at, f.replaced_by, f.held, f.visibility, f.place, f.has_other_copy, f.image, f.scan_status, f.scan_signature
    FROM files f WHERE f.project_id = p AND f.id = ANY (ids)) r;
  IF changed IS NULL THEN RETURN; END IF;
  -- Usually nothing is traced, and reading the array costs more than looking for the word.
  IF strpos(sources::text, 'traceparent') > 0 THEN
    SELECT jsonb_object_agg(s.id, s.traceparent) INTO traces
    FROM json_to_recordset(sources) AS s (id bigint, traceparent text) WHERE s.traceparent IS NOT NULL;
    SELECT json_agg(r || jsonb_strip_nulls(jsonb_build_object('traceparent', traces -> (r ->> 'id')))) INTO changed
    FROM jsonb_array_elements(changed::jsonb) r;
  END IF;
  SELECT json_object_agg(t.id, json_build_object('tenant_id', t.tenant_id)) INTO names FROM tenants t WHERE t.project_id = p AND t.id = ANY (owners);
  PERFORM write_outbox(p, kind, at, changed, names, only_log);
END $$;
