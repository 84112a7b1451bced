// A turn as its activity runs it, over a real store and a scripted agent.
import { createSigner } from '../../src/host/secrets/signing.ts';
import { Registry } from 'prom-client';
import { createWorkerMetrics } from '../../src/host/metrics/worker-metrics.ts';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { ActivityDeps, EngineState } from '../../src/activities/deps.ts';
import { alwaysClosed } from '../../src/activities/circuits/port.ts';
import { createSlots } from '../../src/activities/circuits/slots.ts';
import { runTurn } from '../../src/activities/turn/run-turn.ts';
import { turnTiming } from '../../src/activities/timing.ts';
import { ConfigSchema, type Config } from '../../src/contract/configuration/config.ts';
import type { CloseTaskInput } from '../../src/contract/tasks/activity.ts';
import type { AguiEvent, LogEntry } from '../../src/contract/tasks/run.ts';
import type { TaskRef } from '../../src/contract/tasks/task.ts';
import type { JsonObject } from '../../src/contract/base/json.ts';
import type { ClosedHold } from '../../src/contract/holds/hold.ts';
import type { TurnInput, TurnOutcome } from '../../src/contract/tasks/turn.ts';
import { askAgent, messageIdOf } from '../../src/core/base/ids.ts';
import { questionOfHeldCall } from '../../src/core/questions/held-call.ts';
import { createCalendars } from '../../src/host/calendar/calendar.ts';
import { fingerprintOf, sha1Hex } from '../../src/host/secrets/hash.ts';
import type { HoldRow, Store } from '../../src/store/store.ts';
import { emptyProjection, reduceEvents, type Projection } from '../../src/wire/agui/model/projection.ts';
import { createScriptedAgent, type ScriptedAgent } from '../rigs/agents/scripted-agent.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { aProvedDecision, asKept, prover, testKey } from '../rigs/proofs.ts';
import { createSealer } from '../../src/host/secrets/sealing.ts';
import { aPrincipal, aSuper, messagePlan } from '../rigs/factories.ts';
import { aHold } from '../store/rows.ts';
import { createLinkSigner } from '../../src/host/secrets/tokens.ts';

/** That olga cancelled a task of one run, as its workflow closes it. */
export const aCancel = (task: TaskRef, over: Partial<CloseTaskInput> = {}): CloseTaskInput => ({
  task,
  run: { runId: 'r-1', opener: 'client', turn: 1 },
  status: 'CANCELED',
  end: { kind: 'canceled', code: null, message: 'enough', by: 'olga' },
  a2aTaskId: null,
  contextId: null,
  holds: [],
  skipped: [],
  publicUrl: 'http://127.0.0.1:8600',
  ...over,
});

export function depsOf(
  store: Store,
  transportOf: ActivityDeps['transportOf'],
  over: { config?: Partial<Config>; describe?: () => Promise<EngineState> } = {},
): ActivityDeps {
  const quiet = (): void => undefined;
  return {
    config: { ...ConfigSchema.parse({ agents: { fake: { url: 'http://127.0.0.1:1/' } } }), ...over.config },
    store,
    engine: {
      namespace: 'default',
      signalOther: () => Promise.reject(new Error('no workflow is signalled here')),
      requestCancel: () => Promise.resolve(),
      signalDelivered: () => Promise.resolve(),
      signalMoved: () => Promise.resolve(),
      startPush: () => Promise.resolve(),
      startDigest: () => Promise.resolve(true),
      endBefore: () => Promise.resolve(),
      decideAgain: () => Promise.resolve(null),
      listOpen: () => Promise.resolve([]),
      listClosed: () => Promise.resolve([]),
      listAll: () => Promise.resolve([]),
      history: () => Promise.reject(new Error('no history is known here')),
      lackedKey: () => Promise.resolve(null),
      firstRunOf: () => Promise.reject(new Error('no execution is known here')),
      view: () => Promise.reject(new Error('no workflow is asked here')),
      describe: over.describe ?? ((): Promise<EngineState> => Promise.resolve({ state: 'gone' })),
    },
    transportOf,
    circuits: alwaysClosed,
    slots: createSlots(500),
    checkSchema: () => Promise.resolve({ ok: true }),
    sealer: createSealer(testKey),
    links: createLinkSigner('5e'.repeat(32)),
    signer: createSigner('5e'.repeat(32)),
    prover,
    windowsOf: createCalendars(),
    connectGate: async () => {
      throw new Error('there is no gate');
    },
    askForServer: async () => {
      throw new Error('no server asks anything here');
    },
    metrics: createWorkerMetrics(new Registry()),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    now: () => new Date(),
    publicUrl: 'http://127.0.0.1:8600',
    atSeam: () => Promise.resolve(),
    timing: {
      ...turnTiming,
      sendForMs: 2_000,
      settleMs: 20,
      silenceMs: 5_000,
      backoffMs: 5,
      maxBackoffMs: 20,
      missingMs: 50,
    },
  };
}

export interface Attempt {
  outcome: Promise<TurnOutcome>;
  /** Details of its heartbeats, for the next attempt. */
  heartbeats: unknown[];
  /** As a worker does that stops, or as the workflow asks for. */
  cancel(reason: 'WORKER_SHUTDOWN' | 'CANCELLED'): void;
  /** Lets its worker stop, and waits for its end, whatever that is. */
  stop(): Promise<void>;
}

export interface TurnCase {
  agent: ScriptedAgent;
  deps: ActivityDeps;
  input: TurnInput;
  messageId: string;
  /** `heartbeatDetails`: what the attempt before it left. */
  attempt(number: number, over?: Partial<TurnInput>, heartbeatDetails?: unknown): Attempt;
  log(): Promise<AguiEvent[]>;
  /** Sequence numbers of the log. */
  seqs(): Promise<number[]>;
  view(): Promise<Projection>;
  /** Waits until the log holds so many tokens. */
  shows(text: string): Promise<void>;
}

let count = 0;

/** A first turn with its intake row in the store; `more`: further keys of the run's body. */
export async function aTurn(
  store: Store,
  agent: ScriptedAgent,
  more: JsonObject = {},
  /** What is learnt of one agent is not a matter of another. */
  name = 'fake',
): Promise<TurnCase> {
  count += 1;
  const names = { agent: name, threadId: `t-${count}`, runId: `r-${count}` };
  const taskId = `00000000-0000-5000-8000-${String(count).padStart(12, '0')}`;
  const body = { ...names, messages: [{ id: 'm', role: 'user', content: 'hello' }], ...more };
  await store.threads.claim(name, names.threadId, 'local');
  await store.intake.put(
    asKept({
      ...names,
      fingerprint: fingerprintOf(body),
      principal: aSuper,
      receivedAt: new Date().toISOString(),
      plan: messagePlan(),
      body,
    }),
  );
  const { agents } = ConfigSchema.parse({ agents: { [name]: { url: 'http://127.0.0.1:1/' } } });
  const config = depsOf(store, () => agent.transport).config;
  const deps = depsOf(store, () => agent.transport, { config: { ...config, agents } });
  const input: TurnInput = {
    task: {
      taskId,
      ...names,
      workflowId: `a2a/fake/${names.threadId}`,
      firstExecutionRunId: `x-${count}`,
      owner: 'local',
    },
    turn: 1,
    resumes: 0,
    isDelivered: false,
    awaySince: null,
    runId: names.runId,
    opener: 'client',
    messageRunId: names.runId,
    send: { kind: 'message' },
    a2aTaskId: null,
    contextId: null,
    pauseMessageId: null,
    isResendAllowed: false,
    skipped: [],
    restartOf: null,
    n: 0,
    askedBefore: [],
    publicUrl: 'http://127.0.0.1:8600',
  };
  const entries = async (): Promise<LogEntry[]> => {
    const run = await store.runs.get(names);
    return run === null ? [] : store.log.read(run.logId, 0, 10_000);
  };
  const log = async (): Promise<AguiEvent[]> => (await entries()).map(({ event }) => event);
  const view = async (): Promise<Projection> => reduceEvents(emptyProjection(names.threadId, names.runId), await log());
  return {
    agent,
    deps,
    input,
    messageId: messageIdOf(sha1Hex, taskId, 1),
    attempt(number, over = {}, heartbeatDetails) {
      // A failing attempt is what these tests are about; the worker's warning of it is not.
      const info = { attempt: number, heartbeatDetails };
      const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
      const heartbeats: unknown[] = [];
      environment.on('heartbeat', (details: unknown) => heartbeats.push(details));
      const outcome = environment.run<[], TurnOutcome, () => Promise<TurnOutcome>>(() =>
        runTurn(deps, { ...input, ...over }),
      );
      // Awaited later, or not at all where an attempt is left to itself.
      outcome.catch(() => undefined);
      return {
        outcome,
        heartbeats,
        cancel: (reason) => environment.cancel(reason),
        async stop() {
          environment.cancel('WORKER_SHUTDOWN');
          await outcome.catch(() => null);
        },
      };
    },
    log,
    seqs: async () => (await entries()).map(({ seq }) => seq),
    view,
    shows: (text) =>
      waitFor(async () => replyOf(await view()) === text, 5_000, `the log to show ${JSON.stringify(text)}`).then(
        () => undefined,
      ),
  };
}

interface HeldTool {
  gate: string;
  /** Fingerprints of its server and of its definition, as the call was held. */
  server: string;
  digest: string;
  definition: JsonObject;
}

/** The turn that makes a held call of the tool "pay", and the row of its question, which is not in the store yet. */
export async function aHeldCall(store: Store, tool: HeldTool): Promise<{ taken: TurnCase; row: HoldRow }> {
  const taken = await aTurn(store, createScriptedAgent('task-1'));
  const { task, runId } = taken.input;
  const { taskId, threadId } = task;
  await store.threads.claim(askAgent, threadId, 'local');
  await store.intake.put(
    asKept({
      agent: askAgent,
      threadId,
      runId,
      fingerprint: 'f',
      principal: aSuper,
      receivedAt: new Date().toISOString(),
      plan: messagePlan(),
      body: { threadId, runId, messages: [] },
    }),
  );
  const { gate, server, digest, definition } = tool;
  const held = { gate, tool: 'pay', server, definition: digest, callId: `call-${taskId}` };
  const question = questionOfHeldCall({ held, gate: { editable: false }, definition, args: { amount: 9 } });
  const row = aHold({ taskId, agent: askAgent, question, owner: 'local', audience: ['role:finance'] });
  return { taken: { ...taken, input: { ...taken.input, task: { ...task, agent: askAgent } } }, row };
}

/** The agent's text as a client holds it. */
export function replyOf(view: Projection): string {
  return String(view.messages.findLast(({ id }) => /^artifact[.:]/.test(String(id)))?.['content'] ?? '');
}

/** What a turn sends that answers this question in these words, or by these values. */
export function answeredBy(hold: HoldRow, given: string | JsonObject): TurnInput['send'] {
  const by = aPrincipal('ana');
  const entry = { values: typeof given === 'string' ? { text: given } : given };
  const decision = aProvedDecision(hold, { by, at: new Date().toISOString(), source: 'rest', entry });
  const closed: ClosedHold = {
    holdId: hold.holdId,
    status: 'decided',
    decision,
    answerFingerprint: 'p',
    votes: [],
    supersededBy: null,
    ended: null,
  };
  return { kind: 'answers', answers: [{ interruptId: hold.interruptId, closed }] };
}
