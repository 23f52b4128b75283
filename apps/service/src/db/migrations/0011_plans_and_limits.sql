CREATE TABLE "plans" (
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"quota_bytes" bigint,
	"limits" jsonb,
	CONSTRAINT "plans_project_id_name_pk" PRIMARY KEY("project_id","name"),
	CONSTRAINT "plans_quota_not_negative" CHECK ("quota_bytes" >= 0)
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "default_limits" jsonb;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "limits" jsonb;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "plan" text;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "minute_started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "minute_uploads" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tenants_by_plan" ON "tenants" USING btree ("project_id","plan") WHERE "plan" is not null;