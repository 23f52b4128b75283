-- The functions of 0009 with a few statements for a whole batch instead of several for each file and tenant. Every statement names one
-- project and one table, so that Citus can keep its plan. An element of an array is always inside CASE: Citus 13.2 crashes at an UPDATE
-- that sets a column to the bare element.

-- Adds to the usage per day of tenants and of their project. `changes`: one object for each tenant. The caller holds the tenants' locks.
CREATE OR REPLACE FUNCTION add_daily_usage(p bigint, today date, changes json) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  owners bigint[];
  new_uploads int[];
  new_bytes bigint[];
  new_deletes int[];
  deleted bigint[];
  slots smallint[];
  known bigint[] := '{}';
  row_count int := 0;
  seen record;
BEGIN
  SELECT array_agg(c.tenant), array_agg(c.uploads), array_agg(c.uploaded_bytes), array_agg(c.deleted_files), array_agg(c.deleted_bytes)
  INTO owners, new_uploads, new_bytes, new_deletes, deleted
  FROM json_to_recordset(changes) AS c (
    tenant bigint, uploads int, uploaded_bytes bigint, deleted_files int, deleted_bytes bigint)
  WHERE (c.uploads, c.uploaded_bytes, c.deleted_files, c.deleted_bytes) <> (0, 0, 0, 0);
  IF owners IS NULL THEN RETURN; END IF;

  -- For one tenant, the insert below alone is cheaper.
  IF cardinality(owners) > 1 THEN
    FOR seen IN
      UPDATE usage_daily SET
        uploads = uploads + CASE WHEN tenant > 0 THEN new_uploads[array_position(owners, tenant)] END,
        uploaded_bytes = uploaded_bytes + CASE WHEN tenant > 0 THEN new_bytes[array_position(owners, tenant)] END,
        deleted_files = deleted_files + CASE WHEN tenant > 0 THEN new_deletes[array_position(owners, tenant)] END,
        deleted_bytes = deleted_bytes + CASE WHEN tenant > 0 THEN deleted[array_position(owners, tenant)] END
      WHERE project_id = p AND day = today AND tenant = ANY (owners)
      RETURNING tenant
    LOOP
      known := known || seen.tenant;
    END LOOP;
  END IF;
  FOR i IN 1 .. cardinality(owners) LOOP
    CONTINUE WHEN owners[i] = ANY (known);
    INSERT INTO usage_daily AS kept (project_id, tenant, day, uploads, uploaded_bytes, deleted_files, deleted_bytes)
    VALUES (p, owners[i], today, new_uploads[i], new_bytes[i], new_deletes[i], deleted[i])
    ON CONFLICT (project_id, tenant, day) DO UPDATE SET
      uploads = kept.uploads + excluded.uploads, uploaded_bytes = kept.uploaded_bytes + excluded.uploaded_bytes,
      deleted_files = kept.deleted_files + excluded.deleted_files, deleted_bytes = kept.deleted_bytes + excluded.deleted_bytes;
  END LOOP;

  SELECT array_agg(s.slot), array_agg(s.uploads), array_agg(s.uploaded_bytes), array_agg(s.deleted_files), array_agg(s.deleted_bytes)
  INTO slots, new_uploads, new_bytes, new_deletes, deleted
  FROM (
    SELECT (u.tenant % 16)::smallint AS slot, sum(u.uploads)::int AS uploads, sum(u.uploaded_bytes)::bigint AS uploaded_bytes,
           sum(u.deleted_files)::int AS deleted_files, sum(u.deleted_bytes)::bigint AS deleted_bytes
    FROM unnest(owners, new_uploads, new_bytes, new_deletes, deleted)
      AS u (tenant, uploads, uploaded_bytes, deleted_files, deleted_bytes)
    GROUP BY 1 ORDER BY 1) s;
  -- Both branches lock the slots in their order. For one slot, the insert alone is cheaper.
  IF cardinality(slots) > 1 THEN
    SELECT count(*) INTO row_count FROM project_usage_daily WHERE project_id = p AND day = today AND slot = ANY (slots);
  END IF;
  IF row_count = cardinality(slots) THEN
    PERFORM FROM project_usage_daily
    WHERE project_id = p AND day = today AND slot = ANY (slots) ORDER BY slot FOR NO KEY UPDATE;
    UPDATE project_usage_daily SET
      uploads = uploads + CASE WHEN slot >= 0 THEN new_uploads[array_position(slots, slot)] END,
      uploaded_bytes = uploaded_bytes + CASE WHEN slot >= 0 THEN new_bytes[array_position(slots, slot)] END,
      deleted_files = deleted_files + CASE WHEN slot >= 0 THEN new_deletes[array_position(slots, slot)] END,
      deleted_bytes = deleted_bytes + CASE WHEN slot >= 0 THEN deleted[array_position(slots, slot)] END
    WHERE project_id = p AND day = today AND slot = ANY (slots);
  ELSE
    FOR i IN 1 .. cardinality(slots) LOOP
      INSERT INTO project_usage_daily AS kept (project_id, day, slot, uploads, uploaded_bytes, deleted_files, deleted_bytes)
      VALUES (p, today, slots[i], new_uploads[i], new_bytes[i], new_deletes[i], deleted[i])
      ON CONFLICT (project_id, day, slot) DO UPDATE SET
        uploads = kept.uploads + excluded.uploads, uploaded_bytes = kept.uploaded_bytes + excluded.uploaded_bytes,
        deleted_files = kept.deleted_files + excluded.deleted_files, deleted_bytes = kept.deleted_bytes + excluded.deleted_bytes;
    END LOOP;
  END IF;
END $$;
--> statement-breakpoint
-- Adds changes to the counters of tenants, and the same numbers to their usage per day. Locks the tenants in the order of their ids,
-- then their days, then the slots of the project. `changes`: one object for each tenant.
CREATE OR REPLACE FUNCTION add_usage(p bigint, today date, changes json) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  owners bigint[];
  new_bytes bigint[];
  new_files int[];
  new_reserved bigint[];
BEGIN
  SELECT array_agg(c.tenant), array_agg(c.uploaded_bytes - c.deleted_bytes), array_agg(c.uploads - c.deleted_files),
         array_agg(c.reserved_bytes)
  INTO owners, new_bytes, new_files, new_reserved
  FROM json_to_recordset(changes) AS c (
    tenant bigint, uploads int, uploaded_bytes bigint, deleted_files int, deleted_bytes bigint, reserved_bytes bigint);
  IF owners IS NULL THEN RETURN; END IF;
  IF cardinality(owners) > 1 THEN
    PERFORM FROM tenants WHERE project_id = p AND id = ANY (owners) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  UPDATE tenants SET
    used_bytes = used_bytes + CASE WHEN id > 0 THEN new_bytes[array_position(owners, id)] END,
    file_count = file_count + CASE WHEN id > 0 THEN new_files[array_position(owners, id)] END,
    reserved_bytes = reserved_bytes + CASE WHEN id > 0 THEN new_reserved[array_position(owners, id)] END
  WHERE project_id = p AND id = ANY (owners);
  PERFORM add_daily_usage(p, today, changes);
END $$;
--> statement-breakpoint
-- Marks pending files as stored and counts them. Returns the `number` of each upload that was marked: the rows of the others have
-- changed since they were read. Locks the files in the order of their ids, and then what add_usage locks. If a batch contains a file
-- twice, the values of its first place count.
CREATE OR REPLACE FUNCTION mark_stored(p bigint, uploads json, at timestamptz, today date) RETURNS SETOF int
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '1s' AS $$
DECLARE
  numbers int[];
  ids bigint[];
  revisions int[];
  sizes bigint[];
  etags text[];
  checks timestamptz[];
  f record;
  i int;
  marked bigint[] := '{}';
  owners bigint[] := '{}';
  counted bigint[] := '{}';
  reserved bigint[] := '{}';
BEGIN
  SELECT array_agg(u.number), array_agg(u.id), array_agg(u.revision), array_agg(u.size), array_agg(u.etag),
         array_agg(u.next_look_at)
  INTO numbers, ids, revisions, sizes, etags, checks
  FROM json_to_recordset(uploads) AS u (
    number int, id bigint, revision int, size bigint, etag text, next_look_at timestamptz);

  FOR f IN
    SELECT id, revision, tenant, reserved_bytes FROM files
    WHERE project_id = p AND id = ANY (ids) ORDER BY id FOR NO KEY UPDATE
  LOOP
    i := array_position(ids, f.id);
    CONTINUE WHEN f.revision <> revisions[i];
    marked := marked || f.id;
    owners := owners || f.tenant;
    counted := counted || sizes[i];
    reserved := reserved || f.reserved_bytes;
    RETURN NEXT numbers[i];
  END LOOP;
  IF cardinality(marked) = 0 THEN RETURN; END IF;

  UPDATE files SET
    status = 'stored', reserved_bytes = 0, stored_at = at, revision = revision + 1,
    size = CASE WHEN id > 0 THEN sizes[array_position(ids, id)] END,
    etag = CASE WHEN id > 0 THEN etags[array_position(ids, id)] END,
    next_look_at = CASE WHEN id > 0 THEN checks[array_position(ids, id)] END
  WHERE project_id = p AND id = ANY (marked);
  PERFORM add_usage(p, today, json_agg(change)) FROM (
    SELECT tenant, count(*) AS uploads, sum(size) AS uploaded_bytes, 0 AS deleted_files, 0 AS deleted_bytes,
           -sum(reserved_bytes) AS reserved_bytes
    FROM unnest(owners, counted, reserved) AS stored (tenant, size, reserved_bytes) GROUP BY tenant) change;
END $$;
