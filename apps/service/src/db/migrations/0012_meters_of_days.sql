ALTER TABLE "project_usage_daily" ADD COLUMN "byte_ms" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "project_usage_daily" ADD COLUMN "peak_growth_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_daily" ADD COLUMN "byte_ms" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_daily" ADD COLUMN "peak_growth_bytes" bigint DEFAULT 0 NOT NULL;