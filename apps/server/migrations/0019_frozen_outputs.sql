CREATE TABLE "frozen_output" (
	"user_id" text NOT NULL,
	"flow_id" text NOT NULL,
	"node" text NOT NULL,
	"hash" text NOT NULL,
	"sealed" text NOT NULL,
	"characters" integer NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "frozen_output_user_id_flow_id_node_pk" PRIMARY KEY("user_id","flow_id","node")
);
--> statement-breakpoint
ALTER TABLE "frozen_output" ADD CONSTRAINT "frozen_output_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frozen_output" ADD CONSTRAINT "frozen_output_flow_id_flow_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flow"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "frozen_output_flow_id_idx" ON "frozen_output" USING btree ("flow_id");--> statement-breakpoint
CREATE INDEX "frozen_output_used_at_idx" ON "frozen_output" USING btree ("used_at");