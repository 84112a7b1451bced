import type { HoldKind } from '../../contract/form.ts';
import type { Hold } from '../../contract/hold.ts';
import type { JsonObject } from '../../contract/json.ts';
import { nextStepJson, votesJson, type HoldNames } from './cards.ts';

const reasons: Record<Exclude<HoldKind, 'operator'>, string> = {
  form: 'input_required',
  text: 'input_required',
  confirmation: 'confirmation',
  tool_call: 'tool_call',
  authorization: 'holdpoint:auth_required',
};

/** What the open list of a thread is made of. */
export interface HoldSource extends HoldNames {
  /** Absolute address of Holdpoint's pages. */
  publicUrl: string;
  /** Whether the person this is for may decide the hold. */
  mayDecide: (hold: Hold) => boolean;
}

/** One hold as AG-UI's interrupt; null for an operator's hold, which is never one. */
export function interruptOf(hold: Hold, source: HoldSource): JsonObject | null {
  const { question } = hold;
  if (question.kind === 'operator') return null;
  const message = question.message === '' ? question.title : question.message;
  const interrupt: JsonObject = {
    id: hold.interruptId,
    reason: reasons[question.kind],
    responseSchema: question.schema,
    metadata: {
      holdpoint: {
        holdId: hold.holdId,
        taskId: source.taskId,
        a2aTaskId: source.a2aTaskId,
        contextId: source.contextId,
        formId: question.formId,
        dialect: question.dialect,
        form: question.form,
        digest: hold.digest,
        audience: hold.audience,
        mayDecide: source.mayDecide(hold),
        nextStep: nextStepJson(hold.nextStep),
        votes: votesJson(),
        url: `${source.publicUrl.replace(/\/+$/, '')}/holds/${encodeURIComponent(hold.holdId)}`,
      },
    },
  };
  if (message !== '') interrupt['message'] = message;
  if (hold.expiresAt !== null) interrupt['expiresAt'] = hold.expiresAt;
  return interrupt;
}

/** All open holds as AG-UI's interrupts, in order. */
export function openInterrupts(holds: readonly Hold[], source: HoldSource): JsonObject[] {
  return holds
    .filter((hold) => hold.status === 'open')
    .toSorted((a, b) => a.n - b.n)
    .map((hold) => interruptOf(hold, source))
    .filter((interrupt) => interrupt !== null);
}
