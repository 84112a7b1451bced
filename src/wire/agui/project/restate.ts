// Read-only runs (a replayed resume, subscribeOnly, recovery from a dead interrupt): they restate the result of a
// finished or running log in a run of their own, and end as recorded or follow the log.
import type { RunId, ThreadId } from '../../../contract/base/id-types.ts';
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { Hold } from '../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { cardOf, showAnswered } from '../cards/cards.ts';
import { downgradeFor } from './downgrade.ts';
import { draftOf, emitState, type ProjectContext } from '../model/draft.ts';
import { repeatAttachments } from '../artifacts/attachments.ts';
import { mergeMessages, restatable } from './messages.ts';
import { protocolVersion } from './project.ts';
import { formatCall, findCall, findMessage } from '../../../core/agui/messages.ts';
import { type Projection } from '../model/projection.ts';
import { startState } from './start-state.ts';
import { removePending } from '../cards/task-entry.ts';
import { isObject, objectsIn } from '../../../core/base/json.ts';

/** The reading run's ids and peer, and what its client has. */
export interface Reader {
  threadId: ThreadId;
  runId: RunId;
  /** The peer's protocolVersion; undefined means older than 1.0. */
  protocol: string | undefined;
  clientState: Json | undefined;
  clientMessages: readonly JsonObject[];
}

export type Outcome =
  | { type: 'interrupt'; interrupts: JsonObject[] }
  | { type: 'success' | 'cancelled'; result?: JsonObject }
  | { type: 'error'; code: string; message: string };

function lastEvent(reader: Reader, outcome: Outcome): AguiEvent {
  const { threadId, runId } = reader;
  if (outcome.type === 'error') return { type: 'RUN_ERROR', code: outcome.code, message: outcome.message };
  // Clients crash on an empty list of interrupts, so a pause without open ones ends as a success.
  const isInterrupt = outcome.type === 'interrupt' && outcome.interrupts.length > 0;
  if (isInterrupt) {
    const { interrupts } = outcome;
    return { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'interrupt', interrupts } };
  }
  const type = outcome.type === 'cancelled' ? 'cancelled' : 'success';
  const result: JsonObject =
    outcome.type !== 'interrupt' && outcome.result !== undefined ? { result: outcome.result } : {};
  return { type: 'RUN_FINISHED', threadId, runId, ...result, outcome: { type } };
}

/**
 * The projection of a pause's log with the holds answered since, which no run reports until the last one is answered;
 * none of them is offered again.
 */
export function withAnswered(p: Projection, answered: readonly Hold[], ctx: ProjectContext): Projection {
  const draft = draftOf(p, ctx);
  for (const hold of answered) {
    if (cardOf(draft.p, hold.interruptId)?.content['stage'] === 'awaiting_input') showAnswered(draft, hold);
    removePending(draft, hold.interruptId);
  }
  emitState(draft);
  return draft.p;
}

/**
 * RUN_STARTED, STATE_SNAPSHOT, MESSAGES_SNAPSHOT (client's, thread's and cards), then the outcome. Without an outcome
 * the run stays open, continued by `followFrom` and the log's next events (through `relabel`).
 */
export function restateEvents(reader: Reader, base: Projection, outcome: Outcome | null): AguiEvent[] {
  const { threadId, runId, clientState, clientMessages } = reader;
  const events: AguiEvent[] = [
    { type: 'RUN_STARTED', threadId, runId, protocolVersion },
    { type: 'STATE_SNAPSHOT', snapshot: startState(clientState, base.state) },
    { type: 'MESSAGES_SNAPSHOT', messages: restatable(mergeMessages(base.messages, clientMessages)) },
    ...repeatAttachments(base),
  ];
  if (outcome !== null) events.push(lastEvent(reader, outcome));
  return events.flatMap((event) => downgradeFor(event, reader.protocol));
}

/** Reopens what is open in the running log, so that its next deltas continue the snapshot. */
export function followFrom(base: Projection): AguiEvent[] {
  const texts = base.openTexts.map((messageId): AguiEvent => {
    const role = findMessage(base, messageId)?.['role'] ?? 'assistant';
    return { type: 'TEXT_MESSAGE_START', messageId, role };
  });
  const spans = base.openSpans.map((messageId): AguiEvent => ({ type: 'REASONING_START', messageId }));
  const reasoning = base.openReasoning.map((messageId): AguiEvent => ({
    type: 'REASONING_MESSAGE_START',
    messageId,
    role: 'reasoning',
  }));
  const calls = base.openCalls.map((toolCallId): AguiEvent => {
    const { name } = formatCall(findCall(base, toolCallId) ?? {});
    return { type: 'TOOL_CALL_START', toolCallId, toolCallName: name };
  });
  return [...texts, ...spans, ...reasoning, ...calls];
}

/** A later event of the followed log under the reader's run id, keeping what only the reader has. */
export function relabel(event: AguiEvent, reader: Reader): AguiEvent[] {
  return downgradeFor(relabelled(event, reader), reader.protocol);
}

function relabelled(event: AguiEvent, reader: Reader): AguiEvent {
  switch (event.type) {
    case 'RUN_FINISHED':
      return { ...event, threadId: reader.threadId, runId: reader.runId };
    case 'STATE_SNAPSHOT': {
      const { snapshot } = event;
      return { ...event, snapshot: startState(reader.clientState, isObject(snapshot) ? snapshot : null) };
    }
    case 'MESSAGES_SNAPSHOT': {
      const { messages } = event;
      const theirs = objectsIn(messages);
      return { ...event, messages: restatable(mergeMessages(theirs, reader.clientMessages)) };
    }
    default:
      return event;
  }
}
