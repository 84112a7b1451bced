// What agents that are away cost one that is healthy, and how soon answers are at an agent that is back: figures, no test.
import { setTimeout as wait } from 'node:timers/promises';
import { messageIdOf } from '../../../src/core/base/ids.ts';
import { sha1Hex } from '../../../src/host/secrets/hash.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import type { RigProcess, Supervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { decided, ended, greenDecision, longMs, openHold } from '../setting.ts';
import { startSplit, type Api } from './split.ts';

interface AwayOptions {
  /** Of the healthy agent, one after the other, alone and again with the others. */
  runs: number;
  /** Messages to each agent that is away. */
  messages: number;
  log(line: string): void;
}

/** In milliseconds. */
interface AwayFigures {
  alone: number[];
  crowded: number[];
  /** From an agent's recovery to the answer of a person at it. */
  answers: { agent: string; ms: number }[];
}

const killed = ['killed-1', 'killed-2'] as const;
const frozen = ['frozen-1', 'frozen-2'] as const;
const names = [...killed, ...frozen, 'slow', 'healthy'] as const;
type Name = (typeof names)[number];

async function timed(api: Api, prefix: string, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < runs; n += 1) {
    const fromMs = performance.now();
    ended(await api.run('healthy', { threadId: `${prefix}-${n}`, text: 'complete' }, longMs), 'success');
    times.push(performance.now() - fromMs);
  }
  return times;
}

/** When the answer of this task arrived there first. */
async function arrivedAt(agent: FakeAgent, taskId: string): Promise<number | undefined> {
  const messageId = messageIdOf(sha1Hex, taskId, 2);
  const first = (await agent.messages()).find((one) => one.messageId === messageId);
  return first === undefined ? undefined : Date.parse(first.at);
}

export async function measureAway(supervisor: Supervisor, options: AwayOptions): Promise<AwayFigures> {
  const { runs, messages, log } = options;
  const started = await Promise.all(names.map(async (name) => [name, await startFakeAgent(supervisor)] as const));
  // Safe: one of each name.
  const agents = Object.fromEntries(started) as Record<Name, FakeAgent>;
  const urls = names.map((name) => `  ${name}: { url: '${agents[name].url}' }`).join('\n');
  const split = await startSplit(supervisor, `agents:\n${urls}\nworker: { turnSlots: 12 }\n`);
  const [api] = await Promise.all([split.startApi(), split.startWorker()]);
  await waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'readyz to say 200');
  await timed(api, 'warm-up', 20);
  log(`${runs} runs of the healthy agent, alone`);
  const alone = await timed(api, 'alone', runs);

  const away = [...killed, ...frozen];
  const holds = await Promise.all(
    away.map(async (name) => {
      ended(await api.run(name, { threadId: 'asked', text: 'form => say thanks; complete' }, longMs), 'interrupt');
      return [name, await openHold(api, name, 'asked')] as const;
    }),
  );
  await agents.slow.arm({ do: 'delay-headers', ms: 3_000, times: 1_000_000 });
  await Promise.all(killed.map((name) => agents[name].kill9()));
  for (const name of frozen) process.kill(agents[name].process().pid, 'SIGSTOP');
  const waiting = [...away, 'slow'].flatMap((name) =>
    Array.from({ length: messages }, (_, n) => api.run(name, { threadId: `m-${n}`, text: 'complete' }, longMs)),
  );
  const settled = Promise.allSettled(waiting);
  for (const [, hold] of holds) await decided(api, hold.id, greenDecision());
  log(`${runs} runs of the healthy agent, with two that are killed, two that are frozen and one that is slow`);
  const crowded = await timed(api, 'crowded', runs);

  const answers: AwayFigures['answers'] = [];
  for (const [agent, hold] of holds) {
    log(`${agent} comes back`);
    if (agent === 'frozen-1' || agent === 'frozen-2') process.kill(agents[agent].process().pid, 'SIGCONT');
    else await agents[agent].restart();
    const backMs = Date.now();
    const atMs = await waitFor(() => arrivedAt(agents[agent], hold.taskId), longMs, `the answer at ${agent}`);
    answers.push({ agent, ms: Math.max(0, atMs - backMs) });
  }
  await settled;
  return { alone, crowded, answers };
}

interface WaitingOptions {
  /** Tasks whose message waits for one agent that is killed. */
  messages: number;
  forMs: number;
  /** Milliseconds of CPU that a process has used so far. */
  cpuMs(pid: number): number;
  log(line: string): void;
}

/** Shares of a core, while nothing else happens; `before`: with none of these tasks. */
interface WaitingFigures {
  waiting: number;
  before: Record<string, number>;
  meanwhile: Record<string, number>;
}

const startedAtOnce = 16;

/** What messages that wait for an agent that is away cost each process. */
export async function measureWaiting(supervisor: Supervisor, options: WaitingOptions): Promise<WaitingFigures> {
  const { messages, log } = options;
  const agent = await startFakeAgent(supervisor);
  const split = await startSplit(supervisor, `agents: { dead: { url: '${agent.url}' } }\nagentOutage: 6h\n`);
  const [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  await waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'readyz to say 200');
  ended(await api.run('dead', { threadId: 'known', text: 'complete' }, longMs), 'success');
  await agent.kill9();
  const processes = { worker, api: api.process, Temporal: split.temporal.process() };
  const before = await sharesOf(processes, options);
  log(`${messages} messages to an agent that is killed`);
  let left = messages;
  const send = async (): Promise<void> => {
    for (; left > 0;) {
      left -= 1;
      const request = { threadId: `m-${left}`, runId: `m-${left}`, text: 'complete' };
      // On a busy machine some are refused; the same again is safe, as clients do.
      await waitFor(() => begins(api, request), longMs, `run ${request.runId} to begin`);
    }
  };
  await Promise.all(Array.from({ length: startedAtOnce }, send));
  const waiting = await waitFor(() => allWait(api, messages), longMs, `${messages} messages to wait for the agent`);
  return { waiting, before, meanwhile: await sharesOf(processes, options) };
}

async function begins(api: Api, request: { threadId: string; runId: string; text: string }): Promise<true> {
  const stream = await api.openRun('dead', request);
  try {
    await stream.until(({ type }) => type === 'RUN_STARTED', 'a run to begin', longMs);
    return true;
  } finally {
    stream.close();
  }
}

async function allWait(api: Api, messages: number): Promise<number | undefined> {
  const { body } = await api.get('/metrics');
  const [, count = '0'] = /^standfast_messages_waiting\{agent="dead"\} (\d+)$/m.exec(String(body)) ?? [];
  return Number(count) >= messages ? Number(count) : undefined;
}

async function sharesOf(
  processes: Record<string, RigProcess>,
  { forMs, cpuMs }: Pick<WaitingOptions, 'forMs' | 'cpuMs'>,
): Promise<Record<string, number>> {
  const used = (): number[] => Object.values(processes).map(({ pid }) => cpuMs(pid));
  const [fromMs, from] = [performance.now(), used()];
  await wait(forMs);
  const [spentMs, to] = [performance.now() - fromMs, used()];
  return Object.fromEntries(Object.keys(processes).map((name, n) => [name, ((to[n] ?? 0) - (from[n] ?? 0)) / spentMs]));
}
