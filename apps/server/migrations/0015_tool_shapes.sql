ALTER TABLE "published_tool" ADD COLUMN "shape" text;--> statement-breakpoint
ALTER TABLE "published_tool" ADD COLUMN "shape_version" integer;