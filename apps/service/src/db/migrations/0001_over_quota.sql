ALTER TABLE "files" ADD COLUMN "is_over_quota" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "allow_over_quota" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "tombstones" ADD COLUMN "is_over_quota" boolean DEFAULT false NOT NULL;