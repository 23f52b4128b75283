ALTER TABLE "files" ADD COLUMN "replaced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "chain" bigint;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "max_versions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "files_of_chain" ON "files" USING btree ("project_id","chain") WHERE "files"."chain" is not null;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_max_versions" CHECK ("max_versions" between 0 and 100) NOT VALID;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_versions_need_trash" CHECK ("max_versions" = 0 or "trash_days" > 0) NOT VALID;