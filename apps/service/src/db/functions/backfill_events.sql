-- Writes into the outbox what happened before a project's log of events began, as far as it can still be seen: `tenant.created` of tenants and
-- `file.stored` of stored files that are newer than `since`, unless the log has these events. One call looks at up to 500 rows. Endpoints
-- do not get these events.
--
-- A transaction that began before the log may not have seen that it exists, and commits later without an event. So everything is looked at
-- twice: at once (steps 1 and 2), and when all transactions have ended that ran at the end of step 2 (steps 3 and 4).
--
-- Arguments: `p` the project's id; `since` a time.
-- Rows: one, whether the next call may do more now.
-- Locks: the row of event_logs, so that no other call numbers events; then FOR SHARE files, so that their later events are written after
--   these, or FOR KEY SHARE tenants, so that their deletion finds these. It skips locked rows. Step 4 waits for files, at the next calls.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION backfill_events(p bigint, since timestamptz) RETURNS boolean
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  batch constant int := 500;
  l record;
  kind text;
  of_tenants boolean;
  upto bigint;
  looked_at int;
  has_locked boolean;
  wanted bigint[];
  free bigint[];
  queued bigint[];
  barrier bigint;
BEGIN
  SELECT * INTO l FROM event_logs e WHERE e.project_id = p FOR NO KEY UPDATE;
  IF l.backfill_step IS NULL THEN RETURN false; END IF;
  IF l.backfill_step >= 3 AND pg_snapshot_xmin(pg_current_snapshot())::text::bigint < l.backfill_barrier THEN RETURN false; END IF;
  of_tenants := l.backfill_step IN (1, 3);
  kind := CASE WHEN of_tenants THEN 'tenant.created' ELSE 'file.stored' END;

  IF of_tenants THEN
    SELECT max(r.id), count(*) INTO upto, looked_at
    FROM (SELECT t.id FROM tenants t WHERE t.project_id = p AND t.id > l.backfilled_to ORDER BY t.id LIMIT batch) r;
    SELECT array_agg(t.id) INTO wanted
    FROM tenants t
    WHERE t.project_id = p AND t.id > l.backfilled_to AND t.id <= upto AND t.created_at > since AND t.next_purge_at IS NULL;
    SELECT array_agg(r.id) INTO free
    FROM (SELECT t.id FROM tenants t WHERE t.project_id = p AND t.id = ANY (wanted) AND t.next_purge_at IS NULL
          ORDER BY t.id FOR KEY SHARE SKIP LOCKED) r;
  ELSE
    SELECT max(r.id), count(*) INTO upto, looked_at
    FROM (SELECT f.id FROM files f WHERE f.project_id = p AND f.id > l.backfilled_to ORDER BY f.id LIMIT batch) r;
    SELECT array_agg(f.id) INTO wanted
    FROM files f
    WHERE f.project_id = p AND f.id > l.backfilled_to AND f.id <= upto AND f.status = 'stored' AND f.stored_at > since;
    SELECT array_agg(r.id) INTO free
    FROM (SELECT f.id FROM files f WHERE f.project_id = p AND f.id = ANY (wanted) AND f.status = 'stored'
          ORDER BY f.id FOR SHARE SKIP LOCKED) r;
  END IF;

  has_locked := cardinality(wanted) > coalesce(cardinality(free), 0);
  IF free IS NOT NULL THEN
    -- After the rows: the events of every change that these statements saw are now in the outbox or in the log.
    SELECT array_agg((r.value ->> 'id')::bigint) INTO queued
    FROM webhook_outbox o CROSS JOIN LATERAL json_array_elements(o.rows) r WHERE o.project_id = p AND o.type = kind;
    IF of_tenants THEN
      SELECT array_agg(t.id) INTO free
      FROM tenants t
      WHERE t.project_id = p AND t.id = ANY (free) AND t.id <> ALL (coalesce(queued, '{}')) AND NOT EXISTS (
        SELECT FROM webhook_events e
        WHERE e.project_id = p AND e.data ->> 'tenant_id' = t.tenant_id AND e.subject = 'tenant:' || t.id AND e.type = kind
          AND e.position > l.deleted_to);
      PERFORM emit_tenant_events(p, kind, clock_timestamp(), free, true);
    ELSE
      SELECT array_agg(f.id) INTO free
      FROM files f JOIN tenants t ON t.project_id = f.project_id AND t.id = f.tenant
      WHERE f.project_id = p AND f.id = ANY (free) AND f.id <> ALL (coalesce(queued, '{}')) AND NOT EXISTS (
        SELECT FROM webhook_events e
        WHERE e.project_id = p AND e.data ->> 'tenant_id' = t.tenant_id AND e.subject = 'file:' || f.id AND e.type = kind
          AND e.position > l.deleted_to);
      PERFORM emit_file_events(p, kind, clock_timestamp(), free, NULL, true);
    END IF;
  END IF;

  IF l.backfill_step = 4 AND has_locked THEN RETURN false; END IF;
  IF looked_at = batch THEN
    UPDATE event_logs SET backfilled_to = upto WHERE project_id = p;
  ELSE
    -- Before the statement, because Citus refuses it there.
    barrier := CASE WHEN l.backfill_step = 2 THEN pg_snapshot_xmax(pg_current_snapshot())::text::bigint ELSE l.backfill_barrier END;
    UPDATE event_logs
    SET backfilled_to = 0, backfill_step = nullif(l.backfill_step + 1, 5), backfill_barrier = barrier
    WHERE project_id = p;
  END IF;
  RETURN looked_at = batch OR l.backfill_step < 4;
END $$;
