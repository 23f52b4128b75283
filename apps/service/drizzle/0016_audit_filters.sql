DROP INDEX "audit_log_of_project";--> statement-breakpoint
DROP INDEX "audit_log_of_operator";--> statement-breakpoint
CREATE INDEX "audit_log_of_action" ON "audit_log" USING btree ("project_id","action","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_person" ON "audit_log" USING btree ("project_id","operator_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_person_action" ON "audit_log" USING btree ("project_id","operator_id","action","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_project" ON "audit_log" USING btree ("project_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_operator" ON "audit_log" USING btree ("operator_id","at","id");