CREATE TABLE "sent_messages" (
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"message_key" text NOT NULL,
	"run_id" text NOT NULL,
	CONSTRAINT "sent_messages_agent_thread_id_message_key_pk" PRIMARY KEY("agent","thread_id","message_key")
);
--> statement-breakpoint
DROP INDEX "tasks_a2a";--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "card" text;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "seen_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "intake" ADD COLUMN "message_ids" text;--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_a2a_open" ON "tasks" USING btree ("agent","a2a_task_id") WHERE "tasks"."status" not in ('DONE', 'FAILED', 'CANCELED');--> statement-breakpoint
CREATE INDEX "tasks_by_a2a" ON "tasks" USING btree ("agent","a2a_task_id");