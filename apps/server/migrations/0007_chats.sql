CREATE TABLE "chat_message" (
	"id" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "chat_message_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"flow_id" text NOT NULL,
	"session_id" text NOT NULL,
	"run_id" text NOT NULL,
	"is_of_run" boolean NOT NULL,
	"sender" text NOT NULL,
	"sender_name" text NOT NULL,
	"text" text NOT NULL,
	"is_cut" boolean NOT NULL,
	"bytes" integer NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_session" (
	"user_id" text NOT NULL,
	"flow_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"messages" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_session_user_id_flow_id_id_pk" PRIMARY KEY("user_id","flow_id","id")
);
--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_session_fk" FOREIGN KEY ("user_id","flow_id","session_id") REFERENCES "public"."chat_session"("user_id","flow_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_session" ADD CONSTRAINT "chat_session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_session" ADD CONSTRAINT "chat_session_flow_id_flow_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flow"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_message_session_idx" ON "chat_message" USING btree ("user_id","flow_id","session_id","position");--> statement-breakpoint
CREATE INDEX "chat_session_user_id_flow_id_updated_at_idx" ON "chat_session" USING btree ("user_id","flow_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "chat_session_flow_id_idx" ON "chat_session" USING btree ("flow_id");