-- Differs from 0021 only in the statement as text: Citus cannot keep the plan of this join.
CREATE OR REPLACE FUNCTION emit_file_events(p bigint, kind text, at timestamptz, ids bigint[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  events json;
BEGIN
  PERFORM FROM webhook_endpoints w WHERE w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF NOT FOUND THEN RETURN; END IF;
  EXECUTE $select$
    SELECT json_agg(json_build_object(
             'subject', 'file:' || f.id, 'seq', f.revision,
             'data', to_jsonb(f) || jsonb_build_object('tenant_id', t.tenant_id)) ORDER BY f.id)
    FROM files f JOIN tenants t ON t.project_id = f.project_id AND t.id = f.tenant
    WHERE f.project_id = $1 AND t.project_id = $1 AND f.id = ANY ($2)$select$ INTO events USING p, ids;
  IF events IS NOT NULL THEN PERFORM emit_events(p, kind, at, events); END IF;
END $$;
--> statement-breakpoint
-- Differs from 0025 in the same way.
CREATE OR REPLACE FUNCTION emit_tenant_events(p bigint, kind text, at timestamptz, ids bigint[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  events json;
BEGIN
  PERFORM FROM webhook_endpoints w WHERE w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF NOT FOUND THEN RETURN; END IF;
  EXECUTE $select$
    SELECT json_agg(json_build_object(
             'subject', 'tenant:' || t.id, 'seq', floor(extract(epoch FROM $3) * 1000000)::bigint,
             'data', to_jsonb(t) || jsonb_build_object('project_quota', j.default_quota_bytes)) ORDER BY t.id)
    FROM tenants t JOIN projects j ON j.id = t.project_id
    WHERE t.project_id = $1 AND j.id = $1 AND t.id = ANY ($2)$select$ INTO events USING p, ids, clock_timestamp();
  IF events IS NOT NULL THEN PERFORM emit_events(p, kind, at, events); END IF;
END $$;
--> statement-breakpoint
-- Differs from 0024 in reading endpoint and project in two statements, for the same reason.
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
