CREATE TABLE "event_logs" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"last_position" bigint DEFAULT 0 NOT NULL,
	"deleted_to" bigint DEFAULT 0 NOT NULL,
	"read_at" timestamp with time zone,
	"backfill_step" integer,
	"backfilled_to" bigint DEFAULT 0 NOT NULL,
	"backfill_barrier" bigint
);
--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "position" bigint;--> statement-breakpoint
ALTER TABLE "event_logs" ADD CONSTRAINT "event_logs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_events_in_log" ON "webhook_events" USING btree ("project_id","position") WHERE "position" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_of_tenant" ON "webhook_events" USING btree ("project_id",("data" ->> 'tenant_id'),"subject");