CREATE TABLE "flow_link" (
	"id" text PRIMARY KEY NOT NULL,
	"flow_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "flow_link_flow_id_unique" UNIQUE("flow_id")
);
--> statement-breakpoint
ALTER TABLE "flow" ADD COLUMN "tags" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "flow_link" ADD CONSTRAINT "flow_link_flow_id_flow_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flow"("id") ON DELETE cascade ON UPDATE no action;