-- Writes events of one type into the outbox, as one row. Call it in the transaction that makes the events true. If no
-- endpoint wants the type and nobody follows the log, it writes nothing.
--
-- Arguments: `p` the project's id; `kind` the type of the events; `at` their time; `changed` an array of the rows that changed, as they are
--   now; `by_tenant` an object that has, for each tenants.id, what their events contain of other rows; `only_log` whether no
--   endpoint gets them.
-- Rows: none.
-- Locks: it inserts into webhook_outbox. The events of a file or tenant are fanned out in the order of `position`. The caller holds a lock
--   that the other events of this file or tenant need, so earlier ones are committed, and the position is later than theirs, also if the
--   clocks of the nodes differ. Usually there is no row from now on, and the search ends at the end of the index.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION write_outbox(p bigint, kind text, at timestamptz, changed json, by_tenant json, only_log boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  wanted bigint[];
  skipped bigint[];
  started_at timestamptz := clock_timestamp();
  latest timestamptz;
BEGIN
  SELECT array_agg(w.id) FILTER (WHERE w.disabled_at IS NULL), array_agg(w.id) FILTER (WHERE w.disabled_at IS NOT NULL)
  INTO wanted, skipped
  FROM webhook_endpoints w WHERE NOT only_log AND w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF wanted IS NULL AND skipped IS NULL AND NOT only_log THEN
    PERFORM FROM event_logs l WHERE l.project_id = p AND l.read_at IS NOT NULL;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  SELECT max(o.position) INTO latest FROM webhook_outbox o WHERE o.project_id = p AND o.position >= started_at;
  INSERT INTO webhook_outbox (project_id, position, type, at, wanted_by, skipped_by, rows, by_tenant)
  VALUES (p, coalesce(latest + interval '1 microsecond', started_at), kind, at, coalesce(wanted, '{}'), coalesce(skipped, '{}'),
          changed, by_tenant);
END $$;
