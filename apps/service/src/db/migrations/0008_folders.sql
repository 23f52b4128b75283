CREATE TABLE "folders" (
	"project_id" bigint NOT NULL,
	"tenant" bigint NOT NULL,
	"parent" "bytea" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"file_count" integer NOT NULL,
	"used_bytes" bigint NOT NULL,
	CONSTRAINT "folders_project_id_tenant_parent_name_pk" PRIMARY KEY("project_id","tenant","parent","name"),
	CONSTRAINT "folders_not_negative" CHECK ("folders"."file_count" >= 0 and "folders"."used_bytes" >= 0)
);
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "folder" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "folders" ADD CONSTRAINT "folders_tenant" FOREIGN KEY ("project_id","tenant") REFERENCES "tenants"("project_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "files_in_folder" ON "files" USING btree ("project_id","tenant",("left"(folder, 250)),"status","created_at","id") WHERE folder <> '';