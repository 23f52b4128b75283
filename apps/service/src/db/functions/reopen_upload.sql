-- Answers an upload whose `Idempotency-Key` was used before.
--
-- Arguments: `p` the project's id; `owner` tenants.id; `upload` one object of the array of judge_uploads; `free_bytes` what is left of the
--   tenant's quota, null if it has none; `refusal` why the tenant may have no further file, null if it may.
-- Rows: one. `outcome` is null if the upload is a new one: the key was not used in the last 24 hours, or its file was deleted or
--   cancelled. Otherwise it is 'admitted', 'key_reused' (for another request), 'quota_exceeded', `refusal` or 'retry'. `path` and `is_new_tenant` are
--   those of the first answer. `reserved` is how many more bytes the tenant reserves: an upload that has expired is pending again,
--   and `was_expired` says so.
-- Locks: the caller holds the tenant. It locks the file only if it is free, because others lock a file before its tenant.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION reopen_upload(
  p bigint, owner bigint, upload json, free_bytes bigint, refusal text,
  OUT outcome text, OUT path text, OUT is_new_tenant boolean, OUT reserved bigint, OUT was_expired boolean)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  -- Citus refuses casts to timestamptz in the UPDATE below: they depend on the session's time zone.
  requested_at timestamptz := upload ->> 'at';
  next_check timestamptz := upload ->> 'next_check_at';
  check_after_expiry timestamptz := upload ->> 'check_after_expiry_at';
  new_expiry timestamptz := upload ->> 'url_expires_at';
  new_end timestamptz := upload ->> 'expires_at';
  k record;
  f record;
BEGIN
  SELECT request_hash, path, is_new_tenant INTO k FROM idempotency_keys
  WHERE project_id = p AND tenant = owner AND key = upload ->> 'idempotency_key'
    AND expires_at > requested_at;
  IF NOT FOUND THEN RETURN; END IF;
  IF k.request_hash <> upload ->> 'request_hash' THEN
    outcome := 'key_reused';
    RETURN;
  END IF;

  SELECT id, status, declared_size, purge_at INTO f FROM files
  WHERE project_id = p AND path = k.path FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    PERFORM FROM files WHERE project_id = p AND path = k.path;
    IF FOUND THEN outcome := 'retry'; END IF;
    RETURN;
  END IF;
  -- Also a file in the trash whose object is lost: if it comes back, it is in the trash again.
  IF f.status = 'deleting' OR f.purge_at IS NOT NULL THEN RETURN; END IF;
  IF f.status = 'expired' AND NOT fits_quota(f.declared_size, 0, free_bytes) THEN
    outcome := 'quota_exceeded';
    RETURN;
  END IF;
  was_expired := f.status = 'expired';
  IF was_expired AND refusal IS NOT NULL THEN
    outcome := refusal;
    RETURN;
  END IF;

  -- The new URL is valid for longer than the file's earlier ones, so the sweeper has to check the file for longer. A new revision
  -- tells a check that has already read the row to read it again.
  UPDATE files SET
    status = CASE WHEN status = 'expired' THEN 'pending' ELSE status END,
    reserved_bytes = CASE WHEN status = 'expired' THEN coalesce(declared_size, 0) ELSE reserved_bytes END,
    next_check_at = CASE
      WHEN status = 'expired' THEN next_check
      ELSE coalesce(next_check_at, check_after_expiry) END,
    url_expires_at = greatest(url_expires_at, new_expiry),
    expires_at = new_end,
    -- The sweeper has aborted the multipart upload of a file that expired: its parts are gone.
    multipart = CASE WHEN status <> 'expired' THEN multipart
                     ELSE multipart - '{uploadId,partsStored,bytesStored,urlsExpireAt}'::text[] END,
    revision = revision + 1
  WHERE project_id = p AND id = f.id;
  outcome := 'admitted';
  path := k.path;
  is_new_tenant := k.is_new_tenant;
  reserved := CASE WHEN f.status = 'expired' THEN coalesce(f.declared_size, 0) ELSE 0 END;
END $$;
