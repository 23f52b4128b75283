CREATE TABLE "replacements" (
	"project_id" bigint NOT NULL,
	"old_file" bigint NOT NULL,
	"new_file" bigint NOT NULL,
	"tenant" bigint NOT NULL,
	"credit_bytes" bigint NOT NULL,
	"trashes_old" boolean NOT NULL,
	CONSTRAINT "replacements_project_id_old_file_pk" PRIMARY KEY("project_id","old_file")
);
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "is_replacement" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "replaced_by" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "replacements" ADD CONSTRAINT "replacements_tenant" FOREIGN KEY ("project_id","tenant") REFERENCES "tenants"("project_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "replacements_by_new_file" ON "replacements" USING btree ("project_id","new_file");