ALTER TABLE "image_presets" ADD COLUMN "animated" boolean DEFAULT false NOT NULL;
