// Factories for these tests: a task of the agent `expenses`, its events, its holds.
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import { plainFields } from '../../../src/core/questions/plain-fields.ts';
import type { Decision } from '../../../src/contract/holds/decision.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import type { AgentMessage, NeutralArtifact, NeutralPart, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import type { ProjectContext } from '../../../src/wire/agui/model/draft.ts';
import type { Pause } from '../../../src/wire/agui/project/pause.ts';
import { cardsOf } from '../../../src/wire/agui/cards/cards.ts';
import { keptMessages } from '../../../src/wire/agui/project/messages.ts';
import { emptyProjection, reduceEvents, type Projection } from '../../../src/wire/agui/model/projection.ts';
import { runStartEvents, turnEvents, type RunStart } from '../../../src/wire/agui/project/project.ts';

export const ctx: ProjectContext = { taskId: 'task-1', agent: 'expenses', now: '2026-11-21T08:00:00.000Z' };

export function aStart(change: Partial<RunStart> = {}): RunStart {
  return {
    threadId: 't-1',
    runId: 'r-1',
    clientState: {},
    threadState: null,
    threadMessages: [],
    clientMessages: [{ id: 'u-1', role: 'user', content: 'Book it' }],
    cards: [],
    answered: [],
    skipped: [],
    task: { a2aTaskId: null, contextId: null, status: 'NEW' },
    ...change,
  };
}

export const text = (words: string): NeutralPart => ({ kind: 'text', text: words, metadata: {} });
export const data = (value: Json): NeutralPart => ({ kind: 'data', data: value, metadata: {} });

export const reasoning = (words: string): NeutralPart => ({
  kind: 'text',
  text: words,
  metadata: {},
  isReasoning: true,
});
/** Data of a dialect, as `wire/a2a` marks it. */
export const dialectData = (value: Json, metadata: JsonObject = {}): NeutralPart => ({
  kind: 'data',
  data: value,
  metadata,
  isOfDialect: true,
});
export const file = (change: Partial<Extract<NeutralPart, { kind: 'file' }>> = {}): NeutralPart => ({
  kind: 'file',
  name: 'r.pdf',
  mediaType: 'application/pdf',
  uri: null,
  base64: 'QUJDRA==',
  metadata: {},
  ...change,
});

/** A message of these parts. */
export function gives(messageId: string, parts: NeutralPart[]): AgentMessage {
  return { messageId, role: 'agent', parts, metadata: {}, extensions: [] };
}

export function says(messageId: string, words: string): AgentMessage {
  return { messageId, role: 'agent', parts: [text(words)], metadata: {}, extensions: [] };
}

export function anArtifact(artifactId: string, parts: NeutralPart[], metadata: JsonObject = {}): NeutralArtifact {
  return { artifactId, name: 'Report', description: '', parts, metadata };
}

const ids = { a2aTaskId: 'a2a-1', contextId: 'c-1' };

export const status = (
  state: Extract<TurnEvent, { type: 'status' }>['state'],
  message: AgentMessage | null = null,
): TurnEvent => ({ type: 'status', ...ids, state, message });

export const chunk = (
  artifact: NeutralArtifact,
  how: { append?: boolean; lastChunk?: boolean } = {},
): Extract<TurnEvent, { type: 'artifact' }> => ({
  type: 'artifact',
  ...ids,
  artifact,
  append: how.append ?? false,
  lastChunk: how.lastChunk ?? false,
});

export function aSnapshot(
  change: Partial<Extract<TurnEvent, { type: 'task' }>> = {},
): Extract<TurnEvent, { type: 'task' }> {
  return { type: 'task', ...ids, state: 'working', message: null, artifacts: [], history: [], ...change };
}

/** A run in the making: the events of its log so far, and what a client that applied them has. */
export interface Log {
  events: AguiEvent[];
  p: Projection;
}

export function startLog(change: Partial<RunStart> = {}): Log {
  const start = aStart(change);
  const events = runStartEvents(start, ctx);
  return { events, p: reduceEvents(emptyProjection(start.threadId, start.runId), events) };
}

export function withEvents(log: Log, more: AguiEvent[]): Log {
  return { events: [...log.events, ...more], p: reduceEvents(log.p, more) };
}

/** The run that follows a closed one on the same thread, with what is kept of it as the activities keep it. */
export function nextLog(before: Log, change: Partial<RunStart> = {}, inTask: ProjectContext = ctx): Log {
  const start = aStart({
    runId: 'r-2',
    threadState: before.p.state,
    threadMessages: keptMessages(before.p),
    cards: cardsOf(before.p),
    task: { a2aTaskId: 'a2a-1', contextId: 'c-1', status: 'USER_INPUT_RECEIVED' },
    ...change,
  });
  const events = runStartEvents(start, inTask);
  return { events, p: reduceEvents(emptyProjection(start.threadId, start.runId), events) };
}

export function afterTurn(log: Log, ...turn: TurnEvent[]): Log {
  return turn.reduce((so, event) => withEvents(so, turnEvents(so.p, event, ctx)), log);
}

const aPlan = (): Hold['plan'] =>
  JSON.parse(
    '{"policy":"finance","steps":[],"expiresAt":null,"then":"fail","exclude":[],"defaults":null,"quorum":1,"clock":"wall","danger":false,"notify":[]}',
  );

export function aHold(change: Partial<Hold> & { kind?: Hold['question']['kind'] } = {}): Hold {
  const { kind = 'form', ...rest } = change;
  const n = rest.n ?? 1;
  return {
    holdId: `hold-${n}`,
    interruptId: `hitl-a2a-1-${n}`,
    n,
    question: {
      ...plainFields(),
      dialect: 'a2a.hitl.form',
      kind,
      formId: 'trip-1',
      title: 'Trip',
      hasOwnTitle: true,
      message: 'Please confirm the trip.',
      schema: { type: 'object', properties: { days: { type: 'integer' } } },
      form: { type: 'a2a.hitl.form', formId: 'trip-1' },
    },
    digest: 'sha256:00',
    status: 'open',
    canRefuse: false,
    audience: ['role:finance'],
    plan: aPlan(),
    stepsTaken: 0,
    nextStep: { at: '2026-11-21T09:00:00.000Z', do: 'escalate', to: ['role:finance-lead'] },
    openedAt: '2026-11-21T08:00:00.000Z',
    expiresAt: '2026-11-22T08:00:00.000Z',
    decision: null,
    answerFingerprint: null,
    votes: [],
    pause: { firstN: n, count: 1 },
    supersedes: null,
    supersededBy: null,
    asking: false,
    ended: null,
    ...rest,
  };
}

/** A hold about a tool call that waits for approval. */
export function aToolHold(change: Partial<Hold> & { tool?: Partial<NonNullable<Question['tool']>> } = {}): Hold {
  const { tool = {}, ...rest } = change;
  const hold = aHold({ ...rest, kind: 'tool_call' });
  const properties = { approved: { type: 'boolean' }, editedArgs: { type: 'object' }, pin: { type: 'string' } };
  return {
    ...hold,
    question: {
      ...hold.question,
      dialect: 'adk',
      formId: 'adk-7',
      title: 'Approve pay?',
      message: 'May I pay?',
      form: null,
      schema: { type: 'object', properties, required: ['approved'] },
      tool: { callId: 'adk-7', name: 'pay', args: { amount: 5 }, isEditable: true, ...tool },
      secrets: ['pin'],
    },
  };
}

export function aDecision(change: Partial<Decision> = {}): Decision {
  return {
    by: 'ana',
    at: ctx.now,
    status: 'resolved',
    values: {},
    reason: null,
    source: 'resume',
    seenDigest: null,
    credential: null,
    actor: null,
    digest: 'sha256:00',
    ...change,
  };
}

export function aPause(change: Partial<Pause> = {}): Pause {
  return {
    explanation: 'Please confirm the trip.',
    explanationMessageId: 'm-ask',
    holds: [aHold()],
    ...ids,
    publicUrl: 'http://127.0.0.1:8600/',
    mayDecide: () => true,
    ...change,
  };
}

export function asText(value: Json | undefined): string {
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is not a text`);
  return value;
}
export const typesOf = (events: AguiEvent[]): string[] => events.map((event) => event.type);
/** Everything sent under one message id, in order. */
export const textOf = (p: Projection, id: string): Json | undefined =>
  p.messages.find((message) => message['id'] === id)?.['content'];
export function valueAtPath(state: Json, ...path: string[]): Json | undefined {
  let value: Json | undefined = state;
  for (const key of path) {
    value = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[key] : undefined;
  }
  return value;
}
