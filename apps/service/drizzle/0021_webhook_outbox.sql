CREATE TYPE "public"."webhook_delivery_state" AS ENUM('pending', 'delivered', 'failed', 'skipped');--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"project_id" bigint NOT NULL,
	"endpoint" bigint NOT NULL,
	"event" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"status" integer,
	"duration_ms" integer NOT NULL,
	"error" text,
	"answer" text,
	CONSTRAINT "webhook_attempts_project_id_endpoint_event_at_pk" PRIMARY KEY("project_id","endpoint","event","at")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"project_id" bigint NOT NULL,
	"endpoint" bigint NOT NULL,
	"event" uuid NOT NULL,
	"subject" text NOT NULL,
	"seq" bigint NOT NULL,
	"state" "webhook_delivery_state" NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_project_id_endpoint_event_pk" PRIMARY KEY("project_id","endpoint","event")
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"project_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_endpoints_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ref" text NOT NULL,
	"url" text NOT NULL,
	"description" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_ends_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text,
	"failing_since" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "webhook_endpoints_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "webhook_endpoints_ref" UNIQUE("project_id","ref")
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"project_id" bigint NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"data" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_events_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE "webhook_deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_of_endpoint" ON "webhook_deliveries" USING btree ("project_id","endpoint","next_attempt_at") WHERE "webhook_deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_in_order" ON "webhook_deliveries" USING btree ("project_id","endpoint","subject","seq") WHERE "webhook_deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_by_time" ON "webhook_events" USING btree ("at");
--> statement-breakpoint
-- Writes events of one type into the outbox: the event, and a delivery for each endpoint of the project that wants the type. Call it in
-- the transaction that makes the events true. Without such an endpoint it only reads the project's endpoints. Deliveries of a disabled
-- endpoint are skipped: an operator can send them later. `events`: an array of {subject, seq, data}.
--
-- A subject's events are delivered in the order of `seq`, so the caller holds a lock that the events of this subject need.
CREATE OR REPLACE FUNCTION emit_events(p bigint, kind text, at timestamptz, events json) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  endpoints bigint[];
  disabled boolean[];
  e record;
  new_id uuid;
BEGIN
  SELECT array_agg(w.id), array_agg(w.disabled_at IS NOT NULL) INTO endpoints, disabled
  FROM webhook_endpoints w WHERE w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF endpoints IS NULL THEN RETURN; END IF;
  FOR e IN SELECT * FROM json_to_recordset(events) AS event (subject text, seq bigint, data jsonb) LOOP
    -- A UUID of version 7: 48 bits of milliseconds, the version, random bits.
    new_id := encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex');
    INSERT INTO webhook_events (project_id, id, type, subject, data, at) VALUES (p, new_id, kind, e.subject, e.data, at);
    FOR i IN 1 .. cardinality(endpoints) LOOP
      INSERT INTO webhook_deliveries (project_id, endpoint, event, subject, seq, state, next_attempt_at)
      VALUES (p, endpoints[i], new_id, e.subject, e.seq,
              CASE WHEN disabled[i] THEN 'skipped' ELSE 'pending' END::webhook_delivery_state,
              CASE WHEN disabled[i] THEN NULL ELSE at END);
    END LOOP;
  END LOOP;
END $$;
--> statement-breakpoint
-- The same for files. The data are the rows as they are now, so call it after the change. Every change that emits an event has to
-- increment the file's revision, which gives the order of the file's events.
CREATE OR REPLACE FUNCTION emit_file_events(p bigint, kind text, at timestamptz, ids bigint[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  events json;
BEGIN
  PERFORM FROM webhook_endpoints w WHERE w.project_id = p AND w.deleted_at IS NULL AND kind = ANY (w.events);
  IF NOT FOUND THEN RETURN; END IF;
  SELECT json_agg(json_build_object(
           'subject', 'file:' || f.id, 'seq', f.revision,
           'data', to_jsonb(f) || jsonb_build_object('tenant_id', t.tenant_id)) ORDER BY f.id)
  INTO events
  FROM files f JOIN tenants t ON t.project_id = f.project_id AND t.id = f.tenant
  WHERE f.project_id = p AND f.id = ANY (ids);
  IF events IS NOT NULL THEN PERFORM emit_events(p, kind, at, events); END IF;
END $$;
--> statement-breakpoint
-- Only the last statement differs from 0020: it emits the events.
--
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
    parts_stored = NULL, part_bytes_stored = NULL, part_urls_expire_at = NULL, completing_until = NULL,
    size = CASE WHEN id > 0 THEN sizes[array_position(ids, id)] END,
    etag = CASE WHEN id > 0 THEN etags[array_position(ids, id)] END,
    next_look_at = CASE WHEN id > 0 THEN checks[array_position(ids, id)] END
  WHERE project_id = p AND id = ANY (marked);
  PERFORM add_usage(p, today, json_agg(change)) FROM (
    SELECT tenant, count(*) AS uploads, sum(size) AS uploaded_bytes, 0 AS deleted_files, 0 AS deleted_bytes,
           -sum(reserved_bytes) AS reserved_bytes
    FROM unnest(owners, counted, reserved) AS stored (tenant, size, reserved_bytes) GROUP BY tenant) change;
  PERFORM emit_file_events(p, 'file.stored', at, marked);
END $$;
