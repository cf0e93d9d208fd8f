CREATE TABLE "assistant_turn" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"flow_id" text NOT NULL,
	"session_id" text NOT NULL,
	"status" text NOT NULL,
	"message" text NOT NULL,
	"reply" text NOT NULL,
	"events" text NOT NULL,
	"restore_point_id" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "assistant_turn" ADD CONSTRAINT "assistant_turn_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_turn" ADD CONSTRAINT "assistant_turn_flow_id_flow_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flow"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assistant_turn_session_idx" ON "assistant_turn" USING btree ("user_id","flow_id","session_id","started_at");--> statement-breakpoint
CREATE INDEX "assistant_turn_flow_id_idx" ON "assistant_turn" USING btree ("flow_id");