CREATE TYPE "public"."variant_failure" AS ENUM('image', 'time', 'memory', 'crashed', 'storage');--> statement-breakpoint
ALTER TABLE "file_variants" ADD COLUMN "decoder_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "file_variants" ADD COLUMN "failure" "variant_failure";--> statement-breakpoint
ALTER TABLE "file_variants" ADD COLUMN "retry_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "file_variants_failed" ON "file_variants" USING btree ("project_id","file_id") WHERE "file_variants"."status" = 'failed' and "file_variants"."failure" <> 'image';--> statement-breakpoint
CREATE INDEX "file_variants_failing" ON "file_variants" USING btree ("project_id","file_id") WHERE "file_variants"."status" = 'waiting' and "file_variants"."failures" > 0;--> statement-breakpoint
CREATE INDEX "file_variants_to_revise" ON "file_variants" USING btree ("project_id") WHERE "file_variants"."status" = 'failed' and "file_variants"."failure" is null;