// Of five agents two are killed, two are frozen and one answers slowly, with more messages than there are slots: others go
// on, and what people answered reaches each agent once it is back.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  buildOnce,
  countsOf,
  decided,
  ended,
  greenDecision,
  longMs,
  openHold,
  readTask,
  waitForTask,
} from '../setting.ts';
import { startSplit, type Api } from './split.ts';

const supervisor = createSupervisor();
const killed = ['killed-1', 'killed-2'] as const;
const frozen = ['frozen-1', 'frozen-2'] as const;
const names = [...killed, ...frozen, 'slow', 'healthy'] as const;
type Name = (typeof names)[number];
let agents: Record<Name, FakeAgent>;
let api: Api;
const many = Array.from({ length: 10 }, (_, n) => `m-${n}`);

beforeAll(async () => {
  buildOnce();
  const started = await Promise.all(names.map(async (name) => [name, await startFakeAgent(supervisor)] as const));
  // Safe: one of each name.
  agents = Object.fromEntries(started) as Record<Name, FakeAgent>;
  const urls = names.map((name) => `  ${name}: { url: '${agents[name].url}' }`).join('\n');
  const split = await startSplit(supervisor, `agents:\n${urls}\nworker: { turnSlots: 12 }\n`);
  [api] = await Promise.all([split.startApi(), split.startWorker()]);
});
afterAll(() => supervisor.end());

const pidOf = (name: Name): number => agents[name].process().pid;

// Promise W5a
test('of five agents two are killed, two frozen and one slow, and runs and answers of the healthy one end meanwhile; each answer reaches its agent once it is back', async () => {
  const holds = await Promise.all(
    names.map(async (name) => {
      ended(await api.run(name, { threadId: 'asked', text: 'form => say thanks; complete' }, longMs), 'interrupt');
      return [name, await openHold(api, name, 'asked')] as const;
    }),
  );
  await agents.slow.arm({ do: 'delay-headers', ms: 3_000, times: 1_000 });
  await Promise.all(killed.map((name) => agents[name].kill9()));
  for (const name of frozen) process.kill(pidOf(name), 'SIGSTOP');

  // Nothing awaits these: those that wait end when their agents are back.
  const others = [...killed, ...frozen, 'slow'] as const;
  const waiting = others.flatMap((name) =>
    many.map((threadId) => api.run(name, { threadId, text: 'complete' }, longMs)),
  );
  const settled = Promise.allSettled(waiting);
  for (const [, hold] of holds) expect((await decided(api, hold.id, greenDecision())).status).toBe(200);

  const runs = await Promise.all(many.map((threadId) => api.run('healthy', { threadId, text: 'complete' }, longMs)));
  for (const run of runs) ended(run, 'success');
  const taskOf = (wanted: Name): string => holds.find(([name]) => name === wanted)?.[1].taskId ?? '';
  expect(await waitForTask(api, taskOf('healthy'), 'DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
  expect(await waitForTask(api, taskOf('slow'), 'DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
  for (const name of [...killed, ...frozen]) expect((await readTask(api, taskOf(name))).status).not.toBe('DONE');

  const isAway = async (): Promise<boolean> => {
    const { items } = (await api.get('/api/agents')).body as { items: { name: string; away: object | null }[] };
    return killed.every((name) => items.find((one) => one.name === name)?.away != null);
  };
  await waitFor(isAway, longMs, 'the killed agents to be shown as away');
  for (const name of frozen) process.kill(pidOf(name), 'SIGCONT');
  await Promise.all(killed.map((name) => agents[name].restart()));
  for (const [, hold] of holds)
    expect(await waitForTask(api, hold.taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE', stuck: null });
  await settled;
  for (const name of names) expect(new Set(countsOf(await agents[name].messages()))).toEqual(new Set([1]));
});
