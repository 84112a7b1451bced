// Values of core, whole and plausible, so that a test names only what it is about.
import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { AnswerEntry, DecideCommand } from '../../src/contract/holds/decision.ts';
import type { Question } from '../../src/contract/holds/question.ts';
import type { Hold } from '../../src/contract/holds/hold.ts';
import { PolicySchema } from '../../src/contract/configuration/policy.ts';
import type { Principal } from '../../src/contract/base/principal.ts';
import type { IntakePlan, MessageRun, ResumeRun } from '../../src/contract/tasks/run.ts';
import type { TaskStatus } from '../../src/contract/tasks/task.ts';
import { canonicalJson } from '../../src/core/base/json.ts';
import { termsOf } from '../../src/core/consent/proof.ts';
import { textHoldOf } from '../../src/core/task/on-message.ts';
import { plainFields } from '../../src/core/questions/plain-fields.ts';
import { unconfirmedQuestion } from '../../src/core/questions/delivery-unknown.ts';
import { durationMs } from '../../src/core/policy/duration.ts';
import { holdIdOf, interruptIdOf, taskIdOf, type Sha1Hex } from '../../src/core/base/ids.ts';
import { audienceOf, nextStepOf, planLadder } from '../../src/core/policy/ladder.ts';
import { newTask } from '../../src/core/task/task.ts';
import type { Phase, MessageCommand, TaskState } from '../../src/core/task/task-state.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { newRow } from '../../src/store/tables/holds/new-row.ts';

export const sha1Hex: Sha1Hex = (bytes) => createHash('sha1').update(bytes).digest('hex');

/** The moment at which the holds of these factories opened. */
export const openedAt = '2026-03-02T09:00:00.000Z';

/** The plan of a run that brings a message to its own thread. */
export function messagePlan(change: Partial<Extract<IntakePlan, { kind: 'message' }>> = {}): IntakePlan {
  return { kind: 'message', task: null, owner: 'local', contextId: null, restartOf: null, seen: null, ...change };
}

/** ISO time a while after (or, with `-`, before) `openedAt`. */
export function after(duration: string): string {
  const sign = duration.startsWith('-') ? -1 : 1;
  return new Date(Date.parse(openedAt) + sign * durationMs(duration.replace(/^-/, ''))).toISOString();
}

export const owner = 'olga';
export const taskId = taskIdOf(sha1Hex, 'expenses', 't-1', 'run-1');

/** `aPrincipal('finn', 'finance')` has that one role. */
export function aPrincipal(id: string = owner, ...roles: string[]): Principal {
  return { id, roles, isSuper: false };
}
export const aSuper: Principal = { id: 'local', roles: [], isSuper: true };

export function aQuestion(over: Partial<Question> = {}): Question {
  return {
    ...plainFields(),
    dialect: 'a2a.hitl.form',
    kind: 'form',
    formId: 'trip',
    title: 'Trip',
    hasOwnTitle: true,
    message: 'Where to?',
    schema: { type: 'object', properties: { city: { type: 'string' } } },
    defaults: { city: 'Bonn' },
    ...over,
  };
}

export interface HoldOverrides extends Partial<Hold> {
  /** As in standfast.yaml; the ladder is planned from it. Without an audience the owner is asked. */
  policy?: z.input<typeof PolicySchema>;
}

/** An open hold; `aHold({ n: 2, policy: { expire: { after: '2h' } } })`. */
export function aHold({ policy: requests, ...over }: HoldOverrides = {}): Hold {
  const n = over.n ?? 1;
  const question = over.question ?? aQuestion();
  const policy = PolicySchema.parse(requests ?? {});
  const plan = planLadder('finance', policy, over.openedAt ?? openedAt, question.defaults);
  return {
    holdId: holdIdOf(sha1Hex, taskId, n),
    interruptId: interruptIdOf(question.kind === 'operator' ? 'doubt' : 'hitl', 'a2a-1', n),
    n,
    question,
    digest: `sha256:shown-${n}`,
    status: 'open',
    canRefuse: false,
    audience: audienceOf(policy),
    plan,
    stepsTaken: 0,
    nextStep: nextStepOf(plan, over.stepsTaken ?? 0),
    openedAt,
    expiresAt: plan.expiresAt,
    decision: null,
    answerFingerprint: null,
    votes: [],
    pause: { firstN: n, count: 1 },
    supersedes: null,
    supersededBy: null,
    asking: false,
    ended: null,
    ...over,
  };
}

/** A row of an open hold, before any act on it. */
export const aHoldRow = (over: Partial<HoldRow> = {}): HoldRow => ({
  ...aHold(),
  ...newRow(),
  taskId,
  agent: 'expenses',
  threadId: 't-1',
  owner,
  openedInRun: 'run-1',
  card: {},
  updatedAt: over.openedAt ?? openedAt,
  artifacts: [],
  attachments: [],
  ...over,
});

/** The hold operators get when it is not known whether the agent got the message. */
export function aDeliveryUnknown(over: HoldOverrides = {}): Hold {
  const question = unconfirmedQuestion('expenses', 'the connection broke');
  return aHold({ question, policy: { audience: ['role:operator'] }, ...over });
}

/** A run that brings a message. */
export function aRunCommand(over: Partial<MessageRun> = {}): MessageRun {
  return { ...aRunSource(over), kind: 'message', seen: over.seen ?? null };
}

type RunSource = Pick<MessageRun, 'runId' | 'fingerprint' | 'principal' | 'receivedAt'>;
export function aRunSource(over: Partial<RunSource> = {}): RunSource {
  const { runId = 'run-1', principal = aPrincipal(), receivedAt = after('1m') } = over;
  return { runId, principal, receivedAt, fingerprint: over.fingerprint ?? `print:${runId}` };
}

/** A run that brings answers. */
export function aResume(entries: AnswerEntry[], over: Partial<RunSource> = {}): ResumeRun {
  return { ...aRunSource({ runId: 'run-2', ...over }), kind: 'resume', entries, source: 'resume' };
}

/** An answer to a hold, by its interrupt id. */
export function anAnswer(hold: { interruptId: string } = aHold(), over: Partial<AnswerEntry> = {}): AnswerEntry {
  const entry = { status: 'resolved' as const, values: { city: 'Paris' }, reason: null, digest: null, ...over };
  const { status, values, reason } = entry;
  const fingerprint = `print:${canonicalJson(status === 'resolved' ? { status, values } : { status, reason })}`;
  return { hold: hold.interruptId, fingerprint, ...entry };
}

/** A refusal to answer. */
export function aRefusal(hold?: { interruptId: string }, reason: string | null = null): AnswerEntry {
  return anAnswer(hold, { status: 'cancelled', values: {}, reason });
}

export function aDecideCommand(entry: AnswerEntry, over: Partial<DecideCommand> = {}): DecideCommand {
  return { entry, principal: aPrincipal(), receivedAt: after('1m'), ...over };
}

/** A person's word to the agent. */
export function aWord(text: string, over: Partial<MessageCommand> = {}): MessageCommand {
  const messageId = `word:${text}`;
  const source = { text, messageId, principal: aPrincipal(), receivedAt: after('1m'), fingerprint: `print:${text}` };
  return { ...source, textFingerprint: `words:${text}`, ...over };
}

/** The same to a question in words that its author read, as the api proves it; null: to none. */
export function aWordTo(
  hold: Pick<Hold, 'digest' | 'plan'> | null,
  text: string,
  over: Partial<MessageCommand> = {},
): MessageCommand {
  if (hold === null) return aWord(text, over);
  const { digest, plan } = hold;
  const who = { version: 1 as const, kind: 'people' as const, entries: [], alsoFor: [] };
  const proof = { ...who, digest, answer: `print:${text}`, terms: termsOf(plan), at: after('1m'), mac: `mac:${text}` };
  return aWord(text, { proof, ...over });
}

/** Words in this task by one who read the question in words that it asks, if it does. */
export const aWordIn = (state: TaskState, text: string, over: Partial<MessageCommand> = {}): MessageCommand =>
  aWordTo(textHoldOf(state), text, over);

const statusIn: Record<Phase, TaskStatus> = {
  new: 'NEW',
  turn: 'IN_PROGRESS',
  opening: 'IN_PROGRESS',
  holding: 'NEEDS_REVIEW',
  stopping: 'IN_PROGRESS',
  leaving: 'DONE',
};

/** A task in the phase asked for: `new` is empty, a holding one has one hold, a later one has had its first turn. */
export function aTask(over: Partial<TaskState> = {}): TaskState {
  const phase = over.phase ?? 'new';
  const opening = aRunCommand();
  const fresh = newTask({
    version: 1,
    taskId,
    agent: 'expenses',
    threadId: 't-1',
    owner,
    opening,
    contextId: null,
    publicUrl: 'http://127.0.0.1:8600',
    limits: { silenceMs: null, totalMs: null },
    restartOf: null,
  });
  if (phase === 'new') return { ...fresh, ...over };
  const holds = over.holds ?? (phase === 'holding' ? [aHold()] : []);
  return {
    ...fresh,
    phase,
    status: statusIn[phase],
    a2aTaskId: 'a2a-1',
    contextId: 'context-1',
    turn: 1,
    n: holds.length,
    send: { kind: 'message' },
    runs: [{ runId: opening.runId, fingerprint: opening.fingerprint, kind: 'opened', skipped: [] }],
    questions: phase === 'opening' ? [aQuestion()] : [],
    holds,
    cancel: phase === 'stopping' ? { by: owner, reason: 'not needed any more' } : null,
    end: phase === 'leaving' ? { kind: 'completed' } : null,
    ...over,
  };
}
