// Many hands at the same moment, slow checks, and a clock that runs out beneath them: whatever comes of it, one answer
// reaches the agent, and a worker that was never there can go on (each history is replayed when the core stops).
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SchemaRunner } from '../../../src/host/schema/schema-runner.ts';
import { createSchemaRunner } from '../../../src/host/schema/schema-runner.ts';
import { arrivalsOf } from '../../rigs/agents/agent-facts.ts';
import { anna, answer, bob, local, refusal, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { replayAll } from '../../rigs/engine/replays.ts';
import { isFull } from '../../rigs/properties.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';

const supervisor = createSupervisor();
let core: Core;

/** The same numbers each time (mulberry32). */
function numbersFrom(seed: number): () => number {
  let at = seed;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let one = Math.imul(at ^ (at >>> 15), 1 | at);
    one = (one + Math.imul(one ^ (one >>> 7), 61 | one)) ^ one;
    return ((one ^ (one >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Checks as slowly as a busy database would let them; now and then so slowly that the first try is given up. */
function slowly(schemas: SchemaRunner): SchemaRunner {
  const next = numbersFrom(7);
  return {
    ...schemas,
    async check(...given) {
      const one = next();
      const ms = one < 0.6 ? 0 : one < 0.93 ? one * 900 : 2_300;
      await new Promise((resolve) => setTimeout(resolve, ms));
      return schemas.check(...given);
    },
  };
}

const audience = ['owner', 'role:finance', 'role:finance-lead'];

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: { any: { policy: 'any' }, hasty: { policy: 'hasty' }, both: { policy: 'both' } },
    policies: {
      any: { audience },
      hasty: { audience, ladder: [{ after: '400ms', remind: true }], expire: { after: '3s', then: 'cancel' } },
      both: {
        audience,
        quorum: 2,
        ladder: [
          { after: '300ms', remind: true },
          { after: '900ms', escalate: ['role:sales'] },
        ],
      },
    },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

const green = { colour: 'green' };
const red = { colour: 'red' };

// Promise W2a
test('two decisions that a worker meets together: the first counts, and a worker that was never there goes on', async () => {
  const { engine } = core;
  const task = await engine.open('form => form => complete', { agent: 'any' });
  const hold = await task.asked();
  await engine.stopWorker();
  const decided = [task.decide(answer(hold, green), anna), task.decide(answer(hold, red), bob)];
  await engine.startWorker();
  const result = await Promise.all(decided);
  expect(result.map((one) => (one.kind === 'refusal' ? one.refusal.code : one.kind)).toSorted()).toEqual([
    'answer',
    'hold_closed',
  ]);
  const second = await task.asked(2);
  await engine.stopWorker();
  await engine.startWorker();
  expect(await task.decide(answer(second, green), anna)).toMatchObject({ kind: 'answer' });
  await task.status('DONE');
  expect(await arrivalsOf(core.agent, task.messageId(2))).toHaveLength(1);
});

// Promise W18
test('answers that come one by one while the database is slow: a worker that was never there goes on', async () => {
  const { engine, agent } = core;
  const schemas = createSchemaRunner();
  supervisor.defer(() => schemas.close());
  const check: SchemaRunner['check'] = async (...given) => {
    await new Promise((resolve) => setTimeout(resolve, 2_600));
    return schemas.check(...given);
  };
  await engine.startWorker({ schemas: { ...schemas, check } });
  await engine.stopWorker('first');
  const task = await engine.open('form => complete', { agent: 'any' });
  const hold = await task.asked();
  const hands = [anna, bob, local, anna].map(async (who, index) => {
    await new Promise((resolve) => setTimeout(resolve, 700 * index));
    return task.decide(answer(hold, index === 0 ? green : red), who);
  });
  await Promise.allSettled(hands);
  await task.status('DONE');
  await task.closed();
  expect(await arrivalsOf(agent, task.messageId(2))).toHaveLength(1);
  expect(await replayAll(engine.client)).toBeGreaterThan(0);
});

// Promise W18
test('many answers that are each slow to check: a worker that was never there goes on', async () => {
  const { engine, agent } = core;
  const schemas = createSchemaRunner();
  supervisor.defer(() => schemas.close());
  // Together longer than a workflow task.
  const check: SchemaRunner['check'] = async (...given) => {
    await new Promise((resolve) => setTimeout(resolve, 850));
    return schemas.check(...given);
  };
  await engine.startWorker({ schemas: { ...schemas, check } });
  await engine.stopWorker('first');
  const task = await engine.open('forms 5 => complete', { agent: 'any' });
  await task.asked(5);
  const holds = await task.holds();
  await engine.stopWorker();
  const result = holds.map((hold) => task.decide(answer(hold, green), anna));
  await engine.startWorker({ schemas: { ...schemas, check } });
  // A further one comes while they are being checked, and joins them where their workflow task is prolonged.
  const [first] = holds;
  if (first === undefined) throw new Error('nothing was asked');
  const late = Array.from({ length: 8 }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, 500 * index));
    return task.decide(answer(first, red), bob);
  });
  await Promise.all([...result, ...late]);
  for (const hold of holds) await task.decide(answer(hold, green), anna);
  await task.status('DONE');
  await task.closed();
  expect(await arrivalsOf(agent, task.messageId(2))).toHaveLength(1);
  expect(await replayAll(engine.client)).toBeGreaterThan(0);
});

test('no history holds a local activity: what they leave after a lost workflow task cannot be replayed', async () => {
  const { client } = core.engine;
  const markers: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query: 'WorkflowType = "a2aTask"' })) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    markers.push(...(events ?? []).flatMap((event) => event.markerRecordedEventAttributes?.markerName ?? []));
  }
  expect(markers.filter((name) => name === 'core_local_activity')).toEqual([]);
});

type Hand = (task: TaskCase, number: number) => Promise<unknown>;

const hands: Hand[] = [
  async (task) => task.decide(answer(await task.hold(), green), anna),
  async (task) => task.decide(answer(await task.hold(), red), bob),
  async (task) => task.decide(answer(await task.hold(), { colour: 5 }), local),
  async (task) => task.decide(refusal(await task.hold(), 'no'), anna),
  async (task, number) => task.run(`again-${number}`, { resume: [answer(await task.hold(), green)] }),
  async (task, number) => task.run(`other-${number}`, { resume: [answer(await task.hold(), red)] }, anna),
  async (task, number) => task.run(`word-${number}`, { message: 'and another thing' }),
  async (task) => task.say('why do you ask?', anna),
  async (task) => task.signal({ interruptId: (await task.hold()).interruptId, values: green }),
  async (task) => task.amend({ hold: (await task.hold()).holdId, kind: 'withdraw-vote' }, anna),
  async (task) =>
    task.amend({ hold: (await task.hold()).holdId, kind: 'reassign', to: ['role:sales'], note: null }, local),
  async (task) => core.engine.tasks.cancel(task, 'anna'),
];

// All three with STANDFAST_FULL=1.
// Promise W2a
test.each(isFull ? [1, 2, 3] : [1])('any mixture of commands at once ends well (%i)', async (seed) => {
  const { engine, agent } = core;
  const schemas = slowly(createSchemaRunner());
  supervisor.defer(() => schemas.close());
  await engine.startWorker({ schemas });
  await engine.stopWorker('first');
  const next = numbersFrom(seed);
  const one = async (number: number): Promise<void> => {
    const task = await engine.open('form => form => complete', {
      agent: ['any', 'hasty', 'both'][number % 3] ?? '',
    });
    await task.hold();
    const chosen = Array.from({ length: 5 }, () => hands.slice(Math.floor(next() * hands.length))[0]);
    await Promise.allSettled(chosen.map(async (hand, index) => hand?.(task, index)));
    // Whatever is still open then is ended by hand.
    await engine.tasks.cancel(task, 'the test');
    expect(['COMPLETED', 'CANCELLED', 'FAILED']).toContain(await task.closed());
    expect(await task.status('DONE', 'CANCELED', 'FAILED')).toMatchObject({});
    expect((await task.holds()).filter(({ status }) => status === 'open')).toEqual([]);
    for (const turn of [1, 2, 3]) expect((await arrivalsOf(agent, task.messageId(turn))).length).toBeLessThan(2);
  };
  await Promise.all(Array.from({ length: 9 }, (_, number) => one(number)));
});
