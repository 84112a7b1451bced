// What journeys share: a built program, the outside of Standfast read through its own schemas, and Temporal as operators see it.
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';
import { HoldViewSchema, type HoldView } from '../../src/contract/holds/hold.ts';
import { TaskViewSchema, type TaskView } from '../../src/contract/tasks/task.ts';
import { workflowIdOf } from '../../src/core/base/ids.ts';
import { resolveTemporal } from '../../src/host/temporal/temporal-cli.ts';
import type { LedgerEntry } from '../rigs/agents/agent.ts';
import { endOf, interruptsOf, type RunResult } from '../rigs/streams/agui.ts';
import { checkRun } from '../rigs/streams/check-run.ts';
import type { Answer, StandfastClient } from '../rigs/product/standfast.ts';
import type { WireEvent } from '../rigs/streams/sse-stream.ts';
import { leastBoundMs, waitFor } from '../rigs/wait-for.ts';

/** Waits of journeys: generous, because a machine may be busy; a fact that is there ends them at once. */
export const longMs = leastBoundMs;

/** Compiles what is stale, in a process of its own: the compiler does not run inside jest. `npm test` has done it before. */
export function buildOnce(): void {
  if (process.env['STANDFAST_TEST_BUNDLE'] !== undefined) return;
  const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
  const built = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`);
}

/** The Temporal CLI, found as the program itself finds it. */
export async function temporalCli(): Promise<string> {
  const source = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
  if (source.use !== 'cli') throw new Error('journeys need a Temporal CLI of their own');
  return source.path;
}

/** An operator at a shell: `temporal --address … <args>`. */
export async function runTemporal(address: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(await temporalCli(), [...args, '--address', address], {
    timeout: longMs,
  });
  return stdout;
}

/** What went wrong in workflow tasks of any execution: a sentence each. A worker that was killed is not a fault of theirs. */
export async function failedWorkflowTasks(address: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection });
    const problems: string[] = [];
    for await (const { workflowId, runId } of workflow.list({ query: 'WorkflowType = "a2aTask"' })) {
      const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
      for (const { workflowTaskFailedEventAttributes: failed } of events ?? []) {
        // The server's own word where an event came between a task's start and its end: it retries the task, by design.
        if (!failed || failed.failure?.message === 'UnhandledCommand') continue;
        problems.push(`${workflowId}: ${failed.failure?.message ?? 'a workflow task failed'}`);
      }
    }
    return problems;
  } finally {
    await connection.close();
  }
}

/** Waits until the newest execution on a thread has ended like this; the type of its failure, if it has one. */
export async function waitForWorkflow(
  address: string,
  agent: string,
  threadId: string,
  status: string,
): Promise<string | null> {
  // One connection for all that is asked; it connects when the server is there.
  const connection = Connection.lazy({ address });
  try {
    const handle = new Client({ connection }).workflow.getHandle(workflowIdOf(agent, threadId));
    await waitFor(
      async () => (await handle.describe()).status.name === status,
      longMs,
      `the workflow of ${threadId} to be ${status}`,
    );
    const { events } = await handle.fetchHistory();
    const failure = events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure;
    return failure?.applicationFailureInfo?.type ?? null;
  } finally {
    await connection.close();
  }
}

/** What the newest execution on a thread waited for or tried again, as its history tells; nothing where all went at once. */
export const delaysOf = (address: string, agent: string, threadId: string): Promise<string[]> =>
  inHistory(
    address,
    agent,
    threadId,
    ({ timerStartedEventAttributes: timer, activityTaskStartedEventAttributes: began }) => [
      ...(timer ? [`a timer of ${Number(timer.startToFireTimeout?.seconds)} s`] : []),
      ...(began && Number(began.attempt) > 1 ? [`attempt ${began.attempt}`] : []),
    ],
  );

/** Attempts of the newest execution on a thread that were given up because nothing came of them in time. */
export const timeOutsOf = (address: string, agent: string, threadId: string): Promise<string[]> =>
  inHistory(address, agent, threadId, ({ activityTaskStartedEventAttributes: began }) =>
    began?.lastFailure?.timeoutFailureInfo ? [began.lastFailure.message ?? ''] : [],
  );

type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

async function inHistory(
  address: string,
  agent: string,
  threadId: string,
  read: (event: HistoryEvent) => string[],
): Promise<string[]> {
  const connection = Connection.lazy({ address });
  try {
    const handle = new Client({ connection }).workflow.getHandle(workflowIdOf(agent, threadId));
    return ((await handle.fetchHistory()).events ?? []).flatMap(read);
  } finally {
    await connection.close();
  }
}

const ProblemSchema = z.looseObject({
  code: z.string(),
  title: z.string(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});
export type Problem = z.infer<typeof ProblemSchema>;

/** The problem of a refused request, in its published shape. */
export function problemOf({ headers, body }: Answer): Problem {
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('application/problem+json')) throw new Error(`not a problem: ${type} ${JSON.stringify(body)}`);
  return ProblemSchema.parse(body);
}

/** Code of a refused request, null for one that was not. */
export const codeOf = (answer: Answer): string | null => (answer.status < 400 ? null : problemOf(answer).code);

const itemsOf = (body: unknown): unknown[] =>
  typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body.items) ? body.items : [];

/** All holds of a thread that the caller may see, oldest first, checked against the published shape. */
export async function holdsOf(client: StandfastClient, agent: string, threadId: string): Promise<HoldView[]> {
  const { status, body } = await client.get(
    `/api/holds?agent=${agent}&threadId=${encodeURIComponent(threadId)}&limit=200`,
  );
  if (status !== 200) throw new Error(`GET /api/holds: ${status} ${JSON.stringify(body)}`);
  const holds = itemsOf(body).map((item) => HoldViewSchema.parse(item));
  return holds.toSorted((a, b) => (a.openedAt < b.openedAt ? -1 : a.openedAt > b.openedAt ? 1 : 0));
}

/** The one open hold of a thread, as soon as there is one. */
export function openHold(client: StandfastClient, agent: string, threadId: string): Promise<HoldView> {
  return waitFor(
    async () => (await holdsOf(client, agent, threadId)).find((hold) => hold.status === 'open'),
    longMs,
    `an open hold on ${threadId}`,
  );
}

export async function readHold(client: StandfastClient, id: string): Promise<HoldView> {
  const { status, body } = await client.get(`/api/holds/${id}`);
  if (status !== 200) throw new Error(`GET /api/holds/${id}: ${status} ${JSON.stringify(body)}`);
  return HoldViewSchema.parse(body);
}

/** The answer to a decision. One that cannot be confirmed in time (503) is sent again, as clients do: once it counts. */
export function decided(client: StandfastClient, holdId: string, body: object): Promise<Answer> {
  return waitFor(
    async () => {
      const answer = await client.post(`/api/holds/${holdId}/decision`, body);
      return answer.status === 503 ? undefined : answer;
    },
    longMs,
    `the decision on ${holdId}`,
  );
}

export async function readTask(client: StandfastClient, id: string): Promise<TaskView> {
  const { status, body } = await client.get(`/api/tasks/${id}`);
  if (status !== 200) throw new Error(`GET /api/tasks/${id}: ${status} ${JSON.stringify(body)}`);
  return TaskViewSchema.parse(body);
}

/** The tasks of a thread, newest last. */
export async function tasksOf(client: StandfastClient, agent: string, threadId: string): Promise<TaskView[]> {
  const { body } = await client.get(`/api/tasks?agent=${agent}&limit=200`);
  const tasks = itemsOf(body).map((item) => TaskViewSchema.parse(item));
  return tasks.filter((task) => task.threadId === threadId).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

export function waitForTask(client: StandfastClient, id: string, ...statuses: string[]): Promise<TaskView> {
  return waitFor(
    async () => {
      const task = await readTask(client, id);
      return statuses.includes(task.status) ? task : undefined;
    },
    longMs,
    `task ${id} to be ${statuses.join(' or ')}`,
  );
}

/** A whole, valid run that ended like this; returns its events. */
export function ended(run: RunResult, end: string): WireEvent[] {
  if (run.status !== 200) throw new Error(`the run was refused: ${run.status} ${JSON.stringify(run.problem)}`);
  if (run.error !== null) throw run.error;
  checkRun(run.events);
  if (endOf(run.events) !== end)
    throw new Error(`the run ended ${endOf(run.events)}: ${JSON.stringify(run.events.at(-1))}`);
  return run.events;
}

/** Id of the only interrupt that a run ended with. */
export function interruptOf(events: readonly WireEvent[]): string {
  const [only, ...more] = interruptsOf(events);
  if (only === undefined || more.length > 0) throw new Error(`not one interrupt: ${JSON.stringify(events.at(-1))}`);
  return only.id;
}

/** A `resume` that gives the fake agent's form its answer. */
export const green = (
  interruptId: string,
  note = 'ok',
): { interruptId: string; status: 'resolved'; payload: object }[] => [
  { interruptId, status: 'resolved', payload: { colour: 'green', note } },
];

/** The same answer as a decision. */
export const greenDecision = (note = 'ok'): object => ({ status: 'resolved', values: { colour: 'green', note } });

/** How often each message reached the agent, by its id; of one thread when its context is given. */
export function countsOf(messages: readonly LedgerEntry[]): number[] {
  const counts = new Map<string, number>();
  for (const { messageId } of messages) counts.set(messageId ?? '', (counts.get(messageId ?? '') ?? 0) + 1);
  return [...counts.values()];
}

/** Ids, times and digests become names in the order in which they first appear; everything else stays. */
export function withoutIdsAndTimes(events: readonly WireEvent[], ...ids: string[]): unknown {
  const names = new Map<string, string>();
  const named = (kind: string, text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = `<${kind} ${names.size + 1}>`;
    names.set(text, name);
    return name;
  };
  let text = JSON.stringify(events);
  for (const [index, id] of ids.entries()) text = text.replaceAll(id, `<given ${index + 1}>`);
  text = text.replaceAll(/sha256:[0-9a-f]{64}/g, (digest) => named('digest', digest));
  text = text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => named('id', id));
  text = text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>');
  return JSON.parse(text);
}
