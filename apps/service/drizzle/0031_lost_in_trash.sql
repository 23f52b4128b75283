-- Every row passes the check already, which is weaker than the one before. So PostgreSQL need not read the table while it is locked.
ALTER TABLE "files" DROP CONSTRAINT "files_trashed";--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_trashed" CHECK (case "status"::text when 'trashed' then "purge_at" is not null and "size" is not null
          when 'expired' then true else "purge_at" is null end) NOT VALID;--> statement-breakpoint
CREATE OR REPLACE FUNCTION reopen_upload(
  p bigint, owner bigint, upload json, free_bytes bigint,
  OUT outcome text, OUT path text, OUT is_new_tenant boolean, OUT reserved bigint)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  -- Citus refuses casts to timestamptz in the UPDATE below: they depend on the session's time zone.
  requested_at timestamptz := upload ->> 'at';
  next_look timestamptz := upload ->> 'next_look_at';
  look_after_expiry timestamptz := upload ->> 'look_after_expiry_at';
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
  IF f.status = 'expired' AND coalesce(f.declared_size, 1) > free_bytes THEN
    outcome := 'quota_exceeded';
    RETURN;
  END IF;

  -- The new URL is valid for longer than the file's earlier ones, so the sweeper has to check the file for longer. A new revision
  -- tells a check that has already read the row to read it again.
  UPDATE files SET
    status = CASE WHEN status = 'expired' THEN 'pending' ELSE status END,
    reserved_bytes = CASE WHEN status = 'expired' THEN coalesce(declared_size, 0) ELSE reserved_bytes END,
    next_look_at = CASE
      WHEN status = 'expired' THEN next_look
      ELSE coalesce(next_look_at, look_after_expiry) END,
    url_expires_at = greatest(url_expires_at, new_expiry),
    expires_at = new_end,
    -- The sweeper has aborted the multipart upload of a file that expired: its parts are gone.
    upload_id = CASE WHEN status <> 'expired' THEN upload_id END,
    parts_stored = CASE WHEN status <> 'expired' THEN parts_stored END,
    part_bytes_stored = CASE WHEN status <> 'expired' THEN part_bytes_stored END,
    part_urls_expire_at = CASE WHEN status <> 'expired' THEN part_urls_expire_at END,
    revision = revision + 1
  WHERE project_id = p AND id = f.id;
  outcome := 'admitted';
  path := k.path;
  is_new_tenant := k.is_new_tenant;
  reserved := CASE WHEN f.status = 'expired' THEN coalesce(f.declared_size, 0) ELSE 0 END;
END $$;
