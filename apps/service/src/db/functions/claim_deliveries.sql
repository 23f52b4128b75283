-- Claims due deliveries of one endpoint. A delivery waits until the earlier events of its subject are delivered or given up: it is
-- checked again when the last of them is due, and finish_delivery wakes it sooner. The deliveries of an endpoint that is disabled or
-- deleted are skipped.
--
-- Arguments: `p` the project's id; `target` webhook_endpoints.id; `due` deliveries up to this time; `lease` until when they are claimed;
--   `most` how many.
-- Rows: for each claimed delivery `event_id`, `tries` (this one included), and the event's `kind`, `happened_at` and `snapshot`.
-- Locks: due rows of webhook_deliveries. It skips rows that another replica holds.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION claim_deliveries(p bigint, target bigint, due timestamptz, lease timestamptz, most int)
RETURNS TABLE (event_id uuid, tries int, kind text, happened_at timestamptz, snapshot jsonb)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  d record;
  blocked_until timestamptz;
  claimed int := 0;
  is_open boolean;
BEGIN
  PERFORM FROM webhook_endpoints w
  WHERE w.project_id = p AND w.id = target AND w.disabled_at IS NULL AND w.deleted_at IS NULL;
  is_open := FOUND;
  PERFORM FROM projects WHERE id = p AND deleted_at IS NULL;
  IF NOT (is_open AND FOUND) THEN
    FOR d IN
      SELECT c.event FROM webhook_deliveries c
      WHERE c.project_id = p AND c.endpoint = target AND c.next_attempt_at <= due
      ORDER BY c.next_attempt_at LIMIT 1000 FOR UPDATE SKIP LOCKED
    LOOP
      UPDATE webhook_deliveries c SET state = 'skipped', next_attempt_at = NULL
      WHERE c.project_id = p AND c.endpoint = target AND c.event = d.event;
    END LOOP;
    RETURN;
  END IF;

  FOR d IN
    SELECT c.event, c.subject, c.seq, c.attempts FROM webhook_deliveries c
    WHERE c.project_id = p AND c.endpoint = target AND c.next_attempt_at <= due
    ORDER BY c.next_attempt_at, c.event LIMIT most + 100 FOR UPDATE SKIP LOCKED
  LOOP
    EXIT WHEN claimed >= most;
    SELECT c.next_attempt_at INTO blocked_until FROM webhook_deliveries c
    WHERE c.project_id = p AND c.endpoint = target AND c.subject = d.subject AND c.seq < d.seq AND c.next_attempt_at IS NOT NULL
    ORDER BY c.seq DESC LIMIT 1;
    IF FOUND THEN
      UPDATE webhook_deliveries c SET next_attempt_at = greatest(blocked_until, due + interval '100 milliseconds')
      WHERE c.project_id = p AND c.endpoint = target AND c.event = d.event;
      CONTINUE;
    END IF;
    SELECT e.type, e.at, e.data INTO kind, happened_at, snapshot FROM webhook_events e
    WHERE e.project_id = p AND e.id = d.event;
    IF NOT FOUND THEN
      UPDATE webhook_deliveries c SET state = 'failed', next_attempt_at = NULL
      WHERE c.project_id = p AND c.endpoint = target AND c.event = d.event;
      CONTINUE;
    END IF;
    UPDATE webhook_deliveries c SET attempts = d.attempts + 1, next_attempt_at = lease
    WHERE c.project_id = p AND c.endpoint = target AND c.event = d.event;
    claimed := claimed + 1;
    event_id := d.event;
    tries := d.attempts + 1;
    RETURN NEXT;
  END LOOP;
END $$;
