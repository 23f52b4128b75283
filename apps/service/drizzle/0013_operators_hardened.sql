CREATE TABLE "password_budgets" (
	"bucket" integer PRIMARY KEY NOT NULL,
	"full_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "operator_two_factors" ADD COLUMN "last_used_step" bigint;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "may_create_projects" boolean DEFAULT false NOT NULL;