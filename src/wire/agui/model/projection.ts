// The state of a client that applied these events, and what is open in the run. It is the projector's only memory, so a retry
// after a crash restores it by reducing the run's log.
import type { RunId, ThreadId } from '../../../contract/base/id-types.ts';
import type { AguiEvent, RunStatus } from '../../../contract/tasks/run.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { reduceMessages } from '../../../core/agui/messages.ts';
import { applyOps, opsOf } from '../../../core/agui/patch.ts';
import { isObject, objectOf, stringOf } from '../../../core/base/json.ts';
import { pushed, withKey } from './json-bytes.ts';

export interface Projection {
  threadId: ThreadId;
  runId: RunId;
  state: JsonObject;
  /** In order; cards are messages with role `activity`. */
  messages: JsonObject[];
  /** Ids with TEXT_MESSAGE_START but no TEXT_MESSAGE_END yet. */
  openTexts: string[];
  /** Ids of the texts that have ended in this run, in that order. */
  endedTexts: string[];
  /** Ids with REASONING_START but no REASONING_END yet, and those of reasoning messages within them. */
  openSpans: string[];
  openReasoning: string[];
  /** Tool calls with TOOL_CALL_START but no TOOL_CALL_END yet. */
  openCalls: string[];
  /** Tool calls of this run without a result. */
  unanswered: string[];
  /** Values of the CUSTOM events `standfast.file` and `standfast.data`, in order. */
  attachments: JsonObject[];
  ended: RunStatus;
}

const nothingOpen = { openTexts: [], endedTexts: [], openSpans: [], openReasoning: [], openCalls: [], unanswered: [] };

export function emptyProjection(threadId: ThreadId, runId: RunId): Projection {
  return { threadId, runId, state: {}, messages: [], ...nothingOpen, attachments: [], ended: 'open' };
}

const sized = { pushed, withKey };

const including = (ids: string[], id: string): string[] => (ids.includes(id) ? ids : [...ids, id]);
const without = (ids: string[], id: string): string[] => (ids.includes(id) ? ids.filter((one) => one !== id) : ids);

function started(p: Projection, event: AguiEvent): Projection {
  const [threadId, runId] = [stringOf(event['threadId']), stringOf(event['runId'])];
  return { ...p, threadId, runId, ...nothingOpen, attachments: [], ended: 'open' };
}

/** Attachments are remembered so that each is emitted once. */
function customReceived(p: Projection, event: AguiEvent): Projection {
  const isAttachment = event['name'] === 'standfast.file' || event['name'] === 'standfast.data';
  return isAttachment && isObject(event['value']) ? { ...p, attachments: [...p.attachments, event['value']] } : p;
}

function finished(p: Projection, event: AguiEvent): Projection {
  const kind = objectOf(event['outcome'])['type'];
  const ended: RunStatus = kind === 'interrupt' || kind === 'cancelled' ? kind : 'success';
  return { ...p, ...nothingOpen, ended };
}

type Reducer = (p: Projection, event: AguiEvent) => Projection;

const messageOf = (event: AguiEvent): string => stringOf(event['messageId']);
const callOf = (event: AguiEvent): string => stringOf(event['toolCallId']);

/** All but messages. */
const reducers = new Map<string, Reducer>(
  Object.entries({
    RUN_STARTED: started,
    RUN_FINISHED: finished,
    RUN_ERROR: (p) => ({ ...p, ...nothingOpen, ended: 'error' }),
    TEXT_MESSAGE_START: (p, event) => ({ ...p, openTexts: including(p.openTexts, messageOf(event)) }),
    TEXT_MESSAGE_END: (p, event) => ({
      ...p,
      openTexts: without(p.openTexts, messageOf(event)),
      endedTexts: including(p.endedTexts, messageOf(event)),
    }),
    REASONING_START: (p, event) => ({ ...p, openSpans: including(p.openSpans, messageOf(event)) }),
    REASONING_MESSAGE_START: (p, event) => ({ ...p, openReasoning: including(p.openReasoning, messageOf(event)) }),
    REASONING_MESSAGE_END: (p, event) => ({ ...p, openReasoning: without(p.openReasoning, messageOf(event)) }),
    REASONING_END: (p, event) => ({ ...p, openSpans: without(p.openSpans, messageOf(event)) }),
    TOOL_CALL_START: (p, event) => ({
      ...p,
      openCalls: including(p.openCalls, callOf(event)),
      unanswered: including(p.unanswered, callOf(event)),
    }),
    TOOL_CALL_END: (p, event) => ({ ...p, openCalls: without(p.openCalls, callOf(event)) }),
    TOOL_CALL_RESULT: (p, event) => ({ ...p, unanswered: without(p.unanswered, callOf(event)) }),
    CUSTOM: customReceived,
    STATE_SNAPSHOT: (p, event) => ({ ...p, state: objectOf(event['snapshot']) }),
    STATE_DELTA: (p, event) => ({ ...p, state: objectOf(applyOps(p.state, opsOf(event['delta']), sized)) }),
  } satisfies Record<string, Reducer>),
);

/** The projection after one more event; unknown events change nothing. */
export const reduceEvent: Reducer = (p, event) => {
  const messages = reduceMessages(p.messages, event, sized);
  const next = reducers.get(event.type)?.(p, event) ?? p;
  return messages === p.messages ? next : { ...next, messages };
};

export function reduceEvents(p: Projection, events: readonly AguiEvent[]): Projection {
  return events.reduce(reduceEvent, p);
}
