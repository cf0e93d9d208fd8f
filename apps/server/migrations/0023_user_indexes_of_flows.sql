CREATE INDEX "flow_edit_user_id_idx" ON "flow_edit" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "flow_restore_point_user_id_idx" ON "flow_restore_point" USING btree ("user_id");