CREATE TABLE "replicas" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"waiting" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request_minutes" (
	"minute" timestamp with time zone PRIMARY KEY NOT NULL,
	"requests" integer NOT NULL,
	"refused" integer NOT NULL,
	"wrong_keys" integer NOT NULL,
	"failed" integer NOT NULL,
	"latencies" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refused_requests" (
	"project_id" bigint NOT NULL,
	"minute" timestamp with time zone NOT NULL,
	"code" text NOT NULL,
	"tenant_id" text NOT NULL,
	"count" bigint NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "refused_requests_project_id_minute_code_tenant_id_pk" PRIMARY KEY("project_id","minute","code","tenant_id"),
	CONSTRAINT "refused_requests_counted" CHECK ("refused_requests"."count" > 0)
);
--> statement-breakpoint
ALTER TABLE "refused_requests" ADD CONSTRAINT "refused_requests_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;