CREATE TABLE "folder_jobs" (
	"project_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "folder_jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ref" text NOT NULL,
	"tenant" bigint NOT NULL,
	"from_folder" text COLLATE "C" NOT NULL,
	"to_folder" text COLLATE "C",
	"actor" text NOT NULL,
	"total" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"kept" integer DEFAULT 0 NOT NULL,
	"last_id" bigint NOT NULL,
	"last_file" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"due_at" timestamp with time zone NOT NULL,
	"claim" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "folder_jobs_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "folder_jobs_ref" UNIQUE("project_id","ref"),
	CONSTRAINT "folder_jobs_counts" CHECK ("folder_jobs"."done" + "folder_jobs"."kept" <= "folder_jobs"."total")
);
--> statement-breakpoint
ALTER TABLE "folder_jobs" ADD CONSTRAINT "folder_jobs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "folder_jobs_due" ON "folder_jobs" USING btree ("project_id","due_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "folder_jobs_of_tenant" ON "folder_jobs" USING btree ("project_id","tenant");--> statement-breakpoint
CREATE INDEX "folder_jobs_ended" ON "folder_jobs" USING btree ("ended_at");