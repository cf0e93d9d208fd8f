CREATE TABLE "flow_approval" (
	"flow_id" text NOT NULL,
	"user_id" text NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "flow_approval_flow_id_user_id_pk" PRIMARY KEY("flow_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "flow_approval" ADD CONSTRAINT "flow_approval_flow_id_flow_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flow"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_approval" ADD CONSTRAINT "flow_approval_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "flow_approval_user_id_idx" ON "flow_approval" USING btree ("user_id");--> statement-breakpoint
INSERT INTO "flow_approval" SELECT "id", "user_id", "version" FROM "flow";--> statement-breakpoint
INSERT INTO "flow_approval" SELECT "flow"."id", "webhook"."user_id", "flow"."version" FROM "webhook" JOIN "flow" ON "flow"."id" = "webhook"."flow_id" ON CONFLICT DO NOTHING;
