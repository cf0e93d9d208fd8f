CREATE TABLE "change_revision" (
	"id" integer PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL
);
