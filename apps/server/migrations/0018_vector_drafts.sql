CREATE TABLE "vector_draft" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"embedder" text NOT NULL,
	"count" integer NOT NULL,
	"vectors" "bytea" NOT NULL,
	"hashes" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "vector_block" ADD COLUMN "hashes" "bytea" DEFAULT ''::bytea NOT NULL;--> statement-breakpoint
ALTER TABLE "vector_draft" ADD CONSTRAINT "vector_draft_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "vector_draft_user_id_name_idx" ON "vector_draft" USING btree ("user_id","name");--> statement-breakpoint
CREATE INDEX "vector_draft_created_at_idx" ON "vector_draft" USING btree ("created_at");--> statement-breakpoint
-- Compression takes time and gains nothing.
ALTER TABLE "vector_draft" ALTER COLUMN "vectors" SET STORAGE EXTERNAL;