CREATE TYPE "public"."variant_publication" AS ENUM('none', 'begun', 'done');--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "publish_ends_at" timestamp with time zone DEFAULT '1970-01-01T00:00:00.000Z' NOT NULL;--> statement-breakpoint
ALTER TABLE "file_variants" ADD COLUMN "publication" "variant_publication" DEFAULT 'none' NOT NULL;