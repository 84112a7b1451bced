// Users at work while everything is killed, frozen and cut off, by a seed; and what must be true when it is quiet again.
import { Client, Connection } from '@temporalio/client';
import { setTimeout as wait } from 'node:timers/promises';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { messageIdOf, workflowIdOf } from '../../../src/core/base/ids.ts';
import { sha1Hex } from '../../../src/host/secrets/hash.ts';
import { createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { startFakeAgent, type FakeAgent, type LedgerEntry } from '../../rigs/agents/agent.ts';
import { endOf, textsOf, wholeText, type RunResult } from '../../rigs/streams/agui.ts';
import { runProblems } from '../../rigs/streams/check-run.ts';
import type { StandfastClient } from '../../rigs/product/standfast.ts';
import type { RigProcess, Supervisor } from '../../rigs/process/supervisor.ts';
import { greenDecision, holdsOf, readTask, tasksOf } from '../setting.ts';
import { startSplit, type Api, type Split } from './split.ts';

export interface ChaosOptions {
  seed: number;
  forMs: number;
  /** Users who each have one task under way at a time. */
  users: number;
  /** Between two faults, on average. */
  everyMs: number;
  /** Who break something at the same time, each something else. */
  breakers: number;
  log(line: string): void;
}

export interface ChaosReport {
  tasks: number;
  faults: Record<string, number>;
  /** Whatever was lost, doubled or hung, a sentence each. */
  problems: string[];
}

/** Numbers from 0 to 1 that the seed alone decides. */
export function seeded(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const tokens = 8;
/** After the last fault everything must come to its end within this. */
const settleMs = 180_000;

interface World {
  options: ChaosOptions;
  random: () => number;
  agent: FakeAgent;
  split: Split;
  apis: Api[];
  workers: RigProcess[];
  untilMs: number;
  faults: Record<string, number>;
  problems: string[];
  done: Asked[];
}

interface Asked {
  threadId: string;
  runId: string;
  taskId: string;
}

const pick = <T>(world: World, from: readonly T[]): T => from[Math.floor(world.random() * from.length)] as T;
const clientOf = (world: World): StandfastClient => pick(world, world.apis);

/** The same again until it comes to something; by whichever api is there. */
async function again<T>(world: World, what: string, act: () => Promise<T | undefined>): Promise<T> {
  const giveUpMs = world.untilMs + settleMs;
  for (;;) {
    const got = await act().catch(() => undefined);
    if (got !== undefined) return got;
    if (performance.now() > giveUpMs) throw new Error(`${what} hangs`);
    await wait(200 + world.random() * 300);
  }
}

async function run(world: World, threadId: string, runId: string, end: string, more: object): Promise<RunResult> {
  return again(world, `run ${runId} of ${threadId}`, async () => {
    const result = await clientOf(world).run('fake', { threadId, runId, ...more }, 30_000);
    return result.error === null && endOf(result.events) === end ? result : undefined;
  });
}

/** One task from its message to its end, answered once by REST or by a run. */
async function live(world: World, threadId: string): Promise<void> {
  const runId = `${threadId}-asks`;
  await run(world, threadId, runId, 'interrupt', {
    text: `stream ${tokens} 3; form => stream ${tokens} 3 more; complete`,
  });
  const hold = await again(world, `the question of ${threadId}`, () => openOrEnded(world, threadId));
  if (world.random() < 0.5) {
    await again(world, `the decision on ${threadId}`, async () => {
      const { status } = await clientOf(world).post(`/api/holds/${hold.id}/decision`, greenDecision());
      return status === 200 ? true : undefined;
    });
  } else {
    const payload = { colour: 'green', note: 'ok' };
    const resume = [{ interruptId: hold.interruptId, status: 'resolved' as const, payload }];
    await run(world, threadId, `${threadId}-answers`, 'success', { resume });
  }
  const asked = { threadId, runId, taskId: hold.taskId };
  await again(world, `the end of ${threadId}`, async () => {
    const task = await readTask(clientOf(world), hold.taskId);
    if (task.status === 'FAILED' || task.status === 'CANCELED')
      world.problems.push(`${threadId} is ${task.status}: ${JSON.stringify(task.error)}`);
    return ['DONE', 'FAILED', 'CANCELED'].includes(task.status) ? true : undefined;
  });
  world.done.push(asked);
}

async function openOrEnded(world: World, threadId: string): Promise<HoldView> {
  const [hold] = await holdsOf(clientOf(world), 'fake', threadId);
  if (hold === undefined) throw new Error('not there yet');
  return hold;
}

async function beUser(world: World, user: number): Promise<void> {
  for (let count = 1; performance.now() < world.untilMs; count += 1) {
    const threadId = `u${user}-${count}`;
    await live(world, threadId).catch(async (error: unknown) => {
      const why = await describeHung(world, threadId).catch(String);
      world.problems.push(`${threadId}: ${error instanceof Error ? error.message : String(error)}: ${why}`);
    });
  }
}

/** What a task that hangs waits for, as its page and its execution say. */
async function describeHung(world: World, threadId: string): Promise<string> {
  const tasks = await tasksOf(clientOf(world), 'fake', threadId);
  const connection = await Connection.connect({ address: world.split.temporal.address });
  try {
    const handle = new Client({ connection }).workflow.getHandle(workflowIdOf('fake', threadId));
    const { status, historyLength, raw } = await handle.describe();
    const { pendingActivities, pendingWorkflowTask } = raw;
    const state = { tasks: tasks.map((task) => task.status), status: status.name, historyLength };
    return JSON.stringify({ ...state, pendingActivities, pendingWorkflowTask });
  } finally {
    await connection.close();
  }
}

type Fault = () => Promise<void>;

/** As a supervisor does: what ends while it starts, because what it needs is gone just then, is started again. */
async function startAgain<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}

/** Frozen, as on a suspended machine. */
async function freeze(world: World, { pid }: RigProcess): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await wait(500 + world.random() * 11_000);
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // Killed while it stood still.
  }
}

function faultsOf(world: World): Record<string, Fault> {
  const { split, agent, random, apis, workers } = world;
  const which = (count: number): number => Math.floor(random() * count);
  return {
    'kill worker': async () => {
      const index = which(workers.length);
      await workers[index]?.kill9();
      workers[index] = await startAgain(() => split.startWorker());
    },
    'kill api': async () => {
      const index = which(apis.length);
      await apis[index]?.process.kill9();
      apis[index] = await startAgain(() => split.startApi());
    },
    'kill Temporal': () => split.temporal.restart(),
    'kill agent': async () => {
      await agent.kill9();
      await agent.restart();
    },
    'freeze worker': () => freeze(world, pick(world, workers)),
    'freeze api': () => freeze(world, pick(world, apis).process),
    'freeze Temporal': () => freeze(world, split.temporal.process()),
    'freeze agent': () => freeze(world, agent.process()),
    'cut database': async () => split.database.cut(),
    'refuse database': async () => {
      await split.database.refuse();
      await wait(500 + random() * 4_000);
      await split.database.accept();
    },
    'stall database': async () => {
      split.database.stall();
      await wait(500 + random() * 6_000);
      split.database.flow();
    },
  };
}

const weights: Record<string, number> = { 'kill worker': 5, 'freeze worker': 3, 'kill Temporal': 1 };

/** Of what is broken there is one thing of a sort at a time: the last word of a fault says what. */
const targetOf = (name: string): string => name.split(' ').at(-1) ?? name;

async function breakThings(world: World, broken: Set<string>): Promise<void> {
  const faults = Object.entries(faultsOf(world)).flatMap(([name, act]) =>
    Array.from({ length: weights[name] ?? 2 }, () => ({ name, act })),
  );
  while (performance.now() < world.untilMs) {
    await wait(world.options.everyMs * (0.5 + world.random()));
    const { name, act } = pick(
      world,
      faults.filter((fault) => !broken.has(targetOf(fault.name))),
    );
    broken.add(targetOf(name));
    world.faults[name] = (world.faults[name] ?? 0) + 1;
    world.options.log(`${new Date().toISOString()} ${name}`);
    await act().catch((error: unknown) => world.problems.push(`${name}: ${String(error)}`));
    broken.delete(targetOf(name));
  }
}

/** Everything that can be asserted of a task that is over. */
async function check(world: World, { threadId, runId, taskId }: Asked): Promise<void> {
  const api = clientOf(world);
  const { events } = await api.run('fake', {
    threadId,
    runId,
    text: `stream ${tokens} 3; form => stream ${tokens} 3 more; complete`,
  });
  world.problems.push(...runProblems(events).map((problem) => `${threadId}: ${problem}`));
  const [text] = [...textsOf(events)].filter(([id]) => id.startsWith('artifact:')).map(([, words]) => words);
  if (text !== wholeText(tokens)) world.problems.push(`${threadId} was told ${JSON.stringify(text)}`);
  const holds = await holdsOf(api, 'fake', threadId);
  if (holds.length !== 1 || holds[0]?.status !== 'decided')
    world.problems.push(`${threadId} has holds ${JSON.stringify(holds.map(({ status }) => status))}`);
  const sent = await world.agent.messages();
  for (const turn of [1, 2]) {
    const messageId = messageIdOf(sha1Hex, taskId, turn);
    const arrivals = sent.filter((one) => one.messageId === messageId);
    const kept = arrivals.length > 1 ? await countKept(world, arrivals) : arrivals.length;
    const times = arrivals.map(({ at }) => at).join(', ');
    const what = `message ${turn} of ${threadId} reached the agent ${arrivals.length} times (${times}), and was kept ${kept} times`;
    if (kept !== 1) world.problems.push(what);
    else if (arrivals.length > 1) world.options.log(what);
  }
}

/** An agent that is killed before it keeps what has just arrived shows nothing of it: it gets it again, and acts once. */
async function countKept(world: World, arrivals: LedgerEntry[]): Promise<number> {
  const [{ contextId, messageId } = { contextId: null, messageId: null }] = arrivals;
  const caller = await createA2aCaller(world.agent.url);
  const { tasks } = await caller.list({ contextId, historyLength: 100 });
  return tasks.flatMap(({ history }) => history).filter((one) => one.messageId === messageId).length;
}

/** No execution is left open, and each ended as its task did. */
async function checkEngine(world: World): Promise<void> {
  const connection = await Connection.connect({ address: world.split.temporal.address });
  try {
    const client = new Client({ connection });
    for (const { threadId } of world.done) {
      const { status } = await client.workflow.getHandle(workflowIdOf('fake', threadId)).describe();
      if (status.name !== 'COMPLETED') world.problems.push(`the execution of ${threadId} is ${status.name}`);
    }
  } finally {
    await connection.close();
  }
}

export async function runChaos(supervisor: Supervisor, options: ChaosOptions): Promise<ChaosReport> {
  const agent = await startFakeAgent(supervisor);
  const split = await startSplit(supervisor, `agents:\n  fake: { url: '${agent.url}' }\n`);
  const apis = [await split.startApi(), await split.startApi()];
  const workers = [await split.startWorker(), await split.startWorker()];
  const world: World = {
    options,
    random: seeded(options.seed),
    agent,
    split,
    apis,
    workers,
    untilMs: Number.POSITIVE_INFINITY,
    faults: {},
    problems: [],
    done: [],
  };
  // Once it has shown one of our messages, what it does not show was not sent.
  await live(world, 'before');
  world.untilMs = performance.now() + options.forMs;
  const broken = new Set<string>();
  await Promise.all([
    ...Array.from({ length: options.breakers }, () => breakThings(world, broken)),
    ...Array.from({ length: options.users }, (_, user) => beUser(world, user + 1)),
  ]);
  for (const asked of world.done) await check(world, asked);
  await checkEngine(world);
  return { tasks: world.done.length, faults: world.faults, problems: world.problems };
}
