-- Functions of one project. On Citus a call with a project's id runs on the node that holds the project's rows, as one statement.
-- PL/pgSQL keeps the plans of their statements. With sequential scans off, a plan that was made while the tables were nearly empty
-- is right for full tables too.

-- Adds to the usage per day of tenants and of their project. `changes`: one object for each tenant. The caller holds the tenants' locks.
CREATE OR REPLACE FUNCTION add_daily_usage(p bigint, today date, changes json) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  c record;
BEGIN
  FOR c IN
    SELECT * FROM json_to_recordset(changes) AS change (
      tenant bigint, uploads int, uploaded_bytes bigint, deleted_files int, deleted_bytes bigint)
    WHERE (uploads, uploaded_bytes, deleted_files, deleted_bytes) <> (0, 0, 0, 0)
    ORDER BY tenant
  LOOP
    INSERT INTO usage_daily AS kept (project_id, tenant, day, uploads, uploaded_bytes, deleted_files, deleted_bytes)
    VALUES (p, c.tenant, today, c.uploads, c.uploaded_bytes, c.deleted_files, c.deleted_bytes)
    ON CONFLICT (project_id, tenant, day) DO UPDATE SET
      uploads = kept.uploads + excluded.uploads, uploaded_bytes = kept.uploaded_bytes + excluded.uploaded_bytes,
      deleted_files = kept.deleted_files + excluded.deleted_files, deleted_bytes = kept.deleted_bytes + excluded.deleted_bytes;
  END LOOP;
  FOR c IN
    SELECT (tenant % 16)::smallint AS slot, sum(uploads)::int AS uploads, sum(uploaded_bytes)::bigint AS uploaded_bytes,
           sum(deleted_files)::int AS deleted_files, sum(deleted_bytes)::bigint AS deleted_bytes
    FROM json_to_recordset(changes) AS change (
      tenant bigint, uploads int, uploaded_bytes bigint, deleted_files int, deleted_bytes bigint)
    WHERE (uploads, uploaded_bytes, deleted_files, deleted_bytes) <> (0, 0, 0, 0)
    GROUP BY 1 ORDER BY 1
  LOOP
    INSERT INTO project_usage_daily AS kept (project_id, day, slot, uploads, uploaded_bytes, deleted_files, deleted_bytes)
    VALUES (p, today, c.slot, c.uploads, c.uploaded_bytes, c.deleted_files, c.deleted_bytes)
    ON CONFLICT (project_id, day, slot) DO UPDATE SET
      uploads = kept.uploads + excluded.uploads, uploaded_bytes = kept.uploaded_bytes + excluded.uploaded_bytes,
      deleted_files = kept.deleted_files + excluded.deleted_files, deleted_bytes = kept.deleted_bytes + excluded.deleted_bytes;
  END LOOP;
END $$;
--> statement-breakpoint
-- Adds changes to the counters of tenants, and the same numbers to their usage per day. Locks the tenants in the order of their ids,
-- then their days, then the slots of the project.
CREATE OR REPLACE FUNCTION add_usage(p bigint, today date, changes json) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  c record;
BEGIN
  FOR c IN
    SELECT * FROM json_to_recordset(changes) AS change (
      tenant bigint, uploads int, uploaded_bytes bigint, deleted_files int, deleted_bytes bigint, reserved_bytes bigint)
    ORDER BY tenant
  LOOP
    UPDATE tenants t SET
      used_bytes = t.used_bytes + c.uploaded_bytes - c.deleted_bytes,
      file_count = t.file_count + c.uploads - c.deleted_files,
      reserved_bytes = t.reserved_bytes + c.reserved_bytes
    WHERE t.project_id = p AND t.id = c.tenant;
  END LOOP;
  PERFORM add_daily_usage(p, today, changes);
END $$;
--> statement-breakpoint
-- Marks pending files as stored and counts them. Returns the `number` of each upload that was marked: the rows of the others have
-- changed since they were read. Locks the files in the order of their ids, and then what add_usage locks.
CREATE OR REPLACE FUNCTION mark_stored(p bigint, uploads json, at timestamptz, today date) RETURNS SETOF int
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  u record;
  seen record;
  owners bigint[] := '{}';
  sizes bigint[] := '{}';
  reserved bigint[] := '{}';
BEGIN
  FOR u IN
    SELECT * FROM json_to_recordset(uploads) AS upload (
      number int, id bigint, revision int, size bigint, etag text, next_look_at timestamptz)
    ORDER BY id, number
  LOOP
    SELECT f.tenant, f.reserved_bytes INTO seen FROM files f
    WHERE f.project_id = p AND f.id = u.id AND f.revision = u.revision FOR NO KEY UPDATE;
    CONTINUE WHEN NOT FOUND;
    UPDATE files f SET
      status = 'stored', size = u.size, etag = u.etag, reserved_bytes = 0, stored_at = at, next_look_at = u.next_look_at,
      revision = u.revision + 1
    WHERE f.project_id = p AND f.id = u.id;
    owners := owners || seen.tenant;
    sizes := sizes || u.size;
    reserved := reserved || seen.reserved_bytes;
    RETURN NEXT u.number;
  END LOOP;
  PERFORM add_usage(p, today, json_agg(change)) FROM (
    SELECT tenant, count(*) AS uploads, sum(size) AS uploaded_bytes, 0 AS deleted_files, 0 AS deleted_bytes,
           -sum(reserved_bytes) AS reserved_bytes
    FROM unnest(owners, sizes, reserved) AS stored (tenant, size, reserved_bytes) GROUP BY tenant) change
  HAVING count(*) > 0;
END $$;
