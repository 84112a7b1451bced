// The api on a real database, with a scripted stand-in where Temporal and its workflow would be.
import { createSigner } from '../../src/host/secrets/signing.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { z } from 'zod';
import { buildApp } from '../../src/api/app.ts';
import { holdDigest } from '../../src/core/consent/question-digest.ts';
import { fingerprintOf } from '../../src/host/secrets/hash.ts';
import type { ApiDeps, ReadHistory } from '../../src/api/api-deps.ts';
import type { SchemaVerdict } from '../../src/contract/holds/schema-verdict.ts';
import type { StreamLimits } from '../../src/api/http/sse.ts';
import type { CallResult, TaskClient } from '../../src/api/engine/task-client.ts';
import { ConfigSchema, type Config } from '../../src/contract/configuration/config.ts';
import type { Decision } from '../../src/contract/holds/decision.ts';
import type { AguiEvent, RunKey, RunStatus, RunReply, TaskStart } from '../../src/contract/tasks/run.ts';
import type { ClosedHold } from '../../src/contract/holds/hold.ts';
import type { JsonObject } from '../../src/contract/base/json.ts';
import { PolicySchema } from '../../src/contract/configuration/policy.ts';
import type { TaskStatus } from '../../src/contract/tasks/task.ts';
import { planLadder } from '../../src/core/policy/ladder.ts';
import { plainFields } from '../../src/core/questions/plain-fields.ts';
import { endReasonOf } from '../../src/core/consent/verdict.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import type { HoldRow, RunRow, Store, TaskRow } from '../../src/store/store.ts';
import type { CodecKeys } from '../../src/host/secrets/codec-keys.ts';
import { refuse } from '../../src/core/base/errors.ts';
import { closeSent, prover, testKey } from '../rigs/proofs.ts';
import { createSealer } from '../../src/host/secrets/sealing.ts';
import { createLinkSigner } from '../../src/host/secrets/tokens.ts';
import { endRun } from '../rigs/store/store-writes.ts';
import { aHoldRow } from '../rigs/factories.ts';

export const keys = {
  anna: 'anna-has-a-long-key',
  ben: 'ben-has-a-long-key-too',
  fin: 'fin-of-finance-has-a-key',
  op: 'operators-have-keys-too',
} as const;

export const bearer = (who: keyof typeof keys): Record<string, string> => ({ authorization: `Bearer ${keys[who]}` });

export const keyConfig = [
  { user: 'anna', key: keys.anna },
  { user: 'ben', key: keys.ben },
  { user: 'fin', roles: ['finance'], key: keys.fin },
  { user: 'op', roles: ['operator'], key: keys.op },
];

export type FakeTasks = { [K in keyof TaskClient]: TaskClient[K] } & { calls: { source: string; args: unknown[] }[] };

const silent: CallResult<never> = { kind: 'unanswered', by: 'worker' };

export function fakeTasks(): FakeTasks {
  const calls: FakeTasks['calls'] = [];
  const unanswered =
    (source: string) =>
    async (...args: unknown[]): Promise<CallResult<never>> => {
      calls.push({ source, args });
      return silent;
    };
  return {
    calls,
    namespace: 'default',
    open: unanswered('open'),
    resume: unanswered('resume'),
    decide: unanswered('decide'),
    amend: unanswered('amend'),
    message: unanswered('message'),
    notify: unanswered('notify'),
    cancel: unanswered('cancel'),
    end: unanswered('end'),
    query: unanswered('query'),
    describe: unanswered('describe'),
    fault: async () => null,
    explain: async (fault) => fault,
  };
}
export const admittedAs = (taskId: string, runId: string, as: RunReply['kind']): CallResult<RunReply> => ({
  kind: 'answer',
  value: { runId, kind: as, taskId, skipped: [] },
});

export interface Rig {
  app: FastifyInstance;
  store: Store;
  tasks: FakeTasks;
  config: Config;
  /** Moves the clock of the api. */
  setNow: (iso: string | null) => void;
  close: () => Promise<void>;
}

/** Asks only whether required fields are there. */
export async function checkRequired(schema: JsonObject, values: JsonObject): Promise<SchemaVerdict> {
  if (schema['x-broken'] === true) return { ok: false, unusable: "the form's schema cannot be used" };
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : [];
  const errors = required
    .filter((name) => values[name] === undefined)
    .map((name) => ({ path: `/${name}`, message: 'is needed' }));
  return errors.length === 0 ? { ok: true } : { ok: false, errors };
}

/** Tests say what the workflow answers; what a worker would write of a decision is in the rows then. */
function withRows(tasks: FakeTasks, store: Store): TaskClient {
  const decide: TaskClient['decide'] = async (task, source) => {
    const result = await tasks.decide(task, source);
    const decision = result.kind === 'answer' ? result.value.decision : null;
    if (decision === null) return result;
    const { hold, status, values, fingerprint } = source.entry;
    const asked = await store.holds.get(hold);
    // Whose votes decided a test says itself.
    if (asked === null || asked.plan.quorum > 1) return result;
    await closeSent(store, hold, {
      status: status === 'resolved' ? 'decided' : 'cancelled',
      decision: { ...decision, values },
      answerFingerprint: fingerprint,
      votes: asked.votes,
      supersededBy: null,
      ended: {
        by: decision.by,
        at: decision.at,
        why: endReasonOf(asked.question, source.entry),
      },
    });
    return result;
  };
  // Safe: everything else is whatever the test puts there.
  return Object.assign(Object.create(tasks) as TaskClient, { decide });
}

type ConfigInput = z.input<typeof ConfigSchema>;

export async function startRig(
  options: {
    withKeys?: boolean;
    limits?: StreamLimits;
    store?: Store;
    server?: ConfigInput['server'];
    config?: Partial<ConfigInput>;
    publicUrl?: string;
    webDir?: string;
    codec?: CodecKeys;
    readHistory?: ReadHistory;
    engram?: ApiDeps['engram'];
    log?: ApiDeps['log'];
    /** What the workflow has taken comes into no row. */
    isWorkerSlow?: boolean;
  } = {},
): Promise<Rig> {
  const store = options.store ?? (await openTestStore());
  const tasks = fakeTasks();
  let fixed: string | null = null;
  const config = ConfigSchema.parse({
    agents: {
      expenses: { url: 'http://127.0.0.1:8701/', title: 'Expenses' },
      travel: { url: 'http://127.0.0.1:8702/' },
    },
    auth: { keys: options.withKeys === true ? keyConfig : [] },
    server: options.server ?? {},
    ...options.config,
  });
  const app = buildApp(
    {
      config,
      store,
      tasks: options.isWorkerSlow === true ? tasks : withRows(tasks, store),
      checkAnswer: checkRequired,
      codec: options.codec ?? null,
      sealer: createSealer(testKey),
      links: createLinkSigner('5e'.repeat(32)),
      signer: createSigner('5e'.repeat(32)),
      prover,
      readHistory: options.readHistory ?? (async () => ({ result: 'away', why: 'there is no agent' })),
      engram:
        options.engram ??
        (() => {
          throw new Error('there is no agent');
        }),
      registry: new Registry(),
      log: options.log ?? pino({ level: process.env['RIGLOG'] ?? 'silent' }),
      now: () => (fixed === null ? new Date() : new Date(fixed)),
      publicUrl: options.publicUrl ?? 'http://127.0.0.1:8600',
      temporalUiUrl: 'http://127.0.0.1:8233',
      ...(options.webDir === undefined ? {} : { webDir: options.webDir }),
    },
    options.limits,
  );
  await app.ready();
  return {
    app,
    store,
    tasks,
    config,
    setNow: (iso) => {
      fixed = iso;
    },
    close: async () => {
      await app.close();
      if (options.store === undefined) await store.close();
    },
  };
}

/** Events of an SSE body, in order; comments left out. */
export function eventsOf(body: string): AguiEvent[] {
  return framesOf(body).map((frame) => frame.event);
}

export function framesOf(body: string): { id: string | null; event: AguiEvent }[] {
  return body
    .split('\n\n')
    .map((part) => part.split('\n'))
    .flatMap((lines) => {
      const data = lines.find((line) => line.startsWith('data: '));
      const id = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? null;
      return data === undefined ? [] : [{ id, event: JSON.parse(data.slice(6)) as AguiEvent }];
    });
}

export const lastOf = (body: string): AguiEvent | undefined => eventsOf(body).at(-1);

let counter = 0;
/** A new thread id: tests share a database and never a thread. */
export const freshThread = (): string => `thread-${(counter += 1)}`;

export function runBody(threadId: string, runId: string, more: JsonObject = {}): JsonObject {
  const messages = [{ id: `${runId}-m`, role: 'user', content: 'Please file my trip' }];
  return { threadId, runId, protocolVersion: '1.0', messages, tools: [], context: [], forwardedProps: {}, ...more };
}

export async function aTask(
  store: Store,
  threadId: string,
  change: {
    status?: TaskStatus;
    owner?: string;
    n?: number;
    at?: string;
    error?: TaskRow['error'];
    agent?: string;
  } = {},
): Promise<TaskRow> {
  const { status = 'IN_PROGRESS', owner = 'local', n = 1, at = new Date().toISOString(), agent = 'expenses' } = change;
  const taskId = `task-${threadId}-${n}`;
  await store.threads.claim(agent, threadId, owner);
  await store.tasks.put(
    { taskId, agent, threadId, owner, workflowId: `a2a/${agent}/${threadId}`, firstExecutionRunId: `first-${taskId}` },
    at,
  );
  await store.tasks.update(taskId, { status, a2aTaskId: `a2a-${taskId}`, error: change.error ?? null });
  const row = await store.tasks.get(taskId);
  if (row === null) throw new Error('the task was not stored');
  return row;
}

export function aQuestion(change: Partial<HoldRow['question']> = {}): HoldRow['question'] {
  return {
    ...plainFields(),
    dialect: 'a2a.hitl.form',
    kind: 'form',
    formId: 'trip',
    title: 'Your trip',
    hasOwnTitle: true,
    message: 'Where and when?',
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    ...change,
  };
}

export async function aHold(
  store: Store,
  task: TaskRow,
  change: Partial<HoldRow> & { kind?: HoldRow['question']['kind'] } = {},
): Promise<HoldRow> {
  const { kind = 'form', ...row } = change;
  const n = change.n ?? 1;
  const interruptId = kind === 'operator' ? `operator-${task.taskId}-${n}` : `hitl-${task.a2aTaskId ?? ''}-${n}`;
  const own = { taskId: task.taskId, agent: task.agent, threadId: task.threadId, owner: task.owner };
  const hold = aHoldRow({
    holdId: `hold-${task.taskId}-${n}`,
    interruptId,
    n,
    question: aQuestion({ kind }),
    digest: `sha256:${n}`,
    audience: ['owner'],
    plan: planLadder('default', PolicySchema.parse({}), new Date().toISOString()),
    nextStep: null,
    openedAt: new Date().toISOString(),
    expiresAt: null,
    ...own,
    openedInRun: 'r1',
    updatedAt: new Date().toISOString(),
    pause: { firstN: n, count: 1 },
    ...row,
  });
  await store.tasks.update(task.taskId, { status: 'NEEDS_REVIEW' });
  const asked = { ...hold, requester: hold.owner, artifacts: hold.artifacts ?? [] };
  const digest = row.digest ?? holdDigest(fingerprintOf, asked);
  const [stored] = await store.holds.putOnce([{ ...hold, digest }]);
  if (stored === undefined) throw new Error('the hold was not stored');
  return stored;
}

export function aDecision(change: Partial<Decision> = {}): Decision {
  return {
    by: 'fin',
    at: '2026-11-21T09:00:00.000Z',
    status: 'resolved',
    values: {},
    reason: null,
    source: 'rest',
    seenDigest: null,
    credential: null,
    actor: null,
    digest: 'sha256:1',
    ...change,
  };
}

/** How a hold closes, as a worker would write it. */
export function anEnd(
  status: ClosedHold['status'],
  decision: Decision | null = null,
  answerFingerprint: string | null = null,
): Omit<ClosedHold, 'holdId'> {
  const why = status === 'cancelled' ? ('declined' as const) : status === 'decided' ? ('approved' as const) : status;
  const ended = { by: decision?.by ?? 'policy:default', at: decision?.at ?? '2026-11-21T09:00:00.000Z', why };
  return { status, decision, answerFingerprint, votes: [], supersededBy: null, ended };
}

export const started = (key: RunKey): AguiEvent => ({
  type: 'RUN_STARTED',
  threadId: key.threadId,
  runId: key.runId,
  protocolVersion: '1.0',
});
export const finished = (key: RunKey, outcome: JsonObject = { type: 'success' }): AguiEvent => ({
  type: 'RUN_FINISHED',
  threadId: key.threadId,
  runId: key.runId,
  outcome,
});
export const words = (id: string, text: string): AguiEvent[] => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: text },
  { type: 'TEXT_MESSAGE_END', messageId: id },
];

/** Writes a run as a worker would; `end` null leaves it open. */
export async function writeRun(
  store: Store,
  key: RunKey,
  events: AguiEvent[],
  end: Exclude<RunStatus, 'open'> | null,
  more: { taskId?: string; fingerprint?: string; isControl?: boolean } = {},
): Promise<RunRow> {
  const { taskId = `task-${key.threadId}-1`, fingerprint = 'print', isControl = false } = more;
  const claimed = await store.runs.claim(key, { taskId, fence: 1, opener: 'client', fingerprint, isControl });
  if (claimed.result !== 'claimed') throw new Error(`the run could not be claimed: ${claimed.result}`);
  const { logId } = claimed.run;
  await store.log.append(logId, 1, [started(key), { type: 'STATE_SNAPSHOT', snapshot: {} }, ...events]);
  if (end !== null) await endRun(store, logId, 1, end);
  const run = await store.runs.get(key);
  if (run === null) throw new Error('the run was not stored');
  return run;
}

/** What a healthy engine does with an opening run: the run's log appears and ends. */
export function openingWorker(store: Store, answer = 'Done.'): (start: TaskStart) => Promise<CallResult<RunReply>> {
  return async (start) => {
    const { agent, threadId, taskId, opening } = start;
    const key = { agent, threadId, runId: opening.runId };
    await aTask(store, threadId, { owner: start.owner, agent });
    await writeRun(store, key, [...words(`${opening.runId}-a`, answer), finished(key)], 'success', {
      taskId,
      fingerprint: opening.fingerprint,
    });
    await store.tasks.update(`task-${threadId}-1`, { status: 'DONE' });
    return admittedAs(taskId, opening.runId, 'opened');
  };
}

/** In place of a worker: opens the questions that programs ask; the starts that it was sent. */
export function openWhatIsAsked({ store, tasks }: Rig): TaskStart[] {
  const starts: TaskStart[] = [];
  Object.assign(tasks, fakeTasks());
  tasks.open = async (start) => {
    starts.push(start);
    const n = Number(/^ask~(\d+)$/.exec(start.opening.runId)?.[1] ?? 1);
    const task = await aTask(store, start.threadId, { owner: start.owner, agent: start.agent, n });
    const [question] = start.opening.kind === 'ask' ? start.opening.questions : [];
    const openedInRun = start.opening.runId;
    if (question !== undefined) await aHold(store, task, { question, canRefuse: true, openedInRun });
    return admittedAs(start.taskId, start.opening.runId, 'opened');
  };
  return starts;
}

/** In place of a workflow whose question is withdrawn, or which is cancelled: ends its task, and its question if that is open. */
export function withdrawWhatIsAsked({ store, tasks }: Rig): void {
  tasks.cancel = async ({ taskId }) => {
    const [hold] = await store.holds.ofTask(taskId);
    if (hold?.status === 'open') await closeSent(store, hold.holdId, anEnd('cancelled', null, null));
    await store.tasks.update(taskId, { status: 'CANCELED' });
    return { kind: 'answer', value: null };
  };
  tasks.amend = async (task, { hold: holdId }) => {
    const hold = await store.holds.get(holdId);
    if (hold?.status !== 'open') return { kind: 'refusal', refusal: refuse('hold_closed', `${holdId} is closed`) };
    await tasks.cancel(task, '');
    return { kind: 'answer', value: { holdId: hold.holdId, audience: hold.audience, votes: { have: 0, need: 1 } } };
  };
}

/** Every answer, change and message is taken, as a workflow would that refuses none: what is judged is the api. */
export function takeEverything(rig: Rig): void {
  rig.tasks.decide = async (_task, { entry, principal }) => ({
    kind: 'answer',
    value: {
      holdId: entry.hold,
      decision: aDecision({ by: principal.id, values: entry.values }),
      votes: { have: 1, need: 1 },
      isRepeat: false,
      taskStatus: 'USER_INPUT_RECEIVED',
    },
  });
  rig.tasks.amend = async (_task, source) => {
    if (source.kind === 'reassign') await rig.store.holds.amend(source.hold, { audience: source.to });
    if (source.kind === 'reapply') {
      const entry = { at: source.receivedAt, by: source.principal.id, from: '', fromExpiresAt: null, credential: null };
      const { audience, plan } = source;
      await rig.store.holds.amend(source.hold, { audience, plan: { ...plan, reapplied: [entry] } });
    }
    if (source.kind === 'extend') {
      const plan = (await rig.store.holds.get(source.hold))?.plan;
      if (plan) await rig.store.holds.amend(source.hold, { plan: { ...plan, expiresAt: source.until } });
    }
    return { kind: 'answer', value: { holdId: source.hold, audience: [], votes: { have: 0, need: 1 } } };
  };
  rig.tasks.message = async () => ({
    kind: 'answer',
    value: { messageId: 'm', kind: 'asked', taskStatus: 'NEEDS_REVIEW' },
  });
}
