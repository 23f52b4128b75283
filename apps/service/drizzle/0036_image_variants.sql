CREATE TYPE "public"."image_format" AS ENUM('auto', 'webp', 'avif', 'jpeg');--> statement-breakpoint
CREATE TYPE "public"."preset_fit" AS ENUM('cover', 'inside');--> statement-breakpoint
CREATE TYPE "public"."variant_status" AS ENUM('waiting', 'ready', 'failed', 'removing');--> statement-breakpoint
CREATE TABLE "file_variants" (
	"project_id" bigint NOT NULL,
	"file_id" bigint NOT NULL,
	"preset_hash" text NOT NULL,
	"source_etag" text NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"parameters" jsonb NOT NULL,
	"status" "variant_status" NOT NULL,
	"due_at" timestamp with time zone,
	"claim" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"size" bigint,
	"content_type" text,
	"reason" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "file_variants_project_id_file_id_preset_hash_source_etag_pk" PRIMARY KEY("project_id","file_id","preset_hash","source_etag"),
	CONSTRAINT "file_variants_ready_has_size" CHECK ("status" <> 'ready' or "size" is not null)
);
--> statement-breakpoint
CREATE TABLE "image_presets" (
	"project_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "image_presets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"width" integer,
	"height" integer,
	"fit" "preset_fit" NOT NULL,
	"format" "image_format" NOT NULL,
	"quality" integer NOT NULL,
	"eager" boolean NOT NULL,
	"hash" text NOT NULL,
	"avif_hash" text,
	"created_at" timestamp with time zone NOT NULL,
	"retired_at" timestamp with time zone,
	CONSTRAINT "image_presets_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "image_presets_size" CHECK ("width" is not null or "height" is not null)
);
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "image_width" integer;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "image_height" integer;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "image_placeholder" text;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "image_etag" text;--> statement-breakpoint
ALTER TABLE "file_variants" ADD CONSTRAINT "file_variants_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image_presets" ADD CONSTRAINT "image_presets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_variants_to_make" ON "file_variants" USING btree ("project_id","due_at") WHERE "file_variants"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "file_variants_by_time" ON "file_variants" USING btree ("due_at") WHERE "file_variants"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "file_variants_to_remove" ON "file_variants" USING btree ("due_at") WHERE "file_variants"."status" = 'removing';--> statement-breakpoint
CREATE INDEX "file_variants_by_path" ON "file_variants" USING btree ("project_id","path");--> statement-breakpoint
CREATE INDEX "file_variants_bytes" ON "file_variants" USING btree ("project_id","size") WHERE "file_variants"."status" = 'ready';--> statement-breakpoint
CREATE INDEX "file_variants_of_preset" ON "file_variants" USING btree ("project_id","preset_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "image_presets_name" ON "image_presets" USING btree ("project_id","name") WHERE "image_presets"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "image_presets_retired" ON "image_presets" USING btree ("retired_at") WHERE "image_presets"."retired_at" is not null;
--> statement-breakpoint
-- Queues the variants that a project wants of each image. Only the declared type is known here: a worker judges the bytes. A project
-- without such presets pays one look at the primary key of its presets. The parameters are those of images/preset-parameters.ts.
CREATE FUNCTION queue_variants(p bigint, ids bigint[], at timestamptz) RETURNS void
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
    SELECT hash, width, height, fit, quality, CASE format WHEN 'auto' THEN 'webp' ELSE format::text END AS format
    FROM image_presets WHERE project_id = p AND eager AND retired_at IS NULL
  LOOP
    FOR f IN
      SELECT id, etag FROM files
      WHERE project_id = p AND id = ANY (ids) AND status = 'stored' AND etag IS NOT NULL
        AND lower(content_type) LIKE 'image/%'
    LOOP
      INSERT INTO file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, due_at, created_at)
      VALUES (p, f.id, i.hash, f.etag,
              'projects/' || project_ref || '/variants/' || replace(gen_random_uuid()::text, '-', ''),
              jsonb_build_object('width', i.width, 'height', i.height, 'fit', i.fit, 'quality', i.quality, 'format', i.format),
              'waiting', at, at)
      ON CONFLICT DO NOTHING;
    END LOOP;
  END LOOP;
END $$;
--> statement-breakpoint
-- Differs from 0034: it queues the variants that the project wants of each image.
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
  scanner scan_setting;
BEGIN
  SELECT scan INTO scanner FROM projects WHERE id = p;
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
    scan_status = CASE WHEN scanner = 'off' THEN 'none' ELSE 'pending' END::scan_status,
    scan_due_at = CASE WHEN scanner = 'clamav' THEN at END,
    parts_stored = NULL, part_bytes_stored = NULL, part_urls_expire_at = NULL, completing_until = NULL,
    size = CASE WHEN id > 0 THEN sizes[array_position(ids, id)] END,
    etag = CASE WHEN id > 0 THEN etags[array_position(ids, id)] END,
    next_look_at = CASE WHEN id > 0 THEN checks[array_position(ids, id)] END
  WHERE project_id = p AND id = ANY (marked);
  PERFORM add_usage(p, today, json_agg(change)) FROM (
    SELECT tenant, count(*) AS uploads, sum(size) AS uploaded_bytes, 0 AS deleted_files, 0 AS deleted_bytes,
           -sum(reserved_bytes) AS reserved_bytes
    FROM unnest(owners, counted, reserved) AS stored (tenant, size, reserved_bytes) GROUP BY tenant) change;
  PERFORM emit_file_events(p, 'file.stored', at, marked, uploads);
  PERFORM queue_variants(p, marked, at);
END $$;
