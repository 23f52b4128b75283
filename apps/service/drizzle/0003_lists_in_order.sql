DROP INDEX "files_of_tenant";--> statement-breakpoint
ALTER TABLE "tenants" ALTER COLUMN "ref" DROP NOT NULL;--> statement-breakpoint
CREATE INDEX "files_by_status" ON "files" USING btree ("project_id","status","id");--> statement-breakpoint
CREATE INDEX "tenants_by_use" ON "tenants" USING btree ("project_id","used_bytes","id");--> statement-breakpoint
CREATE INDEX "files_of_tenant" ON "files" USING btree ("project_id","tenant","status","id");