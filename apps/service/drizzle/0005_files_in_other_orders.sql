CREATE TYPE "public"."file_event_kind" AS ENUM('asked', 'stored', 'replayed', 'expired', 'lost', 'deleted');--> statement-breakpoint
CREATE TABLE "file_events" (
	"project_id" bigint NOT NULL,
	"file_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "file_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" "file_event_kind" NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"size" bigint,
	"etag" text,
	"path" text COLLATE "C" NOT NULL,
	"filename" text NOT NULL,
	"actor" text NOT NULL,
	"forget_at" timestamp with time zone,
	CONSTRAINT "file_events_project_id_file_id_id_pk" PRIMARY KEY("project_id","file_id","id")
);
--> statement-breakpoint
DROP INDEX "files_by_status";--> statement-breakpoint
DROP INDEX "files_of_tenant";--> statement-breakpoint
ALTER TABLE "file_events" ADD CONSTRAINT "file_events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_events_to_forget" ON "file_events" USING btree ("forget_at") WHERE "file_events"."forget_at" is not null;--> statement-breakpoint
CREATE INDEX "files_by_name" ON "files" USING btree ("project_id","status",lower("filename") collate "C","id") WHERE "files"."status" in ('stored', 'expired');--> statement-breakpoint
CREATE INDEX "files_by_size" ON "files" USING btree ("project_id","status",coalesce("size", "declared_size", 0),"id") WHERE "files"."status" in ('stored', 'expired');--> statement-breakpoint
CREATE INDEX "files_by_status" ON "files" USING btree ("project_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "files_of_tenant" ON "files" USING btree ("project_id","tenant","status","created_at","id");