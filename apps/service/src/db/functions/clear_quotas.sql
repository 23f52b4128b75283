-- Tells webhooks of the tenants that had reached their quota and have as many bytes free again as the refused upload needed.
--
-- Arguments: `p` the project's id; `at` the time of the events; `ids` tenants.id.
-- Rows: none.
-- Locks: the caller holds the tenants. Then what emit_tenant_events locks.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION clear_quotas(p bigint, at timestamptz, ids bigint[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  t record;
  cleared bigint[] := '{}';
BEGIN
  FOR t IN
    UPDATE tenants SET quota_needs_bytes = NULL, quota_reached_bytes = NULL
    WHERE project_id = p AND id = ANY (ids) AND quota_needs_bytes IS NOT NULL
      AND fits_quota(quota_needs_bytes, used_bytes + reserved_bytes, quota_reached_bytes)
    RETURNING id
  LOOP
    cleared := cleared || t.id;
  END LOOP;
  IF cardinality(cleared) > 0 THEN PERFORM emit_tenant_events(p, 'tenant.quota_cleared', at, cleared); END IF;
END $$;
