-- Admits the uploads of one project: judges them and inserts the admitted files. Citus runs it on the node of the project.
--
-- Arguments: `p` the project's id; `key_hash`, `uploads`, `service_quota` and `service_limits` as those of judge_uploads.
-- Rows: for each upload its `number`, `outcome`, `path`, `is_new_tenant`, the project's `max_file_bytes` and `retry_after_s`, as judge_uploads returns
--   them. No rows if the project does not have this key.
-- Locks: those of judge_uploads, then the new rows of files.
-- Errors: 55P03 if a lock takes longer than a second.
CREATE OR REPLACE FUNCTION admit_uploads(p bigint, key_hash text, uploads json, service_quota bigint, service_limits jsonb DEFAULT NULL)
RETURNS TABLE (number int, outcome text, path text, is_new_tenant boolean, max_file_bytes bigint, retry_after_s int)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '1s' AS $$
#variable_conflict use_column
DECLARE
  -- For each upload that opens a file: its tenant and path.
  owners bigint[];
  paths text[];
  opened int := 0;
  n int := 0;
  u record;
BEGIN
  FOR u IN SELECT * FROM judge_uploads(ARRAY[p], ARRAY[key_hash], ARRAY[uploads], service_quota, service_limits) LOOP
    n := n + 1;
    IF u.owner IS NOT NULL THEN
      owners[n] := u.owner;
      paths[n] := u.path;
      opened := opened + 1;
    END IF;
    number := u.number;
    outcome := u.outcome;
    path := u.path;
    is_new_tenant := u.is_new_tenant;
    max_file_bytes := u.max_file_bytes;
    retry_after_s := u.retry_after_s;
    RETURN NEXT;
  END LOOP;

  IF opened > 4 THEN
    -- A statement as text, because Citus cannot keep the plan of an INSERT ... SELECT. It costs less than single inserts from
    -- about five files on.
    EXECUTE $insert$
      INSERT INTO files (project_id, tenant, path, filename, content_type, declared_size, reserved_bytes, metadata,
                         created_at, url_expires_at, next_check_at, part_size, multipart, expires_at, cache_control, visibility, folder)
      SELECT $1, $2[u.n], $3[u.n], filename, content_type, size, coalesce(size, 0), metadata, at, url_expires_at, next_check_at,
             part_size, multipart, expires_at, cache_control, coalesce(visibility, 'private'), coalesce(folder, '')
      FROM ROWS FROM (json_to_recordset($4) AS (
             filename text, content_type text, size bigint, metadata jsonb, at timestamptz, url_expires_at timestamptz,
             next_check_at timestamptz, part_size bigint, multipart jsonb, expires_at timestamptz, cache_control text,
             visibility file_visibility, folder text)) WITH ORDINALITY
           AS u (filename, content_type, size, metadata, at, url_expires_at, next_check_at, part_size, multipart, expires_at, cache_control,
                 visibility, folder, n)
      WHERE $3[u.n] IS NOT NULL$insert$ USING p, owners, paths, uploads;
  ELSIF opened > 0 THEN
    n := 0;
    FOR u IN
      SELECT * FROM json_to_recordset(uploads) AS r (
        filename text, content_type text, size bigint, metadata jsonb, at timestamptz, url_expires_at timestamptz,
        next_check_at timestamptz, part_size bigint, multipart jsonb, expires_at timestamptz, cache_control text, visibility file_visibility,
        folder text)
    LOOP
      n := n + 1;
      CONTINUE WHEN paths[n] IS NULL;
      INSERT INTO files (project_id, tenant, path, filename, content_type, declared_size, reserved_bytes, metadata,
                         created_at, url_expires_at, next_check_at, part_size, multipart, expires_at, cache_control, visibility, folder)
      VALUES (p, owners[n], paths[n], u.filename, u.content_type, u.size, coalesce(u.size, 0), u.metadata,
              u.at, u.url_expires_at, u.next_check_at, u.part_size, u.multipart, u.expires_at, u.cache_control,
              coalesce(u.visibility, 'private'), coalesce(u.folder, ''));
    END LOOP;
  END IF;
END $$;
