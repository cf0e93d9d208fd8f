CREATE TABLE "flow" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"document" text NOT NULL,
	"version" integer NOT NULL,
	"document_bytes" integer NOT NULL,
	"edit_bytes" bigint DEFAULT 0 NOT NULL,
	"stored_bytes" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_edit" (
	"flow_id" text NOT NULL,
	"version" integer NOT NULL,
	"user_id" text,
	"kind" text NOT NULL,
	"edits" text NOT NULL,
	"inverses" text NOT NULL,
	"bytes" integer NOT NULL,
	"reverts" integer,
	"reverted_by" integer,
	"request_key" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "flow_edit_flow_id_version_pk" PRIMARY KEY("flow_id","version")
);
--> statement-breakpoint
CREATE TABLE "flow_restore_point" (
	"id" text PRIMARY KEY NOT NULL,
	"flow_id" text NOT NULL,
	"user_id" text,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"document" text NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flow_share" (
	"flow_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "flow_share_flow_id_user_id_pk" PRIMARY KEY("flow_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "flow" ADD CONSTRAINT "flow_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_edit" ADD CONSTRAINT "flow_edit_flow_id_flow_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flow"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_edit" ADD CONSTRAINT "flow_edit_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_restore_point" ADD CONSTRAINT "flow_restore_point_flow_id_flow_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flow"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_restore_point" ADD CONSTRAINT "flow_restore_point_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_share" ADD CONSTRAINT "flow_share_flow_id_flow_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flow"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_share" ADD CONSTRAINT "flow_share_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "flow_user_id_updated_at_idx" ON "flow" USING btree ("user_id","updated_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "flow_edit_request_key_idx" ON "flow_edit" USING btree ("flow_id","user_id","request_key");--> statement-breakpoint
CREATE INDEX "flow_restore_point_flow_id_idx" ON "flow_restore_point" USING btree ("flow_id");--> statement-breakpoint
CREATE INDEX "flow_share_user_id_idx" ON "flow_share" USING btree ("user_id");