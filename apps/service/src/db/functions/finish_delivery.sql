-- Records the end of a try to deliver an event: its row in the log, and the new state of the delivery, unless another replica has claimed
-- the delivery since or an operator has started it again.
--
-- Arguments: `p` the project's id; `target` webhook_endpoints.id; `event_id`; `lease` the end of the claim, which identifies it;
--   `finished_at`; `verdict` the new state; `retry_at` the next try, null unless the delivery stays pending; `http_status`, `took_ms`,
--   `failure` and `head` (the start of the answer) for the log.
-- Rows: one, since when the endpoint has been failing; null if it is not.
-- Locks: the endpoint before its deliveries, as a redelivery locks them. Otherwise PostgreSQL could end one of the two as a deadlock.
-- Errors: none of its own.
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
  IF verdict = 'delivered' THEN
    UPDATE webhook_endpoints w SET failing_since = NULL
    WHERE w.project_id = p AND w.id = target AND w.failing_since IS NOT NULL;
  ELSE
    UPDATE webhook_endpoints w SET failing_since = finished_at
    WHERE w.project_id = p AND w.id = target AND w.failing_since IS NULL;
    SELECT w.failing_since INTO failing FROM webhook_endpoints w WHERE w.project_id = p AND w.id = target;
  END IF;
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
  RETURN failing;
END $$;
