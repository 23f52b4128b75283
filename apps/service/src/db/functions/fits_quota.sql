-- Whether bytes fit a quota. Every statement that compares a size with a quota asks this function.
--
-- An upload without a declared size reserves nothing. It fits if at least one byte is free. So 0 bytes fit a quota of 0, if the size is
-- given. docs/quotas.md says how far a tenant can exceed its quota by uploads without a size.
--
-- Arguments: `size` the bytes to add, null if unknown; `taken` the bytes that are stored and reserved; `quota` what quota_of returns.
-- Rows: one value: true if the bytes fit, or if there is no quota.
-- Locks: none. The caller holds the tenant if it adds the bytes.
-- Errors: none.
--
-- PostgreSQL puts the expression into the statement that calls it, so a call costs nothing.
CREATE OR REPLACE FUNCTION fits_quota(size bigint, taken bigint, quota bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(taken + coalesce(size, 1) <= quota, true) $$;
