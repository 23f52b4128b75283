-- Writes events about tenants into the outbox, as emit_file_events does about files. The position in the outbox gives their order.
--
-- Arguments: `p` the project's id; `kind` the type of the events; `at` their time; `ids` tenants.id; `only_log`
--   as for write_outbox.
-- Rows: none.
-- Locks: the caller holds the tenants. It inserts into webhook_outbox.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION emit_tenant_events(p bigint, kind text, at timestamptz, ids bigint[], only_log boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  quota bigint;
  project_limits jsonb;
  changed json;
  quotas json;
BEGIN
  PERFORM FROM webhook_endpoints w WHERE w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF NOT FOUND AND NOT only_log THEN
    PERFORM FROM event_logs l WHERE l.project_id = p AND l.read_at IS NOT NULL;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  SELECT j.default_quota_bytes, j.default_limits INTO quota, project_limits FROM projects j WHERE j.id = p;
  SELECT json_agg(t), json_object_agg(t.id, json_build_object(
    'project_quota', quota, 'project_limits', project_limits, 'plan_quota', q.quota_bytes, 'plan_limits', q.limits))
  INTO changed, quotas
  FROM tenants t LEFT JOIN plans q ON q.project_id = t.project_id AND q.name = t.plan
  WHERE t.project_id = p AND t.id = ANY (ids);
  IF changed IS NOT NULL THEN PERFORM write_outbox(p, kind, at, changed, quotas, only_log); END IF;
END $$;
