CREATE TABLE "log_deliveries" (
	"project_id" bigint NOT NULL,
	"log" text NOT NULL,
	"tenant" bigint NOT NULL,
	"day" date NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "log_deliveries_project_id_log_tenant_day_pk" PRIMARY KEY("project_id","log","tenant","day")
);
--> statement-breakpoint
ALTER TABLE "project_usage_daily" ADD COLUMN "bytes_delivered" bigint;--> statement-breakpoint
ALTER TABLE "usage_daily" ADD COLUMN "bytes_delivered" bigint;--> statement-breakpoint
ALTER TABLE "log_deliveries" ADD CONSTRAINT "log_deliveries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "log_deliveries_of_tenant" ON "log_deliveries" USING btree ("project_id","tenant");--> statement-breakpoint
CREATE INDEX "log_deliveries_by_day" ON "log_deliveries" USING btree ("day");