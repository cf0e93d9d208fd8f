CREATE TABLE "vector_block" (
	"collection_id" text NOT NULL,
	"first" integer NOT NULL,
	"count" integer NOT NULL,
	"vectors" "bytea" NOT NULL,
	CONSTRAINT "vector_block_collection_id_first_pk" PRIMARY KEY("collection_id","first")
);
--> statement-breakpoint
CREATE TABLE "vector_chunk" (
	"collection_id" text NOT NULL,
	"position" integer NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "vector_chunk_collection_id_position_pk" PRIMARY KEY("collection_id","position")
);
--> statement-breakpoint
CREATE TABLE "vector_collection" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"embedder" text NOT NULL,
	"dimensions" integer NOT NULL,
	"chunks" integer NOT NULL,
	"words" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vector_term" (
	"collection_id" text NOT NULL,
	"term" text NOT NULL,
	"postings" "bytea" NOT NULL,
	CONSTRAINT "vector_term_collection_id_term_pk" PRIMARY KEY("collection_id","term")
);
--> statement-breakpoint
CREATE TABLE "vector_write" (
	"collection_id" text NOT NULL,
	"step" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "vector_write_collection_id_step_pk" PRIMARY KEY("collection_id","step")
);
--> statement-breakpoint
ALTER TABLE "vector_block" ADD CONSTRAINT "vector_block_collection_id_vector_collection_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."vector_collection"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vector_chunk" ADD CONSTRAINT "vector_chunk_collection_id_vector_collection_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."vector_collection"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vector_collection" ADD CONSTRAINT "vector_collection_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vector_term" ADD CONSTRAINT "vector_term_collection_id_vector_collection_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."vector_collection"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vector_write" ADD CONSTRAINT "vector_write_collection_id_vector_collection_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."vector_collection"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "vector_collection_user_id_name_idx" ON "vector_collection" USING btree ("user_id","name");--> statement-breakpoint
ALTER TABLE "vector_block" ALTER COLUMN "vectors" SET STORAGE EXTERNAL;