// Answers that only read: a replayed resume, subscribeOnly, the way out of a dead interrupt. They restate what a log
// (finished or still running) came to, in a run of the reader's own, and end as recorded or go on following the log.
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { Hold } from '../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { cardOf, showAnswered } from '../cards/cards.ts';
import { downgradeFor } from './downgrade.ts';
import { draftOf, emitState, type ProjectContext } from '../model/draft.ts';
import { repeatAttachments } from '../artifacts/attachments.ts';
import { mergeMessages, restatable } from './messages.ts';
import { protocolVersion } from './project.ts';
import { formatCall, findCall, findMessage, type Projection } from '../model/projection.ts';
import { startState } from './start-state.ts';
import { removePending } from '../cards/task-entry.ts';
import { isObject, objectsIn } from '../../../core/base/json.ts';

/** Who reads: the ids and the peer of the run that answers, and what this client holds. */
export interface Reader {
  threadId: string;
  runId: string;
  /** The peer's protocolVersion; undefined: older than 1.0. */
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
  // An empty open list is fatal to clients: nothing is open, so nothing is left to answer.
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
 * What a pause's log came to, with those of its questions that were answered since: no run tells of them before the last
 * one is, and none of them is offered any more.
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
 * RUN_STARTED, STATE_SNAPSHOT, MESSAGES_SNAPSHOT (the client's, the thread's and the cards), then the outcome.
 * Without an outcome the run stays open: `followFrom` and the log's further events (by `relabel`) continue it.
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

/** Opens what is open in the running log, so that its next words go on where the snapshot stops. */
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

/** A later event of the followed log, in the reader's run: its run id, and nothing of the reader's own is lost. */
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
