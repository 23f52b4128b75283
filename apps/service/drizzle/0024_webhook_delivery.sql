ALTER TABLE "webhook_deliveries" ADD COLUMN "last_status" integer;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_undelivered" ON "webhook_deliveries" USING btree ("project_id","endpoint","event") WHERE "webhook_deliveries"."state" in ('failed', 'skipped');
--> statement-breakpoint
-- Claims due deliveries of one endpoint until `lease`, and returns them with their events. A delivery waits until the earlier events of
-- its subject are delivered or given up: it is looked at again when the last of them is, and finish_delivery wakes it sooner. The
-- deliveries of an endpoint that is disabled or deleted are skipped.
CREATE OR REPLACE FUNCTION claim_deliveries(p bigint, target bigint, due timestamptz, lease timestamptz, most int)
RETURNS TABLE (event_id uuid, tries int, kind text, happened_at timestamptz, snapshot jsonb)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  d record;
  blocked_until timestamptz;
  claimed int := 0;
BEGIN
  PERFORM FROM webhook_endpoints w JOIN projects j ON j.id = w.project_id
  WHERE w.project_id = p AND w.id = target AND w.disabled_at IS NULL AND w.deleted_at IS NULL AND j.deleted_at IS NULL;
  IF NOT FOUND THEN
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
--> statement-breakpoint
-- Writes down what came of a try: its row in the log, and the new state of the delivery, unless another replica has claimed it since
-- `lease` or an operator has started it again. `retry_at` is null unless the delivery stays pending. Returns since when the endpoint has
-- been failing; null if it is not.
CREATE OR REPLACE FUNCTION finish_delivery(
  p bigint, target bigint, event_id uuid, lease timestamptz, finished_at timestamptz, verdict webhook_delivery_state,
  retry_at timestamptz, http_status int, took_ms int, failure text, head text) RETURNS timestamptz
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  d record;
  failing timestamptz;
BEGIN
  INSERT INTO webhook_attempts (project_id, endpoint, event, at, status, duration_ms, error, answer)
  VALUES (p, target, event_id, finished_at, http_status, took_ms, failure, head) ON CONFLICT DO NOTHING;
  UPDATE webhook_deliveries c SET
    state = verdict, next_attempt_at = retry_at, last_status = http_status,
    delivered_at = CASE WHEN verdict = 'delivered' THEN finished_at END
  WHERE c.project_id = p AND c.endpoint = target AND c.event = event_id AND c.next_attempt_at = lease
  RETURNING c.subject, c.seq INTO d;
  IF FOUND AND retry_at IS NULL THEN
    -- Includes deliveries that are due already: a claim that runs now may be about to postpone them.
    UPDATE webhook_deliveries c SET next_attempt_at = finished_at
    WHERE c.project_id = p AND c.endpoint = target AND c.subject = d.subject AND c.seq > d.seq
      AND c.next_attempt_at IS NOT NULL AND c.attempts = 0;
  END IF;
  IF verdict = 'delivered' THEN
    UPDATE webhook_endpoints w SET failing_since = NULL
    WHERE w.project_id = p AND w.id = target AND w.failing_since IS NOT NULL;
    RETURN NULL;
  END IF;
  UPDATE webhook_endpoints w SET failing_since = finished_at
  WHERE w.project_id = p AND w.id = target AND w.failing_since IS NULL;
  SELECT w.failing_since INTO failing FROM webhook_endpoints w WHERE w.project_id = p AND w.id = target;
  RETURN failing;
END $$;
