ALTER TABLE "project_usage_daily" ADD COLUMN "downloads_signed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_usage_daily" ADD COLUMN "bytes_signed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_daily" ADD COLUMN "downloads_signed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_daily" ADD COLUMN "bytes_signed" bigint DEFAULT 0 NOT NULL;