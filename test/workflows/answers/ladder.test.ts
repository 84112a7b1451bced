import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { judgeAnswer } from '../../../src/core/answers/decision.ts';
import { arrivalsOf, cancelsOf, formAnswersOf } from '../../rigs/agents/agent-facts.ts';
import { anna, answer, bob, otto, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;

const audience = ['role:finance'];
const climbing = [
  { after: '300ms', remind: true },
  { after: '700ms', escalate: ['role:finance-lead'] },
];
/** A day that is neither today nor soon: its office is closed while the test runs. */
const dayMs = 86_400_000;
const inThreeDays = new Date(Date.now() + 3 * dayMs).toUTCString().slice(0, 3);
const expiring = (then: string): { policy: string } => ({ policy: `then-${then}` });

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: {
      climbing: { policy: 'climbing' },
      later: { policy: 'later' },
      moving: { policy: 'moving' },
      nagging: { policy: 'nagging' },
      office: { policy: 'office' },
      'office-stages': { policy: 'office-stages' },
      'closed-stages': { policy: 'closed-stages' },
      fail: { policy: 'climb-and-fail' },
      'fail-later': { policy: 'fail-later' },
      cancel: expiring('cancel'),
      reject: expiring('reject'),
      proposed: expiring('default'),
    },
    policies: {
      climbing: { audience, ladder: climbing, expire: { after: '1h' } },
      later: { audience, ladder: [{ after: '2s', escalate: ['role:finance-lead'] }], expire: { after: '1h' } },
      moving: {
        audience,
        ladder: [{ after: '300ms', escalate: ['role:finance-lead'], replace: true }],
        expire: { after: '1h' },
      },
      nagging: {
        audience,
        ladder: [{ after: '200ms', remind: true, every: '250ms' }],
        expire: { after: '1s', then: 'keep-open' },
      },
      office: {
        audience,
        calendar: { zone: 'Europe/Berlin', hours: 'Mon-Sun 00:00-24:00' },
        ladder: [{ after: '200ms', remind: true, every: '250ms' }],
        expire: { after: '1s', then: 'keep-open' },
      },
      'office-stages': {
        calendar: { zone: 'Europe/Berlin', hours: 'Mon-Sun 00:00-24:00' },
        stages: [
          { name: 'team', audience, ladder: [{ after: '30m', remind: true, every: '30m' }] },
          { name: 'lead', audience: ['user:bob'], ladder: [{ after: '200ms', remind: true, every: '250ms' }] },
        ],
        expire: { after: '1h' },
      },
      'closed-stages': {
        calendar: { zone: 'UTC', hours: `${inThreeDays} 10:00-12:00` },
        stages: [
          { name: 'team', audience },
          { name: 'lead', audience: ['user:bob'], ladder: [{ after: '30m', escalate: ['role:director'] }] },
        ],
        expire: { after: '6d', clock: 'wall' },
      },
      'climb-and-fail': { audience, ladder: climbing, expire: { after: '1500ms', then: 'fail' } },
      'fail-later': { audience, expire: { after: '3s', then: 'fail' } },
      'then-cancel': { audience, expire: { after: '500ms', then: 'cancel' } },
      'then-reject': { audience, expire: { after: '500ms', then: 'reject' } },
      'then-default': { audience, expire: { after: '500ms', then: 'default' } },
    },
  });
});
afterAll(() => core?.stop());

// Promise PO9
describe('a stage that opens later', () => {
  test.concurrent('a stage that opens later reminds by its calendar, again and again', async () => {
    const task = await core.engine.open('form => complete', { agent: 'office-stages' });
    const hold = await task.asked();
    await task.decide(answer(hold, { colour: 'green' }), anna);
    for (const step of [1, 2, 3]) await task.runEnded(`standfast-${task.taskId}-step-1-${step}`);
    const { stepsDone } = await task.hold();
    expect(stepsDone).toMatchObject([{ do: 'remind' }, { do: 'remind' }, { do: 'remind' }]);
    await task.decide(answer(hold, { colour: 'green' }), bob);
    await task.status('DONE');
  });

  test.concurrent('a stage that opens out of office hours waits with its ladder for them', async () => {
    const task = await core.engine.open('form => complete', { agent: 'closed-stages' });
    const hold = await task.asked();
    await task.decide(answer(hold, { colour: 'green' }), anna);
    await task.runEnded(`standfast-${task.taskId}-amend-1`);
    const day = new Date(Date.now() + 3 * dayMs).toISOString().slice(0, 10);
    expect((await task.hold()).nextStep).toEqual({ at: `${day}T10:30:00.000Z`, do: 'escalate', to: ['role:director'] });
    await task.decide(answer(hold, { colour: 'green' }), bob);
    await task.status('DONE');
  });
});

describe('a step of the ladder', () => {
  test.concurrent('a step of the ladder is announced in a short run by Standfast: who is asked now, and what comes next', async () => {
    const task = await core.engine.open('form => complete', { agent: 'climbing' });
    const hold = await task.hold();
    const reminded = `standfast-${task.taskId}-step-1-1`;
    const escalated = `standfast-${task.taskId}-step-1-2`;
    expect(await task.runEnded(reminded)).toMatchObject({ opener: 'standfast', status: 'interrupt' });
    expect(await task.runEnded(escalated)).toMatchObject({ opener: 'standfast', status: 'interrupt' });

    const [afterReminder, afterEscalation] = await Promise.all([task.log(reminded), task.log(escalated)]);
    const changeOf = (log: typeof afterReminder): unknown =>
      log.find(({ type }) => type === 'ACTIVITY_DELTA')?.['patch'];
    expect(changeOf(afterReminder)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ path: '/nextStep/do', value: 'escalate' })]),
    );
    expect(changeOf(afterEscalation)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ path: '/nextStep/do', value: 'expire' })]),
    );
    const [step] = afterEscalation.filter(({ type }) => type === 'CUSTOM');
    expect(step).toMatchObject({
      name: 'standfast.step',
      value: { do: 'escalate', to: ['role:finance-lead'], audience: ['role:finance', 'role:finance-lead'] },
    });
    const row = await core.engine.store.holds.get(hold.holdId);
    expect(row).toMatchObject({ stepsTaken: 2, audience: ['role:finance', 'role:finance-lead'], status: 'open' });
    expect(row).toMatchObject({ openedAt: hold.openedAt, expiresAt: hold.expiresAt });
  });

  test.concurrent('a step of the ladder that escalates lets the new role decide, and still no others', async () => {
    const task = await core.engine.open('form => complete', { agent: 'later' });
    const hold = await task.asked();
    const refused = { kind: 'refusal', refusal: { code: 'not_allowed_to_decide' } };
    expect(await task.decide(answer(hold, { colour: 'red' }), bob)).toMatchObject(refused);
    await task.runEnded(`standfast-${task.taskId}-step-1-1`);
    expect(await task.decide(answer(hold, { colour: 'red' }), otto)).toMatchObject(refused);
    const result = await task.decide(answer(hold, { colour: 'green' }), bob);
    expect(result).toMatchObject({ kind: 'answer', value: { decision: { by: 'bob' } } });
    await task.status('DONE');
  });

  test.concurrent('a step of the ladder that escalates with `replace` takes the question from those asked before', async () => {
    const task = await core.engine.open('form => complete', { agent: 'moving' });
    const hold = await task.asked();
    await task.runEnded(`standfast-${task.taskId}-step-1-1`);
    expect(await task.decide(answer(hold, { colour: 'red' }), anna)).toMatchObject({ kind: 'refusal' });
    expect(await task.decide(answer(hold, { colour: 'green' }), bob)).toMatchObject({ kind: 'answer' });
  });

  test.concurrent.each([
    ['', 'nagging'],
    [', in office hours too', 'office'],
  ])('a step of the ladder repeats with `keep-open`, for as long as no answer comes%s', async (_, agent) => {
    const task = await core.engine.open('form => complete', { agent });
    const hold = await task.asked();
    expect(hold.expiresAt).toBeNull();
    // On a busy machine some go by ungiven: of those the last one is given, so no single one is waited for.
    const row = await waitFor(
      async () => {
        const now = await core.engine.store.holds.get(hold.holdId);
        return (now?.stepsTaken ?? 0) >= 5 ? now : undefined;
      },
      20_000,
      'the fifth reminder',
    );
    expect(row).toMatchObject({ status: 'open', nextStep: { do: 'remind' } });
    expect(await task.decide(answer(hold, { colour: 'green' }), anna)).toMatchObject({ kind: 'answer' });
    await task.status('DONE');
  });
});

describe('at expiry', () => {
  test.concurrent('the task fails with hold_expired, and the agent’s task is cancelled', async () => {
    const task = await core.engine.open('form => complete', { agent: 'fail' });
    const hold = await task.hold();
    const { a2aTaskId } = await task.row();
    expect(await task.status('FAILED')).toMatchObject({ error: { code: 'hold_expired' } });
    expect((await task.settled(hold.holdId)).status).toBe('expired');

    const run = await task.runEnded(`standfast-${task.taskId}-expired`);
    expect(run).toMatchObject({ opener: 'standfast', status: 'error' });
    expect((await task.log(run.runId)).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'hold_expired' });
    const card = (await task.view(run.runId)).messages.find(({ id }) => id === hold.interruptId);
    expect(card).toMatchObject({ content: { stage: 'expired', nextStep: null } });

    expect(await task.closed()).toBe('FAILED');
    const failure = await task.handle.result().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WorkflowFailedError);
    expect((failure as WorkflowFailedError).cause).toBeInstanceOf(ApplicationFailure);
    expect((failure as WorkflowFailedError).cause).toMatchObject({ type: 'hold_expired' });
    expect(await cancelsOf(core.agent, a2aTaskId)).toHaveLength(1);
  });

  test.concurrent('an answer comes too late, and is refused from what is kept', async () => {
    const task = await core.engine.open('form => complete', { agent: 'fail' });
    const hold = await task.hold();
    await task.closed();
    const late = answer(hold, { colour: 'green' });
    expect(await task.decide(late, anna)).toEqual({ kind: 'closed' });
    const row = await task.settled(hold.holdId);
    const now = new Date().toISOString();
    const judged = judgeAnswer(row, late, { principal: anna, receivedAt: now }, 'local', now);
    expect(judged).toMatchObject({ ok: false, code: 'interrupt_expired' });
  });

  test.concurrent('people are notified first: the hold is closed before the agent has confirmed', async () => {
    const task = await core.engine.open('form => complete', { agent: 'fail-later' });
    const hold = await task.hold();
    const { a2aTaskId } = await task.row();
    await core.agent.arm({ do: 'hang', on: 'CancelTask', match: a2aTaskId ?? '' });
    await task.runEnded(`standfast-${task.taskId}-expired`);
    expect((await task.settled(hold.holdId)).status).toBe('expired');
    await waitFor(async () => (await cancelsOf(core.agent, a2aTaskId)).length > 0, 10_000, 'a cancel at the agent');
    expect((await task.handle.describe()).status.name).toBe('RUNNING');
    // An agent that takes the request and never answers is asked again.
    expect(await task.closed()).toBe('FAILED');
    expect((await cancelsOf(core.agent, a2aTaskId)).map(({ reached }) => reached)).toEqual([false, true]);
  });

  test.concurrent.each(['cancel', 'reject'])(
    'at expiry with `then: %s` the task is cancelled where the agent takes no refusal',
    async (agent) => {
      const task = await core.engine.open('form => complete', { agent });
      const hold = await task.hold();
      const { a2aTaskId } = await task.row();
      expect(await task.status('CANCELED', 'FAILED')).toMatchObject({ status: 'CANCELED', error: null });
      expect(await task.closed()).toBe('CANCELLED');
      expect((await task.settled(hold.holdId)).status).toBe('expired');
      expect(await cancelsOf(core.agent, a2aTaskId)).toHaveLength(1);
      const end = (await task.log(`standfast-${task.taskId}-expired`)).at(-1);
      expect(end).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
    },
  );

  const field = { name: 'colour', label: 'Colour', type: 'select', options: ['green', 'red'], required: true };
  const asking = (fields: object[]): string =>
    JSON.stringify({ turns: [[{ do: 'form', fields }], [{ do: 'complete' }]] });

  test.concurrent('at expiry with `then: default` the task goes on with the defaults, and the agent reads that a policy decided', async () => {
    const task = await core.engine.open(asking([{ ...field, default: 'red' }]), { agent: 'proposed' });
    const hold = await task.hold();
    await task.status('DONE');
    const settled = await task.settled(hold.holdId);
    expect(settled).toMatchObject({
      status: 'expired',
      decision: { by: 'policy:then-default', values: { colour: 'red' } },
    });
    const [sent] = await arrivalsOf(core.agent, task.messageId(2));
    expect(formAnswersOf(sent)).toMatchObject([{ values: { colour: 'red' } }]);
    expect(JSON.stringify(sent?.parts)).toContain('decided by the policy');
    expect((await task.runEnded(`standfast-${task.taskId}-turn-2`)).status).toBe('success');
  });

  test.concurrent('at expiry with `then: default` a further question in the same words gets its defaults too', async () => {
    const form = { do: 'form', fields: [{ ...field, default: 'red' }] };
    const task = await core.engine.open(JSON.stringify({ turns: [[form], [form], [{ do: 'complete' }]] }), {
      agent: 'proposed',
    });
    expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null });
    for (const turn of [2, 3]) {
      const [sent] = await arrivalsOf(core.agent, task.messageId(turn));
      expect(formAnswersOf(sent)).toMatchObject([{ values: { colour: 'red' } }]);
    }
  });

  test.concurrent('at expiry with `then: default` and defaults that are no answer the task fails', async () => {
    const task = await core.engine.open(asking([field]), { agent: 'proposed' });
    await task.hold();
    expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'FAILED', error: { code: 'hold_expired' } });
    expect(await arrivalsOf(core.agent, task.messageId(2))).toEqual([]);
  });
});
