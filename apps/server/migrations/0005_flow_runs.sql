CREATE TABLE "flow_run" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"flow_id" text NOT NULL,
	"flow_name" text NOT NULL,
	"status" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ends_before" timestamp (3) with time zone NOT NULL,
	"metrics" jsonb,
	"details" text
);
--> statement-breakpoint
ALTER TABLE "flow_run" ADD CONSTRAINT "flow_run_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "flow_run_user_id_started_at_idx" ON "flow_run" USING btree ("user_id","started_at","id");--> statement-breakpoint
CREATE INDEX "flow_run_user_id_flow_id_started_at_idx" ON "flow_run" USING btree ("user_id","flow_id","started_at","id");--> statement-breakpoint
CREATE INDEX "flow_run_ends_before_idx" ON "flow_run" USING btree ("ends_before");