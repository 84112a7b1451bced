// One task under test: what a person, an operator or a front end would do to it, and the facts to wait for.
import type { LadderPlan } from '../../../src/contract/configuration/policy.ts';
import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { answerFingerprint } from '../../../src/api/holds/answers.ts';
import { proved } from '../../../src/api/holds/prove-answer.ts';
import type { CallResult, TaskClient } from '../../../src/api/engine/task-client.ts';
import type {
  AmendCommand,
  AmendReply,
  AnswerEntry,
  DecideReply,
  DecisionSource,
  MessageInput,
  MessageReply,
} from '../../../src/contract/holds/decision.ts';
import type { AguiEvent, RunReply, TaskStart } from '../../../src/contract/tasks/run.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import { injectedMessageIdOf, messageIdOf, workflowIdOf } from '../../../src/core/base/ids.ts';
import { fingerprintOf, sha1Hex } from '../../../src/host/secrets/hash.ts';
import type { Prover } from '../../../src/host/secrets/proofs.ts';
import type { HoldRow, RunRow, Store, TaskRow } from '../../../src/store/store.ts';
import { reduceEvents, emptyProjection, type Projection } from '../../../src/wire/agui/model/projection.ts';
import { leastBoundMs, waitFor } from '../wait-for.ts';
import { aSuper, messagePlan } from '../factories.ts';
import { asKept } from '../proofs.ts';

/** An event of a workflow's history as JSON. */
export type HistoryEvent = { eventType: string; [key: string]: unknown };

export interface TaskCase {
  agent: string;
  threadId: string;
  runId: string;
  taskId: string;
  workflowId: string;
  firstExecutionRunId: string;
  handle: WorkflowHandleWithFirstExecutionRunId;
  /** An update as Standfast signs it, once and without a bound; its failure as Temporal has it. */
  update<T>(name: string, command: unknown, updateId?: string): Promise<T>;
  row(): Promise<TaskRow>;
  /** Waits for one of these statuses in the database. */
  status(...statuses: TaskRow['status'][]): Promise<TaskRow>;
  holds(): Promise<HoldRow[]>;
  /** Waits until hold number `n` is open, and returns it. */
  asked(n?: number): Promise<HoldRow>;
  /** Waits until hold number `n` is there, whatever became of it since. */
  hold(n?: number): Promise<HoldRow>;
  /** Waits until a hold has left `open`. */
  settled(holdId: string): Promise<HoldRow>;
  decide(entry: AnswerEntry, principal?: Principal, receivedAt?: string): Promise<CallResult<DecideReply>>;
  /** A run with `resume`, or with a message. */
  run(
    runId: string,
    source: { resume: AnswerEntry[]; receivedAt?: string } | { message: string },
    principal?: Principal,
  ): Promise<CallResult<RunReply>>;
  signal(message: unknown): Promise<void>;
  /** A person's word to the agent; a refusal is its code. */
  say(text: string, principal?: Principal, messageId?: string): Promise<MessageReply | string>;
  /** Takes a vote back, or moves the question to others; a refusal is its code. */
  amend(change: AmendChange, principal?: Principal): Promise<AmendReply | string>;
  /** Events of a run's log; of the opening run unless named. */
  log(runId?: string): Promise<AguiEvent[]>;
  /** What a client holds that applied a run's events. */
  view(runId?: string): Promise<Projection>;
  /** An artifact's text as a client holds it: the newest version, where the agent took words back. */
  text(artifactId: string, runId?: string): Promise<string>;
  /** Waits until the run has ended. */
  runEnded(runId?: string): Promise<RunRow>;
  /** Waits until the execution has closed; returns Temporal's word for how. */
  closed(): Promise<string>;
  /** Events in the newest execution's history. */
  historyLength(): Promise<number>;
  /** The same, once the workflow has nothing to do but wait for people and for its timer. */
  quiet(): Promise<number>;
  /** What Temporal UI shows as the current details. */
  details(): Promise<string>;
  /** Events of the newest execution's history. */
  history(): Promise<HistoryEvent[]>;
  /** Id of the message that a turn sends. */
  messageId(turn: number): string;
  injectedMessageId(runId: string): string;
}

type AmendChange =
  | { hold: string; kind: 'withdraw-vote' | 'undo' }
  | { hold: string; kind: 'reapply'; audience: string[]; plan: LadderPlan }
  | { hold: string; kind: 'reassign'; to: string[]; note: string | null; notify?: string[] };

/** The code of a refused update. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause === 'object' && cause !== null && 'type' in cause) return String(cause.type);
  throw error;
}

/** Sends it again while a busy machine lets no worker answer in time, as a caller would. */
export async function untilAnswered<T>(send: () => Promise<CallResult<T>>): Promise<CallResult<T>> {
  const until = performance.now() + leastBoundMs;
  for (;;) {
    const result = await send();
    if (result.kind !== 'unanswered' || performance.now() >= until) return result;
  }
}

/** A timer runs, and nothing is under way: a late word of a turn may have come after it. */
function isWaiting(types: string[]): boolean {
  const count = (name: string): number => types.filter((type) => type === `EVENT_TYPE_${name}`).length;
  const running = count('TIMER_STARTED') - count('TIMER_FIRED') - count('TIMER_CANCELED');
  const activities = count('ACTIVITY_TASK_SCHEDULED') - types.filter((type) => isActivityEnd.test(type)).length;
  const isIdle = count('WORKFLOW_TASK_SCHEDULED') === types.filter((type) => isTaskEnd.test(type)).length;
  return running > 0 && activities === 0 && isIdle;
}
const isActivityEnd = /^EVENT_TYPE_ACTIVITY_TASK_(COMPLETED|FAILED|TIMED_OUT|CANCELED)$/;
const isTaskEnd = /^EVENT_TYPE_WORKFLOW_TASK_(COMPLETED|FAILED|TIMED_OUT)$/;

const local: Principal = aSuper;

export function createTaskCase(
  { store, client, tasks, prover }: { store: Store; client: Client; tasks: TaskClient; prover: Prover },
  start: TaskStart & { firstExecutionRunId: string },
): TaskCase {
  const { agent, threadId, taskId, firstExecutionRunId } = start;
  const openingRunId = start.opening.runId;
  const workflowId = workflowIdOf(agent, threadId);
  const handle = { ...client.workflow.getHandle(workflowId, undefined, { firstExecutionRunId }), firstExecutionRunId };
  const known = { taskId, workflowId, firstExecutionRunId };

  const update: TaskCase['update'] = (name, command, updateId = randomUUID()) => {
    const signedAt = new Date().toISOString();
    const args: [unknown] = [{ workflowId, name, id: updateId, signedAt, command }];
    return handle.executeUpdate(name, { updateId, args });
  };
  /** As the api proves it; one that has no question in the rows, or is not read yet, stays as it is. */
  const provedBy = async (
    entry: AnswerEntry,
    who: { principal: Principal; source: DecisionSource; at: string },
  ): Promise<AnswerEntry> => {
    const hold = (await store.holds.ofTask(taskId)).find((one) => [one.holdId, one.interruptId].includes(entry.hold));
    return hold === undefined || hold.status !== 'open' || entry.fingerprint === '' || entry.proof !== undefined
      ? entry
      : proved({ prover }, hold, entry, who);
  };
  /** As the api stamps words that answer a question in words. */
  const stampOf = async (
    text: string,
    who: { principal: Principal; at: string },
  ): Promise<Pick<MessageInput, 'checked' | 'proof'>> => {
    const [hold, ...more] = (await store.holds.ofTask(taskId)).filter(({ status }) => status === 'open');
    if (hold === undefined || more.length > 0 || hold.question.kind !== 'text' || hold.asking) return {};
    const given = { status: 'resolved' as const, values: { text }, reason: null };
    const fingerprint = answerFingerprint(given);
    const entry = { hold: hold.interruptId, ...given, digest: null, fingerprint };
    const { proof } = proved({ prover }, hold, entry, { ...who, source: 'chat' });
    return { checked: { digest: hold.digest, fingerprint }, proof };
  };
  const row = async (): Promise<TaskRow> => {
    const found = await store.tasks.get(taskId);
    if (found === null) throw new Error(`no task ${taskId}`);
    return found;
  };
  const runRow = (runId: string): Promise<RunRow | null> => store.runs.get({ agent, threadId, runId });
  const log = async (runId = openingRunId): Promise<AguiEvent[]> => {
    const run = await runRow(runId);
    return run === null ? [] : (await store.log.read(run.logId, 0, 100_000)).map(({ event }) => event);
  };
  const view = async (runId = openingRunId): Promise<Projection> =>
    reduceEvents(emptyProjection(threadId, runId), await log(runId));
  const history = async (): Promise<HistoryEvent[]> => {
    // In the JSON of the protocol, which has names for its enums.
    const { events } = JSON.parse(JSON.stringify(await handle.fetchHistory())) as { events?: HistoryEvent[] };
    return events ?? [];
  };
  return {
    agent,
    threadId,
    runId: openingRunId,
    taskId,
    workflowId,
    firstExecutionRunId,
    handle,
    update,
    row,
    log,
    status: (...statuses) =>
      waitFor(
        async () => {
          const found = await row();
          return statuses.includes(found.status) ? found : undefined;
        },
        leastBoundMs,
        `task of "${threadId}" to be ${statuses.join(' or ')}`,
      ),
    holds: () => store.holds.ofTask(taskId),
    asked: (n = 1) =>
      waitFor(
        async () => (await store.holds.ofTask(taskId)).find((hold) => hold.n === n && hold.status === 'open'),
        leastBoundMs,
        `question ${n} of "${threadId}"`,
      ),
    hold: (n = 1) =>
      waitFor(
        async () => (await store.holds.ofTask(taskId)).find((hold) => hold.n === n),
        leastBoundMs,
        `question ${n} of "${threadId}"`,
      ),
    settled: (holdId) =>
      waitFor(
        async () => {
          const hold = await store.holds.get(holdId);
          return hold !== null && hold.status !== 'open' ? hold : undefined;
        },
        leastBoundMs,
        `the end of hold ${holdId}`,
      ),
    async decide(given, principal = local, receivedAt = new Date().toISOString()) {
      const entry = await provedBy(given, { principal, source: 'rest', at: receivedAt });
      // As people do whose request was not confirmed: the same again is safe.
      return untilAnswered(() => tasks.decide(known, { entry, principal, receivedAt }));
    },
    async run(runId, source, principal = local) {
      const isMessage = 'message' in source;
      const messages = isMessage ? [{ id: `m-${runId}`, role: 'user', content: source.message }] : [];
      const resume = isMessage ? null : source.resume;
      const body: JsonObject = { threadId, runId, messages, resume: JSON.parse(JSON.stringify(resume)) };
      const fingerprint = fingerprintOf(body);
      const receivedAt = ('receivedAt' in source ? source.receivedAt : undefined) ?? new Date().toISOString();
      await store.intake.put(
        asKept({ agent, threadId, runId, fingerprint, principal, receivedAt, body, plan: messagePlan() }, prover),
      );
      const seen = isMessage ? await store.tasks.seen(agent, threadId) : null;
      const command = { runId, fingerprint, principal, receivedAt };
      if (resume === null) return tasks.resume(known, { ...command, kind: 'message', seen });
      const who = { principal, source: 'resume' as const, at: receivedAt };
      const entries = await Promise.all(resume.map((entry) => provedBy(entry, who)));
      return tasks.resume(known, { ...command, kind: 'resume', entries, source: 'resume' });
    },
    signal: (message) => handle.signal('formResponse', message),
    say: async (text, principal = local, messageId = randomUUID()) => {
      const seen = await store.tasks.seen(agent, threadId);
      const receivedAt = new Date().toISOString();
      const stamp = await stampOf(text, { principal, at: receivedAt });
      const source: MessageInput = { text, messageId, principal, receivedAt, ...(seen && { seen }), ...stamp };
      return update<MessageReply>('message', source).catch(codeOf);
    },
    amend: (change, principal = local) => {
      const source: AmendCommand = { ...change, principal, receivedAt: new Date().toISOString() };
      return update<AmendReply>('amend', source).catch(codeOf);
    },
    view,
    async text(artifactId, runId) {
      const { a2aTaskId } = await row();
      const { messages } = await view(runId);
      const isVersion = (id: string): boolean =>
        /^artifact(\.\d+)?:/.test(id) && id.endsWith(`:${a2aTaskId}:${artifactId}`);
      return String(messages.findLast(({ id }) => isVersion(String(id)))?.['content'] ?? '');
    },
    runEnded: (runId = openingRunId) =>
      waitFor(
        async () => {
          const run = await runRow(runId);
          return run !== null && run.status !== 'open' ? run : undefined;
        },
        leastBoundMs,
        `the end of run ${runId}`,
      ),
    closed: () =>
      waitFor(
        async () => {
          const { status } = await handle.describe();
          return status.name === 'RUNNING' ? undefined : status.name;
        },
        leastBoundMs,
        `the end of ${workflowId}`,
      ),
    async historyLength() {
      return (await handle.describe()).historyLength;
    },
    async details() {
      const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      return metadata.currentDetails ?? '';
    },
    history,
    quiet: () =>
      waitFor(
        async () => {
          const events = await history();
          return isWaiting(events.map(({ eventType }) => eventType)) ? events.length : undefined;
        },
        leastBoundMs,
        `${workflowId} to wait`,
      ),
    messageId: (turn) => messageIdOf(sha1Hex, taskId, turn),
    injectedMessageId: (runId) => injectedMessageIdOf(sha1Hex, taskId, runId),
  };
}
