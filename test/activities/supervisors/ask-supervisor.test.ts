import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { askSupervisor } from '../../../src/activities/supervisors/ask-supervisor.ts';
import { supervisorContext } from '../../../src/activities/supervisors/supervisor-names.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import type { ActivityDeps } from '../../../src/activities/deps.ts';
import type { AskSupervisorInput, AskSupervisorResult, MessageWaits } from '../../../src/contract/tasks/activity.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { supervisorMessageIdOf } from '../../../src/core/base/ids.ts';
import { createSchemaRunner } from '../../../src/host/schema/schema-runner.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aHold, aHoldRow, aQuestion, owner, sha1Hex, taskId } from '../../rigs/factories.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { stopServers } from '../a2a-agents.ts';
import { startSupervisor, type SupervisorAgent, type Verdict } from '../supervisor-agent.ts';
import { depsOf } from '../turns.ts';
import { withDigest } from '../../store/rows.ts';

let store: Store;
const schemas = createSchemaRunner();
beforeAll(async () => {
  store = await openTestStore();
});
afterEach(stopServers);
afterAll(async () => {
  await schemas.close();
  await store?.close();
});

const travel = {
  schema: {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City', minLength: 2 },
      class: { type: 'string', enum: ['first', 'second'] },
      nights: { type: 'integer', minimum: 1 },
      route: { type: 'object', properties: { via: { type: 'string' } } },
    },
    required: ['city'],
    additionalProperties: false,
  },
  defaults: { city: 'Bonn' },
};

type Result = AskSupervisorResult | MessageWaits;

interface Case {
  deps: ActivityDeps;
  input: AskSupervisorInput;
  supervisor: SupervisorAgent;
  attempt(number?: number): {
    result: Promise<Result>;
    cancel(reason: 'WORKER_SHUTDOWN' | 'CANCELLED' | 'NOT_FOUND'): void;
  };
}

let count = 0;

/** A hold in the store, and a supervisor that judges it so. */
async function aCase(
  judge: (form: JsonObject) => Verdict,
  over: {
    question?: Partial<Question>;
    hold?: Partial<HoldRow>;
    forMs?: number;
    streaming?: boolean;
    isAlias?: boolean;
    url?: string;
  } = {},
): Promise<Case> {
  count += 1;
  const hold = aHold({
    n: count,
    question: aQuestion({ ...travel, title: 'Trip', message: 'Where to?', ...over.question }),
  });
  const row = withDigest(aHoldRow({ ...hold, agent: 'fake', ...over.hold }));
  await store.holds.putOnce([row]);
  const supervisor = await startSupervisor(judge, over.streaming);
  const card = (): Promise<never> => Promise.reject(new Error('its card cannot be read'));
  const away = { ...supervisor.transport, card };
  const config = ConfigSchema.parse({
    agents: { fake: { url: 'http://127.0.0.1:1/fake' }, boss: { url: over.url ?? 'http://127.0.0.1:1/boss' } },
    agentOutage: '1s',
  });
  const deps = {
    ...depsOf(store, (agent) => (agent === 'boss' || over.isAlias === true ? supervisor.transport : away), { config }),
    checkSchema: (schema: JsonObject, values: JsonObject) => schemas.check(schema, values),
  };
  const input: AskSupervisorInput = {
    task: { taskId, agent: 'fake', threadId: 't-1', workflowId: 'w', firstExecutionRunId: 'x', owner },
    holdId: hold.holdId,
    agent: 'boss',
    stepIndex: 0,
    until: new Date(Date.now() + (over.forMs ?? 20_000)).toISOString(),
    waited: { times: 0, since: null },
  };
  return {
    deps,
    input,
    supervisor,
    attempt(number = 1) {
      const environment = new MockActivityEnvironment({ attempt: number }, { logger: new DefaultLogger('ERROR') });
      const result = environment.run<[], Result, () => Promise<Result>>(() => askSupervisor(deps, input));
      result.catch(() => undefined);
      return { result, cancel: (reason) => environment.cancel(reason) };
    },
  };
}
async function delivered(supervisor: SupervisorAgent): Promise<void> {
  await waitFor(() => supervisor.asked.length === 1, 5_000, 'the question to arrive');
  const messageId = supervisor.asked[0]?.messageId ?? '';
  await waitFor(async () => (await store.intents.get(messageId))?.deliveredAt != null, 5_000, 'its delivery');
}
const response = (form: JsonObject, more: JsonObject): JsonObject => ({
  type: 'a2a.hitl.formResponse',
  formId: form['formId'] ?? null,
  ...more,
});

describe('a supervisor agent', () => {
  test('a supervisor agent gets the question in words and as a form, with who asks, until when and what is proposed', async () => {
    const args = { to: 'Paris' };
    const tool = { callId: 'c', name: 'book_trip', args, isEditable: false };
    const { attempt, supervisor, input } = await aCase(
      (form) => ({ artifact: response(form, { values: { city: 'Rome' } }) }),
      {
        question: { tool },
      },
    );
    await attempt().result;
    const [asked] = supervisor.asked;
    for (const words of ['Trip', 'Where to?', '"fake"', owner, input.until, 'book_trip', '{"to":"Paris"}'])
      expect(asked?.words).toContain(words);
    expect(asked?.form).toMatchObject({
      type: 'a2a.hitl.form',
      formId: input.holdId,
      title: 'Trip',
      schema: travel.schema,
      values: travel.defaults,
      fields: [
        { name: 'city', type: 'text', label: 'City', required: true, minLength: 2, default: 'Bonn' },
        { name: 'class', type: 'select', options: ['first', 'second'], required: false },
        { name: 'nights', type: 'integer', minimum: 1 },
      ],
    });
  });

  test.each([
    ['whose card leads to the same place', { isAlias: true }],
    ['with the same address', { url: 'http://127.0.0.1:1/fake' }],
    ['with the address of the same card', { url: 'http://localhost:1/fake/.well-known/agent-card.json' }],
  ])('a supervisor agent is not asked where it is the asking agent under another name, %s', async (_, over) => {
    const { attempt, supervisor } = await aCase(
      (form) => ({ artifact: response(form, { values: { city: 'Rome' } }) }),
      over,
    );
    expect(await attempt().result).toEqual({ decision: null, why: 'it has an address of fake, which asks' });
    expect(supervisor.asked).toEqual([]);
  });

  // Promise Q51
  test('a supervisor agent is asked in a context that cannot be worked out from the question’s id, so that no message reaches it beforehand', async () => {
    const { attempt, supervisor, input, deps } = await aCase((form) => ({
      artifact: response(form, { values: { city: 'Rome' } }),
    }));
    await attempt().result;
    const [asked] = supervisor.asked;
    const ids = [input.holdId, supervisorMessageIdOf(sha1Hex, input.holdId, input.agent, input.stepIndex)];
    expect(ids).not.toContain(asked?.contextId);
    // Every attempt asks, and polls, in the same.
    expect(supervisorContext(deps, input)).toBe(asked?.contextId);
    const otherKey = { ...deps, prover: createProver('0'.repeat(64)) };
    expect(supervisorContext(otherKey, input)).not.toBe(asked?.contextId);
  });

  // Promise Q51a
  test('a supervisor agent is not believed by the answer of a task that was not asked the question, whatever a row says', async () => {
    const before = await aCase(() => ({ artifact: { city: 'Rome' } }));
    await before.attempt().result;
    const keyOf = ({ holdId }: AskSupervisorInput) => ({
      holdId,
      channel: 'agent:boss',
      recipient: '',
      message: 'task.0',
    });
    const row = await store.deliveries.get(keyOf(before.input));
    const { deps, input, supervisor, attempt } = await aCase(() => ({ words: 'No.' }));
    deps.transportOf = (agent) => (agent === 'boss' ? before.supervisor.transport : supervisor.transport);
    await store.deliveries.begin(keyOf(input), row?.handle ?? null);
    expect(await attempt().result).toMatchObject({ decision: null });
  });

  test.each<[string, (form: JsonObject) => Verdict]>([
    ['an artifact', (form) => ({ artifact: response(form, { values: { city: 'Rome' } }) })],
    ['its last status', (form) => ({ status: response(form, { values: { city: 'Rome' } }) })],
    ['a message without a task', (form) => ({ message: response(form, { values: { city: 'Rome' } }) })],
    ['plain data that fits', () => ({ artifact: { city: 'Rome' } })],
  ])('a supervisor agent decides by %s', async (_, judge) => {
    const { attempt } = await aCase(judge);
    expect(await attempt().result).toMatchObject({
      decision: { status: 'resolved', values: { city: 'Rome' }, reason: null, proof: { kind: 'agent' } },
      why: null,
    });
  });

  test('a supervisor agent decides also where it cannot stream', async () => {
    const judge = (form: JsonObject): Verdict => ({ artifact: response(form, { values: { city: 'Rome' } }) });
    const { attempt } = await aCase(judge, { streaming: false });
    expect(await attempt().result).toMatchObject({ decision: { values: { city: 'Rome' } } });
  });

  test('a supervisor agent refuses, with its reason', async () => {
    const { attempt } = await aCase((form) => ({
      artifact: response(form, { status: 'rejected', reason: 'too dear' }),
    }));
    expect(await attempt().result).toMatchObject({
      decision: { status: 'cancelled', values: {}, reason: 'too dear', proof: { kind: 'agent' } },
      why: null,
    });
  });

  test.each<[string, (form: JsonObject) => Verdict, string]>([
    ['answers in words only', () => ({ words: 'Rome, I think.' }), 'holds no decision'],
    [
      'answers what does not fit',
      (form) => ({ artifact: response(form, { values: { city: 7 } }) }),
      'does not fit the question: /city',
    ],
    [
      'answers to another form',
      (form) => ({ artifact: response({ ...form, formId: 'x' }, { values: { city: 'Rome' } }) }),
      'holds no decision',
    ],
    ['sends the form back', (form) => ({ artifact: form }), 'holds no decision'],
    [
      'responds with neither values nor a refusal',
      (form) => ({ artifact: response(form, {}) }),
      'neither values nor a refusal',
    ],
    [
      'answers with far too much',
      (form) => ({ artifact: response(form, { values: { city: 'x'.repeat(300_000) } }) }),
      'too large',
    ],
    ['fails', () => ({ words: 'No idea.', state: 'TASK_STATE_FAILED' }), 'its task ended failed: No idea.'],
    ['declines the task', () => ({ words: '', state: 'TASK_STATE_REJECTED' }), 'its task ended rejected'],
  ])('a supervisor agent that %s has decided nothing', async (_, judge, why) => {
    const { attempt } = await aCase(judge);
    expect(await attempt().result).toEqual({ decision: null, why: expect.stringContaining(why) });
  });

  // Promise P15
  test('a supervisor agent that asks back has decided nothing, and its task is cancelled', async () => {
    const { attempt, supervisor } = await aCase(() => ({ words: 'Which budget?', state: 'TASK_STATE_INPUT_REQUIRED' }));
    expect(await attempt().result).toMatchObject({ decision: null, why: expect.stringContaining('asked back') });
    await waitFor(() => supervisor.cancelled.length === 1, 5_000, 'the supervisor to be told to stop');
  });

  // Promise P15
  test('a supervisor agent that is silent until the next step has decided nothing, and its task is cancelled', async () => {
    const { attempt, supervisor } = await aCase(() => ({ wait: true }), { forMs: 700 });
    expect(await attempt().result).toEqual({ decision: null, why: 'it gave no answer in time' });
    await waitFor(() => supervisor.cancelled.length === 1, 5_000, 'the supervisor to be told to stop');
  });

  test('a supervisor agent that cannot be reached has decided nothing', async () => {
    const { attempt } = await aCase(() => ({ wait: true }));
    await stopServers();
    expect(await attempt().result).toMatchObject({
      decision: null,
      why: expect.stringContaining('could not be asked'),
    });
  });
});

describe('a supervisor agent is not asked', () => {
  test.each<[string, { question?: Partial<Question>; hold?: Partial<HoldRow> }, string]>([
    ['about its own question', { hold: { agent: 'boss' } }, 'no agent decides its own questions'],
    ['what becomes of a message in doubt', { question: { kind: 'operator' } }, 'an operator’s decision'],
    ['about a question that has ended', { hold: { status: 'decided' } }, 'not open any more'],
    ['for a secret', { question: { secrets: ['pin'] } }, 'a secret is asked of people only'],
    ['for a permission', { question: { kind: 'authorization' } }, 'a permission is given by a person'],
    [
      'where no answer could be checked',
      { question: { schema: { type: 'object', properties: { a: { type: 'nonsense' } } } } },
      'cannot be used',
    ],
  ])('a supervisor agent is not asked %s', async (_, over, why) => {
    const { attempt, supervisor } = await aCase(() => ({ wait: true }), over);
    expect(await attempt().result).toMatchObject({ decision: null, why: expect.stringContaining(why) });
    expect(supervisor.asked).toEqual([]);
  });

  // Promise P14
  test('a second time by the attempt after a crash, which takes up its task and reads the answer', async () => {
    const { attempt, supervisor } = await aCase(() => ({ wait: true }));
    const first = attempt(1);
    await waitFor(() => supervisor.asked.length === 1, 5_000, 'the question to arrive');
    const { messageId } = supervisor.asked[0] ?? { messageId: '' };
    await waitFor(
      async () => (await store.intents.get(messageId))?.deliveredAt != null,
      5_000,
      'the message to be known as delivered',
    );
    first.cancel('WORKER_SHUTDOWN');
    await expect(first.result).rejects.toThrow();
    expect(supervisor.cancelled).toEqual([]);
    const second = attempt(2);
    supervisor.finish({ city: 'Rome' });
    expect(await second.result).toMatchObject({ decision: { values: { city: 'Rome' } } });
    expect(supervisor.asked).toHaveLength(1);
  });

  // Promise P13
  test('any longer when the question has been decided meanwhile: its task is cancelled', async () => {
    // By the workflow, or because the workflow has ended since.
    for (const reason of ['CANCELLED', 'NOT_FOUND'] as const) {
      const { attempt, supervisor, input } = await aCase(() => ({ wait: true }));
      const only = attempt(1);
      await delivered(supervisor);
      const ended = { by: 'anna', at: new Date().toISOString(), why: 'approved' as const };
      const end = {
        status: 'decided' as const,
        decision: null,
        answerFingerprint: null,
        votes: [],
        supersededBy: null,
        ended,
      };
      await store.holds.close(input.holdId, end);
      only.cancel(reason);
      await expect(only.result).rejects.toThrow();
      await waitFor(() => supervisor.cancelled.length === 1, 5_000, 'the supervisor to be told to stop');
    }
  });

  test('a supervisor agent is not asked to stop where only the execution went on as new: the next one takes its task up', async () => {
    const { attempt, supervisor } = await aCase(() => ({ wait: true }));
    const first = attempt(1);
    await delivered(supervisor);
    first.cancel('NOT_FOUND');
    await expect(first.result).rejects.toThrow();
    const next = attempt(1);
    supervisor.finish({ city: 'Rome' });
    expect(await next.result).toMatchObject({ decision: { values: { city: 'Rome' } } });
    expect(supervisor.cancelled).toEqual([]);
    expect(supervisor.asked).toHaveLength(1);
  });

  // Promise P19
  test('all the time while it works in silence: it is polled, by attempts that take up its task', async () => {
    const { attempt, supervisor, deps } = await aCase(() => ({ wait: true }), { forMs: 3 * 86_400_000 });
    deps.timing = { ...deps.timing, parkAfterMs: 200 };
    for (const number of [1, 2]) {
      await expect(attempt(number).result).rejects.toMatchObject({
        type: 'not_yet',
        nonRetryable: false,
        nextRetryDelay: expect.any(Number),
      });
    }
    expect(supervisor.cancelled).toEqual([]);
    supervisor.finish({ city: 'Rome' });
    expect(await attempt(3).result).toMatchObject({ decision: { values: { city: 'Rome' } } });
    expect(supervisor.asked).toHaveLength(1);
  });
});
