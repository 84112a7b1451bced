CREATE TABLE "drafts" (
	"hold_id" text NOT NULL,
	"principal" text NOT NULL,
	"values" text NOT NULL,
	"saved_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "drafts_hold_id_principal_pk" PRIMARY KEY("hold_id","principal")
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seals" (
	"seal_id" text PRIMARY KEY NOT NULL,
	"hold_id" text NOT NULL,
	"box" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"principal" text NOT NULL,
	"key_hash" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watches" (
	"task_id" text PRIMARY KEY NOT NULL,
	"agent" text NOT NULL,
	"workflow_id" text NOT NULL,
	"first_execution_run_id" text NOT NULL,
	"a2a_task_id" text NOT NULL,
	"what" text NOT NULL,
	"mark" integer NOT NULL,
	"seen" text NOT NULL,
	"looks" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp(3) with time zone NOT NULL,
	"is_pushed" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "votes" text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "pause" text DEFAULT '{"firstN":1,"count":1}' NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "supersedes" text;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "superseded_by" text;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "asking" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "ended" text;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "claim" text;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "steps_done" text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "kind" text DEFAULT 'form' NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "policy" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "search_text" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "excludes_owner" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "claimed_by" text;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "is_escalated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "ended_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "ended_why" text;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "proposed_print" text;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "is_edited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "title" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "restart_of" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "restarted_as" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "timeline" text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX "seals_of_hold" ON "seals" USING btree ("hold_id");--> statement-breakpoint
CREATE INDEX "sessions_by_end" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "watches_due" ON "watches" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "watches_by_a2a" ON "watches" USING btree ("agent","a2a_task_id");--> statement-breakpoint
CREATE INDEX "holds_open_by_deadline" ON "holds" USING btree (coalesce("expires_at", 'infinity'::timestamptz),"opened_at","hold_id") WHERE "holds"."status" = 'open';--> statement-breakpoint
CREATE INDEX "holds_by_end" ON "holds" USING btree ("ended_at","hold_id") WHERE "holds"."ended_at" is not null;--> statement-breakpoint
-- What follows fills the new columns of rows that were there: by text, since JSON in these columns may hold what jsonb refuses.
-- `lower` is the database's own: under the locale C it leaves Ä as it is, and those old questions are found by their other words.
UPDATE "holds" SET
	"plan" = left("plan", -1) || ',"quorum":1,"clock":"wall","danger":false,"notify":[]}',
	"decision" = left("decision", -1) || ',"door":"' || CASE
		WHEN "decision" LIKE '{"by":"policy:%' THEN 'clock'
		WHEN "decision" LIKE '{"by":"operator:signal%' THEN 'signal'
		WHEN "carried_by_run" IS NOT NULL AND "carried_by_run" NOT LIKE 'holdpoint-%' THEN 'resume'
		ELSE 'rest' END || '","digest":"' || "digest" || '"}',
	"kind" = coalesce(substring("question" from '"kind":"([a-z_]+)"'), 'form'),
	"policy" = coalesce(substring("plan" from '^{"policy":"([^"\\]*)"'), ''),
	"excludes_owner" = "plan" ~ '"then":"[a-z-]+","exclude":\["requester"\]',
	"search_text" = lower(concat_ws(E'\n', "agent", CASE WHEN "question" !~* '\\u(0000|d[89a-f])' THEN "question"::json ->> 'title' END,
		CASE WHEN "question" !~* '\\u(0000|d[89a-f])' THEN left("question"::json ->> 'message', 20000) END)),
	"ended_at" = CASE WHEN "status" <> 'open' THEN "updated_at" END,
	"ended_why" = CASE
		WHEN "status" IN ('open', 'withdrawn', 'expired') THEN nullif("status", 'open')
		WHEN "decision" LIKE '{"by":"policy:%' THEN 'expired'
		WHEN "status" = 'decided' THEN 'decided'
		WHEN "decision" IS NULL THEN 'cancelled'
		ELSE 'declined' END,
	"is_edited" = coalesce("decision" LIKE '%"editedArgs":%', false);--> statement-breakpoint
UPDATE "holds" SET "ended" = '{"by":' || substring("decision" from '^{"by":("[^"\\]*")') || ',"at":"' ||
	to_char("ended_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","why":"' || "ended_why" || '"}'
WHERE "ended_at" IS NOT NULL AND "decision" IS NOT NULL;--> statement-breakpoint
UPDATE "holds" SET "pause" = '{"firstN":' || "first"."n" || ',"count":' || "first"."count" || '}'
FROM (
	SELECT "hold_id", min("n") OVER "of_pause" AS "n", count(*) OVER "of_pause" AS "count" FROM "holds"
	WINDOW "of_pause" AS (PARTITION BY "task_id", "opened_in_run", "opened_at")
) "first" WHERE "first"."hold_id" = "holds"."hold_id";--> statement-breakpoint
UPDATE "tasks" SET "timeline" =
	'[{"at":"' || to_char("created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","status":"NEW"}' ||
	CASE WHEN "status" = 'NEW' THEN '' ELSE
		',{"at":"' || to_char("updated_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","status":"' || "status" || '"}' END || ']';
