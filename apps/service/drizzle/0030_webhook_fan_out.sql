CREATE TABLE "webhook_outbox" (
	"project_id" bigint NOT NULL,
	"position" timestamp with time zone NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"type" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"wanted_by" bigint[] NOT NULL,
	"skipped_by" bigint[] NOT NULL,
	"rows" json NOT NULL,
	"by_tenant" json NOT NULL,
	CONSTRAINT "webhook_outbox_project_id_position_id_pk" PRIMARY KEY("project_id","position","id")
);
-- The rows live for seconds, so compressing them costs more than it saves. In one statement with the table, because Citus changes the
-- storage of no table that it has distributed.
ALTER TABLE "webhook_outbox" ALTER COLUMN "rows" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "webhook_outbox" ADD CONSTRAINT "webhook_outbox_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Writes events of one type into the outbox, as one row. `changed`: an array of the rows that changed, as they are now. `by_tenant`: what
-- their events have from other rows, an object for each `tenants.id`. Call it in the transaction that makes the events true. Without an
-- endpoint that wants the type it writes nothing.
--
-- The events of a file or tenant are fanned out in the order of `position`. The caller holds a lock that the other events of this file
-- or tenant need, so earlier ones are committed: the position is later than theirs, also if the clocks of the nodes differ. Usually there
-- is no row from now on, and the search ends at the end of the index.
CREATE OR REPLACE FUNCTION write_outbox(p bigint, kind text, at timestamptz, changed json, by_tenant json) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  wanted bigint[];
  skipped bigint[];
  started_at timestamptz := clock_timestamp();
  latest timestamptz;
BEGIN
  SELECT array_agg(w.id) FILTER (WHERE w.disabled_at IS NULL), array_agg(w.id) FILTER (WHERE w.disabled_at IS NOT NULL)
  INTO wanted, skipped
  FROM webhook_endpoints w WHERE w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF wanted IS NULL AND skipped IS NULL THEN RETURN; END IF;
  SELECT max(o.position) INTO latest FROM webhook_outbox o WHERE o.project_id = p AND o.position >= started_at;
  INSERT INTO webhook_outbox (project_id, position, type, at, wanted_by, skipped_by, rows, by_tenant)
  VALUES (p, coalesce(latest + interval '1 microsecond', started_at), kind, at, coalesce(wanted, '{}'), coalesce(skipped, '{}'),
          changed, by_tenant);
END $$;
--> statement-breakpoint
-- Differs from 0026: it writes the rows into the outbox, and reads no join, of which Citus keeps no plan.
--
-- Emits events about files. The data are the rows as they are now, so call it after the change. Every change that emits an event has to
-- increment the file's revision, which gives the order of the file's events.
CREATE OR REPLACE FUNCTION emit_file_events(p bigint, kind text, at timestamptz, ids bigint[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  changed json;
  owners bigint[];
  names json;
BEGIN
  PERFORM FROM webhook_endpoints w WHERE w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF NOT FOUND THEN RETURN; END IF;
  SELECT json_agg(f), array_agg(DISTINCT f.tenant) INTO changed, owners FROM files f WHERE f.project_id = p AND f.id = ANY (ids);
  IF changed IS NULL THEN RETURN; END IF;
  SELECT json_object_agg(t.id, json_build_object('tenant_id', t.tenant_id)) INTO names FROM tenants t WHERE t.project_id = p AND t.id = ANY (owners);
  PERFORM write_outbox(p, kind, at, changed, names);
END $$;
--> statement-breakpoint
-- Differs from 0026 in the same way. As emit_file_events, for tenants. The caller holds their locks, and the position in the outbox
-- gives the order of their events.
CREATE OR REPLACE FUNCTION emit_tenant_events(p bigint, kind text, at timestamptz, ids bigint[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  quota bigint;
  changed json;
  quotas json;
BEGIN
  PERFORM FROM webhook_endpoints w WHERE w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF NOT FOUND THEN RETURN; END IF;
  SELECT j.default_quota_bytes INTO quota FROM projects j WHERE j.id = p;
  SELECT json_agg(t), json_object_agg(t.id, json_build_object('project_quota', quota)) INTO changed, quotas
  FROM tenants t WHERE t.project_id = p AND t.id = ANY (ids);
  IF changed IS NOT NULL THEN PERFORM write_outbox(p, kind, at, changed, quotas); END IF;
END $$;
--> statement-breakpoint
DROP FUNCTION emit_events(bigint, text, timestamptz, json);
--> statement-breakpoint
-- Moves the oldest rows of a project's outbox into events, with a delivery for each endpoint that wanted them: up to a hundred rows,
-- until they are a thousand events. Deliveries of an endpoint that was disabled are skipped: an operator can send them later. Returns
-- how many events there were.
--
-- Two calls for one project wait for each other: both lock the rows in the order of their positions. So a delivery never exists before
-- those of earlier events of its subject.
CREATE OR REPLACE FUNCTION fan_out_events(p bigint) RETURNS int
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  o record;
  moved int := 0;
  event_ids uuid[];
  subjects text[];
  seqs bigint[];
  snapshots jsonb[];
BEGIN
  FOR o IN
    SELECT * FROM webhook_outbox b WHERE b.project_id = p ORDER BY b.position, b.id LIMIT 100 FOR UPDATE
  LOOP
    EXIT WHEN moved >= 1000;
    DELETE FROM webhook_outbox b WHERE b.project_id = p AND b.position = o.position AND b.id = o.id;
    -- The ids are UUIDs of version 7: 48 bits of milliseconds, the version, random bits.
    SELECT array_agg(encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
             PLACING substring(int8send(floor(extract(epoch FROM o.at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid),
           array_agg(split_part(o.type, '.', 1) || ':' || (r.data ->> 'id')),
           array_agg(coalesce((r.data ->> 'revision')::bigint, floor(extract(epoch FROM o.position) * 1000000)::bigint)),
           array_agg(r.data || (o.by_tenant ->> coalesce(r.data ->> 'tenant', r.data ->> 'id'))::jsonb)
    INTO event_ids, subjects, seqs, snapshots
    FROM (SELECT value::jsonb AS data FROM json_array_elements(o.rows)) r;
    -- Statements as text, because Citus cannot keep the plan of an INSERT ... SELECT.
    EXECUTE $insert$
      INSERT INTO webhook_events (project_id, id, type, subject, data, at)
      SELECT $1, e.id, $2, e.subject, e.data, $3
      FROM unnest($4::uuid[], $5::text[], $6::jsonb[]) AS e (id, subject, data)$insert$
    USING p, o.type, o.at, event_ids, subjects, snapshots;
    EXECUTE $insert$
      INSERT INTO webhook_deliveries (project_id, endpoint, event, subject, seq, state, next_attempt_at)
      SELECT $1, w.id, e.id, e.subject, e.seq, CASE WHEN w.is_skipped THEN 'skipped' ELSE 'pending' END::webhook_delivery_state,
             CASE WHEN NOT w.is_skipped THEN $2 END
      FROM unnest($3::uuid[], $4::text[], $5::bigint[]) AS e (id, subject, seq),
           (SELECT id, false FROM unnest($6::bigint[]) id UNION ALL SELECT id, true FROM unnest($7::bigint[]) id) AS w (id, is_skipped)$insert$
    USING p, o.at, event_ids, subjects, seqs, o.wanted_by, o.skipped_by;
    moved := moved + cardinality(event_ids);
  END LOOP;
  RETURN moved;
END $$;
