-- Owners accept their flows. One that another user edited waits for its owner.
INSERT INTO "flow_approval" SELECT "id", "user_id", "version" FROM "flow"
WHERE NOT EXISTS (
  SELECT FROM "flow_edit" WHERE "flow_edit"."flow_id" = "flow"."id" AND "flow_edit"."user_id" IS DISTINCT FROM "flow"."user_id"
) ON CONFLICT DO NOTHING;
