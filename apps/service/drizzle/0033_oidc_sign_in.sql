ALTER TABLE "operator_sessions" ADD COLUMN "signed_in_by" text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD COLUMN "provider_second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD COLUMN "ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "may_use_password" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "operator_accounts_by_provider" ON "operator_accounts" USING btree ("provider_id","account_id");