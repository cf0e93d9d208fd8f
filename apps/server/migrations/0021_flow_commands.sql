CREATE TABLE "flow_command" (
	"id" text PRIMARY KEY NOT NULL,
	"line" text NOT NULL,
	"file" text NOT NULL,
	"args" text[] NOT NULL,
	"added_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "flow_command" ADD CONSTRAINT "flow_command_added_by_user_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "flow_command_file_args_idx" ON "flow_command" USING btree ("file","args");