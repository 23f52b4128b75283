-- The quota of a tenant in bytes: its own, else its project's, else the service's. Zero is a quota too.
--
-- Arguments: the three quotas in bytes, each null if it is not set.
-- Rows: one value: null if none is set.
-- Locks: none.
-- Errors: none.
--
-- PostgreSQL puts the expression into the statement that calls it, so a call costs nothing.
CREATE OR REPLACE FUNCTION quota_of(own bigint, of_project bigint, of_service bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(own, of_project, of_service) $$;
