CREATE TABLE "agents" (
	"agent" text PRIMARY KEY NOT NULL,
	"shows_message_ids" boolean NOT NULL,
	"sends_without" text,
	"card" text,
	"seen_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "attachments" (
	"task_id" text NOT NULL,
	"id" text NOT NULL,
	"seq" bigserial NOT NULL,
	"source" text NOT NULL,
	"source_key" text NOT NULL,
	"is_current" boolean DEFAULT true NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"size" integer,
	"uri" text,
	"digest" text,
	"omitted" text,
	"data" text,
	"bytes" "bytea",
	CONSTRAINT "attachments_task_id_id_pk" PRIMARY KEY("task_id","id")
);
--> statement-breakpoint
CREATE TABLE "chain_head" (
	"id" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hashes" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "comments" (
	"comment_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "comments_comment_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"hold_id" text NOT NULL,
	"at" timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"by" text NOT NULL,
	"text" text NOT NULL,
	"mentions" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"hold_id" text NOT NULL,
	"channel" text NOT NULL,
	"recipient" text NOT NULL,
	"message" text NOT NULL,
	"state" text NOT NULL,
	"handle" text,
	"begun_at" timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "deliveries_hold_id_channel_recipient_message_pk" PRIMARY KEY("hold_id","channel","recipient","message")
);
--> statement-breakpoint
CREATE TABLE "drafts" (
	"hold_id" text NOT NULL,
	"principal" text NOT NULL,
	"values" text NOT NULL,
	"saved_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "drafts_hold_id_principal_pk" PRIMARY KEY("hold_id","principal")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"log_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"size" integer NOT NULL,
	"types" text NOT NULL,
	"batch" text NOT NULL,
	CONSTRAINT "events_log_id_seq_pk" PRIMARY KEY("log_id","seq")
);
--> statement-breakpoint
CREATE TABLE "evidence" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"hold_id" text,
	"previous" bigint,
	"row_hash" text,
	"record" text NOT NULL,
	"hash" text NOT NULL
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
	"due_at" timestamp(3) with time zone,
	"decision" text,
	"answer_fingerprint" text,
	"opened_in_run" text NOT NULL,
	"carried_by_run" text,
	"card" text NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"votes" text DEFAULT '[]' NOT NULL,
	"pause" text DEFAULT '{"firstN":1,"count":1}' NOT NULL,
	"supersedes" text,
	"superseded_by" text,
	"asking" boolean DEFAULT false NOT NULL,
	"outgoing" text,
	"ended" text,
	"claim" text,
	"steps_done" text DEFAULT '[]' NOT NULL,
	"moves" text DEFAULT '[]' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"artifacts" text,
	"restored_mac" text,
	"attachments" text NOT NULL,
	"reassign_asks" text DEFAULT '[]' NOT NULL,
	"nudges" text DEFAULT '[]' NOT NULL,
	"taken_back" text[] DEFAULT '{}' NOT NULL,
	"kind" text DEFAULT 'form' NOT NULL,
	"policy" text DEFAULT '' NOT NULL,
	"search_text" text DEFAULT '' NOT NULL,
	"excludes_owner" boolean DEFAULT false NOT NULL,
	"requesters" text[] DEFAULT '{}' NOT NULL,
	"takes_deputies" boolean DEFAULT true NOT NULL,
	"claimed_by" text,
	"no_decider_at" timestamp(3) with time zone,
	"is_escalated" boolean DEFAULT false NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"ended_why" text,
	"ended_by" text,
	"proposed_fingerprint" text,
	"is_edited" boolean DEFAULT false NOT NULL,
	"alike" text
);
--> statement-breakpoint
CREATE TABLE "intake" (
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"run_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"principal" text NOT NULL,
	"received_at" timestamp(3) with time zone NOT NULL,
	"body" text NOT NULL,
	"message_ids" text,
	"plan" text NOT NULL,
	"mac" text NOT NULL,
	"after_run" text,
	"admitted_at" timestamp(3) with time zone,
	"refused_code" text,
	"held_until" timestamp(3) with time zone,
	CONSTRAINT "intake_agent_thread_id_run_id_pk" PRIMARY KEY("agent","thread_id","run_id")
);
--> statement-breakpoint
CREATE TABLE "links" (
	"hash" text PRIMARY KEY NOT NULL,
	"hold_id" text NOT NULL,
	"digest" text NOT NULL,
	"for_user" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"used_at" timestamp(3) with time zone,
	"revoked_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"log_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "runs_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"run_id" text NOT NULL,
	"task_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"opener" text NOT NULL,
	"is_control" boolean NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"fence" bigint NOT NULL,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"outcome" text,
	"is_compacted" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seals" (
	"seal_id" text PRIMARY KEY NOT NULL,
	"hold_id" text NOT NULL,
	"box" text NOT NULL
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
CREATE TABLE "sent_messages" (
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"message_key" text NOT NULL,
	"run_id" text NOT NULL,
	CONSTRAINT "sent_messages_agent_thread_id_message_key_pk" PRIMARY KEY("agent","thread_id","message_key")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "snoozes" (
	"hold_id" text NOT NULL,
	"principal" text NOT NULL,
	"until" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "snoozes_hold_id_principal_pk" PRIMARY KEY("hold_id","principal")
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
	"updated_at" timestamp(3) with time zone NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"restart_of" text,
	"restarted_as" text,
	"stuck" text,
	"timeline" text DEFAULT '[]' NOT NULL,
	"undecided" text DEFAULT '[]' NOT NULL
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
CREATE TABLE "watches" (
	"task_id" text PRIMARY KEY NOT NULL,
	"agent" text NOT NULL,
	"workflow_id" text NOT NULL,
	"first_execution_run_id" text NOT NULL,
	"a2a_task_id" text NOT NULL,
	"kind" text NOT NULL,
	"watch_version" integer NOT NULL,
	"seen" text NOT NULL,
	"probes" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp(3) with time zone NOT NULL,
	"is_pushed" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "caller_events" (
	"task_id" text NOT NULL,
	"seq" integer NOT NULL,
	"kind" text NOT NULL,
	"entry" text NOT NULL,
	CONSTRAINT "caller_events_task_id_seq_pk" PRIMARY KEY("task_id","seq")
);
--> statement-breakpoint
CREATE TABLE "caller_pushes" (
	"task_id" text NOT NULL,
	"config_id" text NOT NULL,
	"url" text NOT NULL,
	"version" text NOT NULL,
	"box" text NOT NULL,
	"delivered_seq" integer NOT NULL,
	"restarts" integer DEFAULT 0 NOT NULL,
	"restart_at" timestamp(3) with time zone,
	CONSTRAINT "caller_pushes_task_id_config_id_pk" PRIMARY KEY("task_id","config_id")
);
--> statement-breakpoint
CREATE TABLE "caller_tasks" (
	"task_id" text PRIMARY KEY NOT NULL,
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"owner" text NOT NULL,
	"context_id" text NOT NULL,
	"state" text NOT NULL,
	"shown" text DEFAULT '' NOT NULL,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"has_pushes" boolean DEFAULT false NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "circuits" (
	"agent" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"cause" text NOT NULL,
	"failures" integer NOT NULL,
	"since" timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"due_at" timestamp(3) with time zone NOT NULL,
	"trial" text,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "waiting_messages" (
	"key" text PRIMARY KEY NOT NULL,
	"task_id" text NOT NULL,
	"agent" text NOT NULL,
	"workflow_id" text NOT NULL,
	"first_execution_run_id" text NOT NULL,
	"resumes" integer NOT NULL,
	"has_answers" boolean NOT NULL,
	"since" timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"due_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"worker_id" text PRIMARY KEY NOT NULL,
	"heartbeat_at" timestamp(3) with time zone NOT NULL,
	"slots" text,
	"levels" text,
	"reaches_temporal" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engram_runs" (
	"agent" text NOT NULL,
	"thread_id" text NOT NULL,
	"run_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"mode" text NOT NULL,
	"filter" text NOT NULL,
	"principal" text NOT NULL,
	"writes" text DEFAULT '[]' NOT NULL,
	"a2a_task_id" text,
	"floor" text,
	"records" text DEFAULT '[]' NOT NULL,
	"used_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "engram_runs_agent_thread_id_run_id_pk" PRIMARY KEY("agent","thread_id","run_id")
);
--> statement-breakpoint
CREATE TABLE "gate_calls" (
	"call_id" text PRIMARY KEY NOT NULL,
	"gate" text NOT NULL,
	"owner" text NOT NULL,
	"task_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"held_at" timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"outcome" text,
	"outcome_mac" text,
	"taken_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "gate_tools" (
	"gate" text NOT NULL,
	"tool" text NOT NULL,
	"approved_digest" text,
	"approved" text,
	"approved_by" text,
	"approved_at" timestamp(3) with time zone,
	"approved_mac" text,
	"listed_digest" text NOT NULL,
	"listed" text NOT NULL,
	"listed_at" timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "gate_tools_gate_tool_pk" PRIMARY KEY("gate","tool")
);
--> statement-breakpoint
CREATE TABLE "grant_uses" (
	"grant_id" text NOT NULL,
	"hold_id" text NOT NULL,
	"is_asked" boolean NOT NULL,
	"amount" double precision NOT NULL,
	"mac" text NOT NULL,
	"used_at" timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "grant_uses_grant_id_hold_id_pk" PRIMARY KEY("grant_id","hold_id")
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" text PRIMARY KEY NOT NULL,
	"agent" text NOT NULL,
	"tool" text NOT NULL,
	"hold_id" text NOT NULL,
	"terms" text NOT NULL,
	"given" text NOT NULL,
	"ended" text,
	"used" text NOT NULL,
	"used_mac" text,
	"created_at" timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "personal" (
	"for_user" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"saved_at" timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "personal_for_user_kind_name_pk" PRIMARY KEY("for_user","kind","name")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"principal" text NOT NULL,
	"key_hash" text,
	"subject" text,
	"sid" text,
	"ends_by" timestamp(3) with time zone,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"mac" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "comments_of_hold" ON "comments" USING btree ("hold_id","comment_id");--> statement-breakpoint
CREATE INDEX "deliveries_by_age" ON "deliveries" USING btree ("begun_at");--> statement-breakpoint
CREATE INDEX "deliveries_on_digest" ON "deliveries" USING btree ("recipient","begun_at") WHERE "deliveries"."message" like 'digest.%' and "deliveries"."state" = 'sending';--> statement-breakpoint
CREATE INDEX "evidence_of_hold" ON "evidence" USING btree ("hold_id","seq");--> statement-breakpoint
CREATE INDEX "evidence_by_time" ON "evidence" USING btree ("at");--> statement-breakpoint
CREATE INDEX "holds_open_by_deadline" ON "holds" USING btree (coalesce("due_at", 'infinity'::timestamptz),"opened_at","n","hold_id") WHERE "holds"."status" = 'open';--> statement-breakpoint
CREATE INDEX "holds_by_end" ON "holds" USING btree ("ended_at",(-"n"),"hold_id") WHERE "holds"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "holds_by_owner" ON "holds" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "holds_of_task" ON "holds" USING btree ("task_id","n");--> statement-breakpoint
CREATE INDEX "holds_by_interrupt" ON "holds" USING btree ("agent","thread_id","interrupt_id");--> statement-breakpoint
CREATE INDEX "holds_of_thread" ON "holds" USING btree ("agent","thread_id","opened_at");--> statement-breakpoint
CREATE INDEX "holds_by_age" ON "holds" USING btree ("opened_at",(-"n"),"hold_id");--> statement-breakpoint
CREATE INDEX "holds_open_by_age" ON "holds" USING btree ("opened_at",(-"n"),"hold_id") WHERE "holds"."status" = 'open';--> statement-breakpoint
CREATE INDEX "holds_audience" ON "holds" USING gin ("audience");--> statement-breakpoint
CREATE INDEX "holds_by_decider" ON "holds" USING btree ("agent","ended_by","ended_at") WHERE "holds"."ended_by" is not null;--> statement-breakpoint
CREATE INDEX "holds_alike" ON "holds" USING btree ("agent","alike","ended_at",(-"n"),"hold_id") WHERE "holds"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "intake_unsettled" ON "intake" USING btree ("received_at") WHERE "intake"."admitted_at" is null and "intake"."refused_code" is null;--> statement-breakpoint
CREATE INDEX "links_of_hold" ON "links" USING btree ("hold_id");--> statement-breakpoint
CREATE INDEX "links_by_end" ON "links" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_key" ON "runs" USING btree ("agent","thread_id","run_id");--> statement-breakpoint
CREATE INDEX "runs_newest" ON "runs" USING btree ("agent","thread_id","log_id");--> statement-breakpoint
CREATE INDEX "runs_open" ON "runs" USING btree ("task_id") WHERE "runs"."status" = 'open';--> statement-breakpoint
CREATE INDEX "runs_to_compact" ON "runs" USING btree ("ended_at") WHERE not "runs"."is_compacted";--> statement-breakpoint
CREATE INDEX "seals_of_hold" ON "seals" USING btree ("hold_id");--> statement-breakpoint
CREATE INDEX "snoozes_due" ON "snoozes" USING btree ("until");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_a2a_open" ON "tasks" USING btree ("agent","a2a_task_id") WHERE "tasks"."status" not in ('DONE', 'FAILED', 'CANCELED');--> statement-breakpoint
CREATE INDEX "tasks_by_a2a" ON "tasks" USING btree ("agent","a2a_task_id");--> statement-breakpoint
CREATE INDEX "tasks_of_thread" ON "tasks" USING btree ("agent","thread_id","created_at");--> statement-breakpoint
CREATE INDEX "tasks_by_context" ON "tasks" USING btree ("agent","context_id");--> statement-breakpoint
CREATE INDEX "tasks_by_age" ON "tasks" USING btree ("created_at","task_id");--> statement-breakpoint
CREATE INDEX "tasks_stuck" ON "tasks" USING btree ("task_id") WHERE "tasks"."stuck" is not null;--> statement-breakpoint
CREATE INDEX "tasks_open" ON "tasks" USING btree ("task_id") WHERE "tasks"."status" not in ('DONE', 'FAILED', 'CANCELED');--> statement-breakpoint
CREATE INDEX "watches_due" ON "watches" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "caller_tasks_by_age" ON "caller_tasks" USING btree ("agent","owner","updated_at","task_id");--> statement-breakpoint
CREATE INDEX "caller_tasks_of_context" ON "caller_tasks" USING btree ("agent","owner","context_id","created_at");--> statement-breakpoint
CREATE INDEX "waiting_messages_next" ON "waiting_messages" USING btree ("agent","has_answers" DESC NULLS LAST,"since");--> statement-breakpoint
CREATE INDEX "engram_runs_by_a2a" ON "engram_runs" USING btree ("agent","a2a_task_id");--> statement-breakpoint
CREATE INDEX "engram_runs_by_age" ON "engram_runs" USING btree ("used_at");--> statement-breakpoint
CREATE UNIQUE INDEX "gate_calls_waiting" ON "gate_calls" USING btree ("owner","gate","fingerprint") WHERE "gate_calls"."taken_at" is null;--> statement-breakpoint
CREATE INDEX "gate_calls_by_task" ON "gate_calls" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "grants_by_call" ON "grants" USING btree ("agent","tool");--> statement-breakpoint
CREATE INDEX "personal_by_kind" ON "personal" USING btree ("kind");--> statement-breakpoint
CREATE INDEX "sessions_by_end" ON "sessions" USING btree ("expires_at");