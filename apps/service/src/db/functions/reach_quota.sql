-- Remembers that bytes of a tenant were refused for its quota, and tells webhooks. Bytes that fit were refused for another limit. judge_uploads does the same for the uploads that it refuses.
--
-- Arguments: `p` the project's id; `at` the time of the event; `t` tenants.id; `needed` the refused bytes; `service_quota` the quota in
--   bytes of tenants without one of their own, of their plan or of the project, null for none.
-- Rows: none.
-- Locks: the caller holds the tenant. Then what emit_tenant_events locks.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION reach_quota(p bigint, at timestamptz, t bigint, needed bigint, service_quota bigint) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  quota bigint;
BEGIN
  -- Tracked only for an endpoint that gets to know it.
  PERFORM FROM webhook_endpoints w
  WHERE w.project_id = p AND w.deleted_at IS NULL AND w.events && ARRAY['tenant.quota_reached', 'tenant.quota_cleared'];
  IF NOT FOUND THEN RETURN; END IF;
  SELECT quota_of(NULL, default_quota_bytes, service_quota) INTO quota FROM projects WHERE id = p;
  quota := coalesce((SELECT l.quota FROM limits_of_tenant(p, t, NULL, false) l), quota);
  UPDATE tenants SET quota_needs_bytes = greatest(needed, 1), quota_reached_bytes = quota
  WHERE project_id = p AND id = t AND quota_needs_bytes IS NULL AND NOT fits_quota(needed, used_bytes + reserved_bytes, quota);
  IF FOUND THEN PERFORM emit_tenant_events(p, 'tenant.quota_reached', at, ARRAY[t]); END IF;
END $$;
