DROP INDEX "holds_open_by_deadline";--> statement-breakpoint
DROP INDEX "holds_by_end";--> statement-breakpoint
DROP INDEX "holds_by_age";--> statement-breakpoint
DROP INDEX "holds_open_by_age";--> statement-breakpoint
CREATE INDEX "holds_open_by_deadline" ON "holds" USING btree (coalesce("expires_at", 'infinity'::timestamptz),"opened_at","n","hold_id") WHERE "holds"."status" = 'open';--> statement-breakpoint
CREATE INDEX "holds_by_end" ON "holds" USING btree ("ended_at",(-"n"),"hold_id") WHERE "holds"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "holds_by_age" ON "holds" USING btree ("opened_at",(-"n"),"hold_id");--> statement-breakpoint
CREATE INDEX "holds_open_by_age" ON "holds" USING btree ("opened_at",(-"n"),"hold_id") WHERE "holds"."status" = 'open';