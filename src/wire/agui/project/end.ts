import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { TaskStatus } from '../../../contract/tasks/task.ts';
import { endBoundCall } from '../cards/bound-call.ts';
import { changeCard, liveCards, type CardStage } from '../cards/cards.ts';
import { pendingApprovalsText } from './pending-approvals.ts';
import { closeOpen, failRun, finishRun, restateAll, restateMessages } from './closing.ts';
import { draftOf, type Draft, type ProjectContext } from '../model/draft.ts';
import { pointerSegments } from '../../../core/agui/patch.ts';
import { valueAt } from '../model/state-patch.ts';
import { emitWholeText, lastEndedText } from '../model/text.ts';
import { objectOf } from '../../../core/base/json.ts';
import type { Projection } from '../model/projection.ts';
import { changeEntry, hasEntry, setPending } from '../cards/task-entry.ts';
import { answerRest } from '../cards/tool-part.ts';

/** How a task ended, as its run reports it. */
export type TaskEnd =
  | { kind: 'completed' | 'message-only' | 'canceled'; message: string }
  | { kind: 'failed'; code: string; message: string };

const statuses: Record<TaskEnd['kind'], TaskStatus> = {
  completed: 'DONE',
  'message-only': 'DONE',
  canceled: 'CANCELED',
  failed: 'FAILED',
};

/**
 * Final stage of a live card; once the agent has received the answer, it is completed whatever the agent did with it.
 */
function lastStage(stage: 'awaiting_input' | 'working', end: TaskEnd): CardStage {
  if (end.kind === 'canceled') return 'cancelled';
  const isAgentsEnd = end.kind !== 'failed' || end.code === 'agent_failed' || end.code === 'agent_rejected';
  if (stage === 'working') return isAgentsEnd ? 'completed' : 'withdrawn';
  return end.kind === 'failed' && end.code === 'hold_expired' ? 'expired' : 'withdrawn';
}

const artifactsPath = ({ ctx }: Draft): string => ctx.artifactBasePath ?? '/view/artifacts';
const valuesAt = ({ state }: Draft, path: string): JsonObject => objectOf(valueAt(state, pointerSegments(path) ?? []));

/**
 * True when the agent has shown nothing since the person's last message. Frameworks exist that report `completed` where their
 * own approval is still open: without a sentence that reads as a success.
 */
function isSilent(draft: Draft): boolean {
  const { p } = draft;
  const hasArtifacts = [artifactsPath(draft), '/view/artifactInfo'].some(
    (path) => Object.keys(valuesAt(draft, path)).length > 0,
  );
  return p.messages.at(-1)?.['role'] === 'user' && p.attachments.length === 0 && !hasArtifacts;
}

/**
 * Ends a run with its task: texts and tool calls are closed, cards reach their final stage, state and messages are
 * restated, then RUN_FINISHED (success, or cancelled with the status as result) or RUN_ERROR with the code.
 *
 * A message-only reply leaves the state as in the run's first STATE_SNAPSHOT.
 */
export function endEvents(p: Projection, end: TaskEnd, ctx: ProjectContext): AguiEvent[] {
  if (p.ended !== 'open') return [];
  const draft = draftOf(p, ctx);
  const status = statuses[end.kind];
  closeOpen(draft);
  const summary = end.message === '' ? lastEndedText(draft) : end.message;
  if (end.kind === 'completed' && isSilent(draft))
    emitWholeText(draft, `${ctx.taskId}:silent-end`, 'The agent ended without an answer.');
  const pending = end.kind === 'completed' ? pendingApprovalsText(valuesAt(draft, artifactsPath(draft))) : null;
  if (pending !== null) emitWholeText(draft, `${ctx.taskId}:pending-approvals`, pending);
  for (const card of liveCards(draft)) {
    const stage = lastStage(card.stage, end);
    changeCard(draft, card.interruptId, { stage, nextStep: null });
    endBoundCall(draft, card.interruptId, stage);
  }
  answerRest(draft);
  if (end.kind === 'message-only' && !hasEntry(draft)) {
    restateMessages(draft);
  } else {
    changeEntry(draft, { status, ...(summary === null ? {} : { summary }) });
    setPending(draft, [], { taskId: ctx.taskId, a2aTaskId: null, contextId: null });
    restateAll(draft);
  }
  if (end.kind === 'failed') failRun(draft, end.code, end.message);
  else finishRun(draft, { type: end.kind === 'canceled' ? 'cancelled' : 'success' }, { status });
  return draft.events;
}
