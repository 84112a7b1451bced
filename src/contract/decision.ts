import { z } from 'zod';
import type { JsonObject } from './json.ts';
import type { Principal } from './principal.ts';

/** Body of `POST /api/holds/:id/decision`. */
export const DecisionBodySchema = z
  .discriminatedUnion('status', [
    z.object({
      status: z.literal('resolved'),
      values: z.record(z.string(), z.unknown()),
      digest: z.string().max(100).optional(),
    }),
    z.object({
      status: z.literal('cancelled'),
      reason: z.string().max(2000).optional(),
      digest: z.string().max(100).optional(),
    }),
  ])
  .meta({ id: 'DecisionBody' });
export type DecisionBody = z.infer<typeof DecisionBodySchema>;

/** What a hold keeps of its decision. */
export interface Decision {
  by: string;
  at: string;
  status: 'resolved' | 'cancelled';
  values: JsonObject;
  reason: string | null;
}

/** One answer to one hold, as it enters the workflow (resume entry, REST decision, signal). */
export interface AnswerEntry {
  /** Hold id or interrupt id. */
  hold: string;
  status: 'resolved' | 'cancelled';
  values: JsonObject;
  reason: string | null;
  digest: string | null;
  /** Canonical JSON digest of status + values (+ reason) as received. */
  print: string;
}

/** Argument of the update `decide`. */
export interface DecideDoor {
  entry: AnswerEntry;
  principal: Principal;
  /** ISO time at which the api received it. */
  receivedAt: string;
}

/** Result of the update `decide`. */
export interface DecideReply {
  holdId: string;
  decision: Decision;
  /** True when this very answer had been taken before. */
  isRepeat: boolean;
  taskStatus: string;
}

/** Argument of the signal `formResponse` (Temporal CLI and UI, so written by people). */
export interface FormResponseDoor {
  interruptId: string;
  status?: 'resolved' | 'cancelled';
  values?: JsonObject;
  reason?: string;
}
