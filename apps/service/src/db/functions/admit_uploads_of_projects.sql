-- Admits uploads of several projects: judges them and inserts the admitted files, by one INSERT. Citus cannot run it.
--
-- Arguments: `calls` an array of objects with `project_id`, `key_hash` and `uploads`, as the arguments of judge_uploads; the numbers of
--   all uploads differ. `service_quota` and `service_limits` as there.
-- Rows: those of admit_uploads. None for a project that does not have its key.
-- Locks: those of judge_uploads, then the new rows of files.
-- Errors: 55P03 if a lock takes longer than a second.
CREATE OR REPLACE FUNCTION admit_uploads_of_projects(calls json, service_quota bigint, service_limits jsonb DEFAULT NULL)
RETURNS TABLE (number int, outcome text, path text, is_new_tenant boolean, max_file_bytes bigint, retry_after_s int)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '1s' AS $$
#variable_conflict use_column
DECLARE
  project_ids bigint[];
  key_hashes text[];
  lists json[];
BEGIN
  SELECT array_agg(project_id), array_agg(key_hash), array_agg(uploads) INTO project_ids, key_hashes, lists
  FROM json_to_recordset(calls) AS call (project_id bigint, key_hash text, uploads json);

  RETURN QUERY
  WITH judged AS MATERIALIZED (SELECT * FROM judge_uploads(project_ids, key_hashes, lists, service_quota, service_limits)),
  opened AS (
    INSERT INTO files (project_id, tenant, path, filename, content_type, declared_size, reserved_bytes, metadata,
                       created_at, url_expires_at, next_check_at, part_size, multipart, expires_at, cache_control, visibility, folder)
    SELECT c.project_id, j.owner, j.path, u.filename, u.content_type, u.size, coalesce(u.size, 0), u.metadata, u.at, u.url_expires_at,
           u.next_check_at, u.part_size, u.multipart, u.expires_at, u.cache_control, coalesce(u.visibility, 'private'),
           coalesce(u.folder, '')
    FROM judged j
    JOIN (unnest(project_ids, lists) AS c (project_id, uploads)
          CROSS JOIN LATERAL json_to_recordset(c.uploads) AS u (
            number int, filename text, content_type text, size bigint, metadata jsonb, at timestamptz, url_expires_at timestamptz,
            next_check_at timestamptz, part_size bigint, multipart jsonb, expires_at timestamptz, cache_control text,
            visibility file_visibility, folder text)) USING (number)
    WHERE j.owner IS NOT NULL)
  SELECT j.number, j.outcome, j.path, j.is_new_tenant, j.max_file_bytes, j.retry_after_s FROM judged j;
END $$;
