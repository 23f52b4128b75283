CREATE TABLE "project_usage_daily" (
	"project_id" bigint NOT NULL,
	"day" date NOT NULL,
	"slot" smallint NOT NULL,
	"uploads" integer NOT NULL,
	"uploaded_bytes" bigint NOT NULL,
	"deleted_files" integer NOT NULL,
	"deleted_bytes" bigint NOT NULL,
	CONSTRAINT "project_usage_daily_project_id_day_slot_pk" PRIMARY KEY("project_id","day","slot")
);
--> statement-breakpoint
CREATE TABLE "refusals_daily" (
	"project_id" bigint NOT NULL,
	"day" date NOT NULL,
	"code" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "refusals_daily_project_id_day_code_pk" PRIMARY KEY("project_id","day","code"),
	CONSTRAINT "refusals_daily_counted" CHECK ("refusals_daily"."count" > 0)
);
--> statement-breakpoint
CREATE TABLE "usage_daily" (
	"project_id" bigint NOT NULL,
	"tenant" bigint NOT NULL,
	"day" date NOT NULL,
	"uploads" integer NOT NULL,
	"uploaded_bytes" bigint NOT NULL,
	"deleted_files" integer NOT NULL,
	"deleted_bytes" bigint NOT NULL,
	CONSTRAINT "usage_daily_project_id_tenant_day_pk" PRIMARY KEY("project_id","tenant","day")
);
--> statement-breakpoint
ALTER TABLE "project_usage_daily" ADD CONSTRAINT "project_usage_daily_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusals_daily" ADD CONSTRAINT "refusals_daily_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_daily" ADD CONSTRAINT "usage_daily_tenant" FOREIGN KEY ("project_id","tenant") REFERENCES "public"."tenants"("project_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- What is stored already came on the day on which it was first seen; what went before today is not known any more.
INSERT INTO "usage_daily" ("project_id", "tenant", "day", "uploads", "uploaded_bytes", "deleted_files", "deleted_bytes")
SELECT "project_id", "tenant", (coalesce("stored_at", "created_at") AT TIME ZONE 'UTC')::date, count(*), sum("size"), 0, 0
FROM "files" WHERE "status" = 'stored' GROUP BY 1, 2, 3;
--> statement-breakpoint
INSERT INTO "project_usage_daily" ("project_id", "day", "slot", "uploads", "uploaded_bytes", "deleted_files", "deleted_bytes")
SELECT "project_id", "day", "tenant" % 16, sum("uploads"), sum("uploaded_bytes"), 0, 0
FROM "usage_daily" GROUP BY 1, 2, 3;
