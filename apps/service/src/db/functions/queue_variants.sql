-- Queues the variants that a project wants of each image and PDF. Only the declared type is known here: a worker judges the bytes. A project
-- without such presets pays one look at the primary key of its presets. images/preset-parameters.ts has the parameters.
--
-- Arguments: `p` the project's id; `ids` files.id; `at` when the variants are due.
-- Rows: none.
-- Locks: the caller holds the files. It inserts into file_variants.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION queue_variants(p bigint, ids bigint[], at timestamptz) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  project_ref text;
  i record;
  f record;
BEGIN
  PERFORM FROM image_presets WHERE project_id = p AND eager AND retired_at IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT ref INTO project_ref FROM projects WHERE id = p AND deleted_at IS NULL;
  IF project_ref IS NULL THEN RETURN; END IF;
  -- Two loops and no join, and rows one by one: of a join, and of INSERT … SELECT, Citus keeps no plan.
  FOR i IN
    SELECT hash, width, height, fit, quality, animated, CASE format WHEN 'auto' THEN 'webp' ELSE format::text END AS format
    FROM image_presets WHERE project_id = p AND eager AND retired_at IS NULL
  LOOP
    FOR f IN
      SELECT id, etag FROM files
      WHERE project_id = p AND id = ANY (ids) AND status = 'stored' AND etag IS NOT NULL
        AND (lower(content_type) LIKE 'image/%' OR lower(content_type) LIKE 'application/pdf%')
    LOOP
      INSERT INTO file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, due_at, created_at)
      VALUES (p, f.id, i.hash, f.etag,
              'projects/' || project_ref || '/variants/' || replace(gen_random_uuid()::text, '-', ''),
              jsonb_build_object('width', i.width, 'height', i.height, 'fit', i.fit, 'quality', i.quality, 'format', i.format, 'animated', i.animated),
              'waiting', at, at)
      ON CONFLICT DO NOTHING;
    END LOOP;
  END LOOP;
END $$;
