// An agent that never asks: what Standfast streams is what the mapping alone makes of the agent's own stream.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { emptyProjection, reduceEvents } from '../../../src/wire/agui/model/projection.ts';
import { endEvents, type TaskEnd } from '../../../src/wire/agui/project/end.ts';
import { runStartEvents, turnEvents } from '../../../src/wire/agui/project/project.ts';
import { aCall, collect, say, transportTo } from '../../activities/a2a-agents.ts';
import { apiOf } from '../../rigs/engine/engine-api.ts';
import { startCore, type Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { follow, openRun } from '../../rigs/streams/agui.ts';
import { leastBoundMs } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  // No silence is so long that the task is read again: then the same text would come in larger pieces.
  core = await startCore(supervisor, { timing: { sendForMs: 30_000, silenceMs: 60_000 } });
  app = apiOf(core.engine);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app?.close();
  await core?.stop();
});

type Events = { type: string; [key: string]: unknown }[];
const user = (text: string): { id: string; role: string; content: string } => ({
  id: 'u-1',
  role: 'user',
  content: text,
});

const isOfTime = ({ path }: { path?: string }): boolean => path?.endsWith('/updatedAt') === true;

/** Ids in the order in which they are first named, and no times: what is left is the same for the same conversation. */
function compared(events: Events): unknown {
  const names = new Map<string, string>();
  const named = (id: string): string => {
    if (!names.has(id)) names.set(id, `id-${names.size + 1}`);
    return names.get(id) ?? '';
  };
  return JSON.parse(
    JSON.stringify(events, (key, value: unknown) =>
      key === 'delta' && Array.isArray(value) ? value.filter((change) => !isOfTime(change)) : value,
    )
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, named)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'then')
      .replaceAll(/,?"timestamp":\d+/gu, ''),
  );
}

/** The agent asked without Standfast, and its stream mapped in memory: no store, no workflow, no log. */
async function without(text: string, threadId: string, end: TaskEnd): Promise<Events> {
  const ctx = { taskId: randomUUID(), agent: 'fake', now: new Date().toISOString() };
  const start = {
    threadId,
    runId: 'r-1',
    clientState: {},
    threadState: null,
    threadMessages: [],
    clientMessages: [user(text)],
    cards: [],
    answered: [],
    skipped: [],
    task: { a2aTaskId: null, contextId: null, status: 'NEW' as const },
  };
  const events = runStartEvents(start, ctx);
  let p = reduceEvents(emptyProjection(threadId, 'r-1'), events);
  const add = (more: typeof events): void => {
    events.push(...more);
    p = reduceEvents(p, more);
  };
  const message = say(text, { messageId: randomUUID(), contextId: randomUUID() });
  for (const event of await collect(transportTo(core.agent.url).sendStream(message, aCall())))
    add(turnEvents(p, event, ctx));
  add(endEvents(p, end, ctx));
  return events;
}

const through = async (text: string, threadId: string): Promise<Events> => {
  const run = await openRun({ url: `${url}/agents/fake/run`, threadId, runId: 'r-1', messages: [user(text)] });
  return run.over(leastBoundMs);
};

const completed: TaskEnd = { kind: 'completed', message: '' };
const talks: [string, TaskEnd][] = [
  ['message Good morning.', { kind: 'message-only', message: '' }],
  ['stream 30 1; complete', completed],
  ['status Looking; stream 12 1; data; say And that is all; complete', completed],
  ['say One; say Two; complete Done.', { kind: 'completed', message: 'Done.' }],
  ['stream 3 1; fail It broke', { kind: 'failed', code: 'agent_failed', message: 'It broke' }],
];

describe('an agent that never asks', () => {
  // Promise S7b
  test.each(talks)(
    'an agent that never asks gives the same events through Standfast as by the mapping alone: %s',
    async (text, end) => {
      const threadId = `t-${randomUUID().slice(0, 8)}`;
      expect(compared(await through(text, threadId))).toEqual(compared(await without(text, threadId, end)));
    },
  );

  // Promise S7b
  test('an agent that never asks and has no task sends texts, no change of the state, and leaves the state as the client sent it', async () => {
    const events = await through('message Good morning.', randomUUID());
    expect(events.map(({ type }) => type)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    expect(events[1]).toMatchObject({ snapshot: {} });
  });

  // Promise S7b
  test('an agent that never asks and has a task keeps it in the state', async () => {
    const events = await through('stream 3 1; complete', randomUUID());
    const last = events.findLast(({ type }) => type === 'STATE_SNAPSHOT')?.['snapshot'];
    const [entry] = Object.values(Object(last)['view'].tasks);
    expect(entry).toMatchObject({ status: 'DONE' });
  });
});

// Promise S10b
test('a reader who leaves leaves the other readers of the same run', async () => {
  const gate = randomUUID().slice(0, 8);
  const threadId = randomUUID();
  const text = `say One; gate ${gate}; say Two; complete`;
  const opener = await openRun({ url: `${url}/agents/fake/run`, threadId, runId: 'r-1', messages: [user(text)] });
  await core.agent.atGate(gate);
  const at = `${url}/agents/fake/threads/${threadId}/events`;
  const [leaving, staying] = await Promise.all([follow(at), follow(at)]);
  const readers = [opener, leaving, staying];
  const isFirst = ({ type, delta }: Events[number]): boolean => type === 'TEXT_MESSAGE_CONTENT' && delta === 'One';
  for (const reader of readers) await reader.until(isFirst, 'the first words at each reader');
  leaving.close();
  opener.close();
  await core.agent.openGate(gate);
  await staying.until(({ type }) => type === 'RUN_FINISHED', 'the end at the reader who stayed');
  const log = await follow(`${at}?follow=false`);
  expect(staying.events()).toEqual(await log.over(leastBoundMs));
  staying.close();
});
