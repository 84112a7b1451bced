CREATE TABLE "agents" (
	"agent" text PRIMARY KEY NOT NULL,
	"shows_message_ids" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"log_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"type" text NOT NULL,
	"event" text NOT NULL,
	CONSTRAINT "events_log_id_seq_pk" PRIMARY KEY("log_id","seq")
);
--> statement-breakpoint
CREATE TABLE "holds" (
	"hold_id" text PRIMARY KEY NOT NULL,
	"task_id" text NOT NULL,
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"owner" text NOT NULL,
	"interrupt_id" text NOT NULL,
	"n" integer NOT NULL,
	"question" text NOT NULL,
	"digest" text NOT NULL,
	"status" text NOT NULL,
	"audience" text[] NOT NULL,
	"plan" text NOT NULL,
	"can_refuse" boolean NOT NULL,
	"steps_taken" integer NOT NULL,
	"next_step" text,
	"opened_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone,
	"decision" text,
	"answer_print" text,
	"opened_in_run" text NOT NULL,
	"carried_by_run" text,
	"card" text NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "intake" (
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"run_id" text NOT NULL,
	"print" text NOT NULL,
	"principal" text NOT NULL,
	"received_at" timestamp(3) with time zone NOT NULL,
	"body" text NOT NULL,
	"admitted_at" timestamp(3) with time zone,
	"refused_code" text,
	CONSTRAINT "intake_agent_thread_id_run_id_pk" PRIMARY KEY("agent","thread_id","run_id")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"log_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "runs_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"run_id" text NOT NULL,
	"task_id" text NOT NULL,
	"print" text NOT NULL,
	"opener" text NOT NULL,
	"is_control" boolean NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"fence" bigint NOT NULL,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"is_folded" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "send_intents" (
	"message_id" text PRIMARY KEY NOT NULL,
	"task_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"send_until" timestamp(3) with time zone NOT NULL,
	"delivered_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"task_id" text PRIMARY KEY NOT NULL,
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"workflow_id" text NOT NULL,
	"first_execution_run_id" text NOT NULL,
	"owner" text NOT NULL,
	"a2a_task_id" text,
	"context_id" text,
	"status" text NOT NULL,
	"error" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "threads" (
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"owner" text NOT NULL,
	"context_id" text,
	"state" text NOT NULL,
	"messages" text NOT NULL,
	CONSTRAINT "threads_agent_thread_id_pk" PRIMARY KEY("agent","thread_id")
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"worker_id" text PRIMARY KEY NOT NULL,
	"beat_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "holds_of_task" ON "holds" USING btree ("task_id","n");--> statement-breakpoint
CREATE INDEX "holds_by_interrupt" ON "holds" USING btree ("agent","thread_id","interrupt_id");--> statement-breakpoint
CREATE INDEX "holds_of_thread" ON "holds" USING btree ("agent","thread_id","opened_at");--> statement-breakpoint
CREATE INDEX "holds_by_age" ON "holds" USING btree ("opened_at","hold_id");--> statement-breakpoint
CREATE INDEX "holds_open_by_age" ON "holds" USING btree ("opened_at","hold_id") WHERE "holds"."status" = 'open';--> statement-breakpoint
CREATE INDEX "holds_audience" ON "holds" USING gin ("audience");--> statement-breakpoint
CREATE INDEX "intake_unsettled" ON "intake" USING btree ("received_at") WHERE "intake"."admitted_at" is null and "intake"."refused_code" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_key" ON "runs" USING btree ("agent","thread_id","run_id");--> statement-breakpoint
CREATE INDEX "runs_newest" ON "runs" USING btree ("agent","thread_id","log_id");--> statement-breakpoint
CREATE INDEX "runs_open" ON "runs" USING btree ("task_id") WHERE "runs"."status" = 'open';--> statement-breakpoint
CREATE INDEX "runs_unfolded" ON "runs" USING btree ("ended_at") WHERE not "runs"."is_folded";--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_a2a" ON "tasks" USING btree ("agent","a2a_task_id");--> statement-breakpoint
CREATE INDEX "tasks_of_thread" ON "tasks" USING btree ("agent","thread_id","created_at");--> statement-breakpoint
CREATE INDEX "tasks_by_age" ON "tasks" USING btree ("created_at","task_id");--> statement-breakpoint
CREATE INDEX "tasks_open" ON "tasks" USING btree ("task_id") WHERE "tasks"."status" not in ('DONE', 'FAILED', 'CANCELED');