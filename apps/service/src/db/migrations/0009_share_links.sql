CREATE TABLE "share_links" (
	"project_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "share_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ref" text NOT NULL,
	"file_id" bigint NOT NULL,
	"tenant" bigint NOT NULL,
	"token_hash" text NOT NULL,
	"password_hash" text,
	"disposition" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"max_downloads" integer,
	"downloads" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "share_links_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "share_links_ref" UNIQUE("project_id","ref"),
	CONSTRAINT "share_links_token" UNIQUE("project_id","token_hash"),
	CONSTRAINT "share_links_downloads" CHECK ("share_links"."downloads" <= "share_links"."max_downloads")
);
--> statement-breakpoint
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_file" FOREIGN KEY ("project_id","file_id") REFERENCES "public"."files"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "share_links_of_file" ON "share_links" USING btree ("project_id","file_id","id");--> statement-breakpoint
CREATE INDEX "share_links_of_tenant" ON "share_links" USING btree ("project_id","tenant","id");