import type { JsonObject } from '../../../contract/base/json.ts';
import { joinTails, closeAllTexts } from '../artifacts/artifact-text.ts';
import { emitFrontendActivities } from '../artifacts/artifact.ts';
import { emit, emitState, type Draft } from '../model/draft.ts';
import { restatable } from './messages.ts';
import { closeReasoning } from '../model/reasoning.ts';
import { closeCalls } from '../model/tool-call.ts';

/** Ends open texts, reasoning and tool calls, as AG-UI requires before a run ends. */
export function closeOpen(draft: Draft): void {
  closeReasoning(draft);
  closeAllTexts(draft);
  closeCalls(draft);
  joinTails(draft);
  emitFrontendActivities(draft);
}

/** Emits what every closing run restates before its last event: STATE_DELTA, STATE_SNAPSHOT, MESSAGES_SNAPSHOT. */
export function restateAll(draft: Draft): void {
  emitState(draft);
  emit(draft, { type: 'STATE_SNAPSHOT', snapshot: draft.p.state });
  restateMessages(draft);
}

export function restateMessages(draft: Draft): void {
  emit(draft, { type: 'MESSAGES_SNAPSHOT', messages: restatable(draft.p.messages) });
}

export function finishRun(draft: Draft, outcome: JsonObject, result?: JsonObject): void {
  const { threadId, runId } = draft.p;
  const event = { type: 'RUN_FINISHED', threadId, runId, outcome };
  emit(draft, result === undefined ? event : { ...event, result });
}

export function failRun(draft: Draft, code: string, message: string): void {
  emit(draft, { type: 'RUN_ERROR', code, message: message === '' ? code : message });
}
