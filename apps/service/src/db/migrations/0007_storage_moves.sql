CREATE TABLE "storage_moves" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"from_storage" text NOT NULL,
	"to_storage" text NOT NULL,
	"state" text NOT NULL,
	"state_since" timestamp with time zone NOT NULL,
	"urls_end_at" timestamp with time zone,
	"runner" text,
	"runner_until" timestamp with time zone NOT NULL,
	"copying" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"interrupted" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "storage_moves" ADD CONSTRAINT "storage_moves_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE cascade ON UPDATE no action;