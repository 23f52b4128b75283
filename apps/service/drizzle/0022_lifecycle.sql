ALTER TYPE "public"."file_event_kind" ADD VALUE 'trashed';--> statement-breakpoint
ALTER TYPE "public"."file_event_kind" ADD VALUE 'restored';--> statement-breakpoint
ALTER TYPE "public"."file_event_kind" ADD VALUE 'held';--> statement-breakpoint
ALTER TYPE "public"."file_event_kind" ADD VALUE 'released';--> statement-breakpoint
ALTER TYPE "public"."file_status" ADD VALUE 'trashed';--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "purge_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "held" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "trash_days" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "next_purge_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "files_to_end" ON "files" USING btree (coalesce("purge_at", "expires_at")) WHERE not "files"."held" and ("files"."purge_at" is not null or "files"."expires_at" is not null and "files"."status" = 'stored');--> statement-breakpoint
CREATE INDEX "files_held" ON "files" USING btree ("project_id","tenant") WHERE "files"."held";--> statement-breakpoint
CREATE INDEX "tenants_to_purge" ON "tenants" USING btree ("next_purge_at") WHERE "tenants"."next_purge_at" is not null;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_trashed" CHECK (("status"::text = 'trashed') = ("purge_at" is not null) and ("purge_at" is null or "size" is not null));--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_trash_days" CHECK ("trash_days" between 0 and 90);
--> statement-breakpoint
-- Differs from 0017 in two places: a file in the trash counts as deleted, and the file's end is counted from the repeated request.
--
-- Answers an upload whose Idempotency-Key was used before. The caller holds the lock of the tenant, `owner`. `free_bytes` is what
-- is left of its quota, or null if it has none.
--
-- `outcome` is null if the upload is a new one: nobody used the key in the last 24 hours, or its file was deleted or cancelled.
-- Otherwise it is 'admitted', 'key_reused' (for another request), 'quota_exceeded' or 'retry'. `reserved` is how many more bytes the
-- tenant reserves: an upload that has expired is pending again, and reserves its bytes again.
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

  SELECT id, status, declared_size INTO f FROM files
  WHERE project_id = p AND path = k.path FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    PERFORM FROM files WHERE project_id = p AND path = k.path;
    IF FOUND THEN outcome := 'retry'; END IF;
    RETURN;
  END IF;
  IF f.status IN ('deleting', 'trashed') THEN RETURN; END IF;
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
--> statement-breakpoint
-- Differs from 0017 in two places: files have an end, and a tenant that is being deleted gets no upload ('tenant_being_deleted').
--
-- Admits uploads of one project, given as a JSON array, and returns one row for each: it finds the project, finds or creates the
-- tenants, checks the quotas, reserves the bytes, and inserts the files. It returns no row if no project has this id and key.
-- `key_hash` is null for an operator, who has no key.
--
-- A caller gets 'retry' if only another call can decide, because a concurrent statement changed the same tenant, key or file.
--
-- Locks: existing tenants in the order of their ids, then new tenants in the order of their names. A file that an Idempotency-Key
-- refers to is locked after its tenant, against the order that all other statements keep. So it is never waited for (SKIP LOCKED).
--
-- The statements are those that Citus can keep planned: each names one project and one table. Only the insert of several files has
-- to be planned for each call. Without sequential scans, a plan made while the tables were nearly empty is right for full tables too.
CREATE OR REPLACE FUNCTION admit_uploads(p bigint, key_hash text, uploads json, service_quota bigint)
RETURNS TABLE (number int, outcome text, path text, is_new_tenant boolean, max_file_bytes bigint)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '1s' AS $$
#variable_conflict use_column
DECLARE
  project_ref text;
  size_limit bigint;
  needs_size boolean;
  default_quota bigint;
  -- The uploads, in the order of the array.
  numbers int[];
  names text[];
  sizes bigint[];
  new_refs text[];
  object_names text[];
  keys text[];
  -- The tenants.
  ids bigint[] := '{}';
  known text[] := '{}';
  taken bigint[] := '{}';
  quotas bigint[] := '{}';
  refs text[] := '{}';
  leaving boolean[] := '{}';
  reserved bigint[] := '{}';
  raced text[] := '{}';
  -- For each upload that opens a file: its tenant and path.
  owners bigint[];
  paths text[];
  opened int := 0;
  reopened boolean := false;
  claimed text[] := '{}';
  t int;
  n int := 0;
  new_id bigint;
  verdict text;
  u record;
BEGIN
  SELECT ref, max_file_bytes, require_size, coalesce(default_quota_bytes, service_quota)
  INTO project_ref, size_limit, needs_size, default_quota
  FROM projects
  WHERE id = p AND CASE WHEN key_hash IS NULL THEN deleted_at IS NULL ELSE api_key_hash = key_hash END;
  IF NOT FOUND THEN RETURN; END IF;
  max_file_bytes := size_limit;

  SELECT array_agg(r.number), array_agg(r.tenant_id), array_agg(r.size), array_agg(r.new_ref), array_agg(r.object_name),
         array_agg(r.idempotency_key)
  INTO numbers, names, sizes, new_refs, object_names, keys
  FROM json_to_recordset(uploads) AS r (
    number int, tenant_id text, size bigint, new_ref text, object_name text, idempotency_key text);

  -- Reads the counters after it has the lock. This is what lets 200 concurrent requests admit exactly as many uploads as fit.
  FOR u IN
    SELECT id, tenant_id, used_bytes + reserved_bytes AS taken, quota_bytes, ref, next_purge_at IS NOT NULL AS is_leaving
    FROM tenants WHERE project_id = p AND tenant_id = ANY (names) ORDER BY id FOR UPDATE
  LOOP
    ids := ids || u.id;
    known := known || u.tenant_id;
    taken := taken || u.taken;
    quotas := quotas || u.quota_bytes;
    refs := refs || u.ref;
    leaving := leaving || u.is_leaving;
  END LOOP;

  -- Creates the other tenants. Each one gets the ref that its first upload offers; that upload is the one that created it.
  -- A tenant is not created if all its uploads will be refused.
  IF NOT names <@ known THEN
    FOR u IN
      SELECT r.tenant_id, (array_agg(r.new_ref ORDER BY r.number))[1] AS ref, min(r.at) AS at
      FROM json_to_recordset(uploads) AS r (number int, tenant_id text, size bigint, new_ref text, at timestamptz)
      WHERE NOT r.tenant_id = ANY (known)
        AND CASE WHEN r.size IS NULL THEN NOT needs_size ELSE r.size <= size_limit END
        AND coalesce(coalesce(r.size, 1) <= default_quota, true)
      GROUP BY r.tenant_id ORDER BY r.tenant_id
    LOOP
      INSERT INTO tenants (project_id, tenant_id, ref, created_at) VALUES (p, u.tenant_id, u.ref, u.at)
      ON CONFLICT (project_id, tenant_id) DO NOTHING RETURNING id INTO new_id;
      IF FOUND THEN
        ids := ids || new_id;
        known := known || u.tenant_id;
        taken := taken || 0::bigint;
        quotas := quotas || NULL::bigint;
        refs := refs || u.ref;
        leaving := leaving || false;
      ELSE
        raced := raced || u.tenant_id;
      END IF;
    END LOOP;
  END IF;
  reserved := array_fill(0::bigint, ARRAY[cardinality(ids)]);

  -- Judges the uploads in their order: an upload is admitted if it fits beside those that were admitted before it. An upload
  -- without a declared size reserves nothing. It is admitted if at least one byte of quota is free.
  FOR i IN 1 .. coalesce(cardinality(numbers), 0) LOOP
    t := array_position(known, names[i]);
    verdict := NULL;
    path := NULL;
    is_new_tenant := NULL;
    IF leaving[t] THEN
      verdict := 'tenant_being_deleted';
    ELSIF keys[i] IS NOT NULL AND t IS NOT NULL THEN
      IF t || ' ' || keys[i] = ANY (claimed) THEN
        verdict := 'retry';
      ELSE
        SELECT * INTO u FROM reopen_upload(
          p, ids[t], uploads -> (i - 1), coalesce(quotas[t], default_quota) - taken[t]);
        verdict := u.outcome;
        IF verdict = 'admitted' THEN
          path := u.path;
          is_new_tenant := u.is_new_tenant;
          taken[t] := taken[t] + u.reserved;
          reserved[t] := reserved[t] + u.reserved;
          reopened := true;
        END IF;
      END IF;
    END IF;
    IF verdict IS NOT NULL THEN
      NULL;
    ELSIF sizes[i] IS NULL AND needs_size THEN
      verdict := 'size_required';
    ELSIF sizes[i] > size_limit THEN
      verdict := 'file_too_large';
    ELSIF t IS NULL THEN
      verdict := CASE WHEN names[i] = ANY (raced) THEN 'retry' ELSE 'quota_exceeded' END;
    ELSIF taken[t] + coalesce(sizes[i], 1) > coalesce(quotas[t], default_quota) THEN
      verdict := 'quota_exceeded';
    ELSE
      verdict := 'admitted';
      IF sizes[i] > 0 THEN
        taken[t] := taken[t] + sizes[i];
        reserved[t] := reserved[t] + sizes[i];
      END IF;
      -- A tenant whose quota was set before its first upload has no ref yet.
      IF refs[t] IS NULL THEN refs[t] := new_refs[i]; END IF;
      path := 'projects/' || project_ref || '/tenants/' || refs[t] || '/' || object_names[i];
      is_new_tenant := refs[t] = new_refs[i];
      owners[i] := ids[t];
      paths[i] := path;
      opened := opened + 1;
      IF keys[i] IS NOT NULL THEN
        claimed := claimed || (t || ' ' || keys[i]);
        INSERT INTO idempotency_keys AS kept (project_id, tenant, key, request_hash, path, is_new_tenant, expires_at)
        VALUES (p, ids[t], keys[i], uploads -> (i - 1) ->> 'request_hash', path, is_new_tenant,
                (uploads -> (i - 1) ->> 'key_expires_at')::timestamptz)
        ON CONFLICT (project_id, tenant, key) DO UPDATE SET
          request_hash = excluded.request_hash, path = excluded.path, is_new_tenant = excluded.is_new_tenant,
          expires_at = excluded.expires_at;
      END IF;
    END IF;
    number := numbers[i];
    outcome := verdict;
    RETURN NEXT;
  END LOOP;

  IF opened > 4 THEN
    -- A statement as text, because Citus cannot keep the plan of an INSERT ... SELECT. It costs less than single inserts from
    -- about five files on.
    EXECUTE $insert$
      INSERT INTO files (project_id, tenant, path, filename, content_type, declared_size, reserved_bytes, metadata,
                         created_at, url_expires_at, next_look_at, part_size, fingerprint, expires_at)
      SELECT $1, $2[u.n], $3[u.n], filename, content_type, size, coalesce(size, 0), metadata, at, url_expires_at, next_look_at,
             part_size, fingerprint, expires_at
      FROM ROWS FROM (json_to_recordset($4) AS (
             filename text, content_type text, size bigint, metadata jsonb, at timestamptz, url_expires_at timestamptz,
             next_look_at timestamptz, part_size bigint, fingerprint text, expires_at timestamptz)) WITH ORDINALITY
           AS u (filename, content_type, size, metadata, at, url_expires_at, next_look_at, part_size, fingerprint, expires_at, n)
      WHERE $3[u.n] IS NOT NULL$insert$ USING p, owners, paths, uploads;
  ELSIF opened > 0 THEN
    FOR u IN
      SELECT * FROM json_to_recordset(uploads) AS r (
        filename text, content_type text, size bigint, metadata jsonb, at timestamptz, url_expires_at timestamptz,
        next_look_at timestamptz, part_size bigint, fingerprint text, expires_at timestamptz)
    LOOP
      n := n + 1;
      CONTINUE WHEN paths[n] IS NULL;
      INSERT INTO files (project_id, tenant, path, filename, content_type, declared_size, reserved_bytes, metadata,
                         created_at, url_expires_at, next_look_at, part_size, fingerprint, expires_at)
      VALUES (p, owners[n], paths[n], u.filename, u.content_type, u.size, coalesce(u.size, 0), u.metadata,
              u.at, u.url_expires_at, u.next_look_at, u.part_size, u.fingerprint, u.expires_at);
    END LOOP;
  END IF;

  IF opened > 0 OR reopened THEN
    -- By name, not by id: without statistics PostgreSQL 18 finds several ids by the index tenants_by_use, and reads it whole.
    UPDATE tenants SET
      reserved_bytes = reserved_bytes + reserved[array_position(known, tenant_id)],
      ref = coalesce(ref, refs[array_position(known, tenant_id)])
    WHERE project_id = p AND tenant_id = ANY (known);
  END IF;
END $$;
