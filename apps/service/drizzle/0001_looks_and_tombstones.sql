CREATE TABLE "tombstones" (
	"project_id" bigint NOT NULL,
	"path" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"next_look_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tombstones_project_id_path_pk" PRIMARY KEY("project_id","path")
);
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "next_look_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tombstones" ADD CONSTRAINT "tombstones_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tombstones_to_look_at" ON "tombstones" USING btree ("next_look_at");--> statement-breakpoint
CREATE INDEX "files_to_look_at" ON "files" USING btree ("next_look_at") WHERE "files"."next_look_at" is not null;