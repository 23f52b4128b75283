CREATE TYPE "public"."file_status" AS ENUM('pending', 'stored', 'expired', 'deleting');--> statement-breakpoint
CREATE TABLE "files" (
	"project_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant" bigint NOT NULL,
	"path" text NOT NULL,
	"filename" text NOT NULL,
	"content_type" text NOT NULL,
	"declared_size" bigint,
	"reserved_bytes" bigint DEFAULT 0 NOT NULL,
	"size" bigint,
	"etag" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" "file_status" DEFAULT 'pending' NOT NULL,
	"url_expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"stored_at" timestamp with time zone,
	CONSTRAINT "files_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "files_path" UNIQUE("project_id","path"),
	CONSTRAINT "files_stored_has_size" CHECK ("files"."status" <> 'stored' or "files"."size" is not null),
	CONSTRAINT "files_only_pending_reserves" CHECK ("files"."status" = 'pending' or "files"."reserved_bytes" = 0)
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "projects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ref" text NOT NULL,
	"name" text NOT NULL,
	"api_key_hash" text NOT NULL,
	"api_key_start" text NOT NULL,
	"api_key_last4" text NOT NULL,
	"default_quota_bytes" bigint,
	"max_file_bytes" bigint NOT NULL,
	"require_size" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"key_created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "projects_ref_unique" UNIQUE("ref"),
	CONSTRAINT "projects_api_key_hash_unique" UNIQUE("api_key_hash"),
	CONSTRAINT "projects_quota_not_negative" CHECK ("projects"."default_quota_bytes" >= 0),
	CONSTRAINT "projects_max_file_not_negative" CHECK ("projects"."max_file_bytes" >= 0)
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"project_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenants_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" text NOT NULL,
	"ref" text NOT NULL,
	"quota_bytes" bigint,
	"used_bytes" bigint DEFAULT 0 NOT NULL,
	"reserved_bytes" bigint DEFAULT 0 NOT NULL,
	"file_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tenants_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "tenants_tenant_id" UNIQUE("project_id","tenant_id"),
	CONSTRAINT "tenants_ref" UNIQUE("project_id","ref"),
	CONSTRAINT "tenants_used_not_negative" CHECK ("tenants"."used_bytes" >= 0),
	CONSTRAINT "tenants_reserved_not_negative" CHECK ("tenants"."reserved_bytes" >= 0),
	CONSTRAINT "tenants_file_count_not_negative" CHECK ("tenants"."file_count" >= 0),
	CONSTRAINT "tenants_quota_not_negative" CHECK ("tenants"."quota_bytes" >= 0)
);
--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_tenant" FOREIGN KEY ("project_id","tenant") REFERENCES "public"."tenants"("project_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "files_of_tenant" ON "files" USING btree ("project_id","tenant","id");