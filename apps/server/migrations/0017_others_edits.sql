ALTER TABLE "flow" ADD COLUMN "others_edited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "flow" SET "others_edited" = true
WHERE EXISTS (SELECT 1 FROM "flow_edit" WHERE "flow_id" = "flow"."id" AND "user_id" IS DISTINCT FROM "flow"."user_id")
  OR EXISTS (SELECT 1 FROM "flow_share" WHERE "flow_id" = "flow"."id" AND "access" = 'edit');
