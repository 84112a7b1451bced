// Questions that more than one person must agree to: votes, vetoes, and what front ends see of them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { arrivalsOf, formAnswersOf } from '../../rigs/agents/agent-facts.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import { anna, answer, bob, local, otto, refusal, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';

const supervisor = createSupervisor();
let core: Core;
const both = { agent: 'both' };

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: { both: { policy: 'both' }, eyes: { policy: 'eyes' }, staged: { policy: 'staged' } },
    policies: {
      both: { audience: ['role:finance', 'role:finance-lead', 'owner'], quorum: 2 },
      staged: {
        stages: [
          { name: 'team', audience: ['role:finance'] },
          { name: 'lead', audience: ['user:bob', 'owner'], ladder: [{ after: '1h', remind: true }] },
        ],
      },
      eyes: { audience: ['role:finance', 'role:finance-lead', 'owner'], quorum: 2, exclude: ['requester'] },
    },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

const green = { colour: 'green' };

describe('a question that two must agree to', () => {
  test.concurrent('a question that two must agree to shows the first vote to everybody, and the second one carries the answer, once', async () => {
    const task = await core.engine.open('form => complete', both);
    const hold = await task.asked();
    expect(await task.decide(answer(hold, green), anna)).toMatchObject({
      kind: 'answer',
      value: { decision: null, votes: { have: 1, need: 2 }, taskStatus: 'NEEDS_REVIEW' },
    });
    const shown = `standfast-${task.taskId}-amend-1`;
    await task.runEnded(shown);
    const log = await task.log(shown);
    checkRun(log);
    expect(log.at(-1)).toMatchObject({
      outcome: {
        type: 'interrupt',
        interrupts: [{ id: hold.interruptId, metadata: { standfast: { votes: { have: 1, need: 2 } } } }],
      },
    });
    const card = (await task.view(shown)).messages.find(({ id }) => id === hold.interruptId);
    expect(card).toMatchObject({ content: { stage: 'awaiting_input', votes: { have: 1, need: 2 } } });
    expect(await task.hold()).toMatchObject({ status: 'open', votes: [{ by: 'anna', values: green }] });
    expect(await task.details()).toContain('votes: 1 of 2 (anna)');

    await task.decide(answer(hold, green), bob);
    await task.status('DONE');
    expect(formAnswersOf((await arrivalsOf(core.agent, task.messageId(2)))[0])).toMatchObject([{ values: green }]);
    expect(await task.hold()).toMatchObject({
      status: 'decided',
      decision: { by: 'bob', source: 'rest', digest: hold.digest },
      votes: [{ by: 'anna' }, { by: 'bob' }],
      ended: { by: 'bob', why: 'answered' },
    });
  });

  test.concurrent('a question that two must agree to takes one vote of each person, and lets them take it back', async () => {
    const task = await core.engine.open('form => complete', both);
    const hold = await task.asked();
    await task.decide(answer(hold, green), anna);
    expect(await task.decide(answer(hold, green), anna)).toMatchObject({ value: { isRepeat: true, decision: null } });
    expect(await task.decide(answer(hold, { colour: 'red' }), anna)).toMatchObject({
      refusal: { code: 'already_voted' },
    });
    expect(await task.amend({ hold: hold.holdId, kind: 'withdraw-vote' }, anna)).toMatchObject({
      votes: { have: 0, need: 2 },
    });
    await task.runEnded(`standfast-${task.taskId}-amend-2`);
    expect((await task.hold()).votes).toEqual([]);
    await task.decide(answer(hold, { colour: 'red' }), anna);
    await task.decide(answer(hold, { colour: 'red' }), bob);
    await task.status('DONE');
  });

  test.concurrent('a question that two must agree to is decided at once by a refusal', async () => {
    const task = await core.engine.open('form => complete', both);
    const hold = await task.asked();
    await task.decide(answer(hold, green), anna);
    await task.decide(refusal(hold, 'too dear'), bob);
    await task.status('CANCELED');
    expect(await task.hold()).toMatchObject({ status: 'cancelled', ended: { by: 'bob', why: 'declined' } });
  });

  test.concurrent('a question that two must agree to is not for its requester, where four eyes are asked for', async () => {
    const task = await core.engine.open('form => complete', { agent: 'eyes', owner: anna });
    const hold = await task.asked();
    expect(await task.decide(answer(hold, green), anna)).toMatchObject({ refusal: { code: 'not_allowed_to_decide' } });
    await task.decide(answer(hold, green), bob);
    await task.decide(answer(hold, green), local);
    await task.status('DONE');
  });

  // Promise Q25
  test.concurrent('a question that two must agree to ends a run that only brought votes with the same questions, and what was decided waits', async () => {
    const task = await core.engine.open('forms 2 => complete', both);
    const [one, two] = [await task.asked(1), await task.asked(2)];
    const votes = [answer(one, green), refusal(two, 'no')].slice(0, 1);
    const resume = [...votes, answer(two, green)];
    expect(await task.run('votes', { resume }, anna)).toMatchObject({ value: { kind: 'resumed' } });
    await task.runEnded('votes');
    const log = await task.log('votes');
    checkRun(log);
    expect(log.at(-1)).toMatchObject({
      outcome: { type: 'interrupt', interrupts: [{ id: one.interruptId }, { id: two.interruptId }] },
    });
    // The same by another run: nothing new, and the same end.
    await task.run('votes-again', { resume }, anna);
    expect(await task.runEnded('votes-again')).toMatchObject({ status: 'interrupt' });
    // One is decided by a second vote: it waits for the other, and is shown so.
    await task.decide(answer(one, green), bob);
    await task.decide(answer(two, { colour: 'red' }), bob);
    await task.runEnded(`standfast-${task.taskId}-amend-1`);
    const cards = (await task.view(`standfast-${task.taskId}-amend-1`)).messages;
    expect(cards.find(({ id }) => id === one.interruptId)).toMatchObject({ content: { stage: 'working' } });
    await task.decide(answer(two, green), local);
    await task.status('DONE');
    expect(await task.hold(2)).toMatchObject({ votes: [{ by: 'anna' }, { by: 'local' }] });
  });
});

describe('a question that is moved to others', () => {
  // Promise Q47
  test.concurrent('a question that is moved to others tells each move once, with the note, also when it is asked again', async () => {
    const task = await core.engine.open('form => form => complete', { owner: anna });
    const hold = await task.asked();
    const move = (to: string, note: string | null) =>
      task.amend({ hold: hold.holdId, kind: 'reassign', to: [to], note }, local);
    await move('role:sales', 'on leave');
    await move('role:sales', 'on leave');
    await move('user:anna', null);
    await move('role:sales', 'on leave');
    await task.runEnded(`standfast-${task.taskId}-amend-4`);
    expect((await task.hold()).moves.map(({ by, to, note }) => [by, ...to, note])).toEqual([
      ['local', 'role:sales', 'on leave'],
      ['local', 'user:anna', null],
      ['local', 'role:sales', 'on leave'],
    ]);
    await task.say('Why?', anna);
    const again = await task.asked(2);
    expect(again).toMatchObject({ supersedes: hold.holdId, moves: [{}, {}, { note: 'on leave' }] });
  });

  // Promise Q77
  test.concurrent('a question that is moved to others by their policy as it is now has its people and deadline from then on', async () => {
    const task = await core.engine.open('form => complete', { owner: anna });
    const hold = await task.asked();
    const expiresAt = new Date(Date.parse(hold.openedAt) + 86_400_000 * 9).toISOString();
    const plan = { ...hold.plan, policy: 'sales', expiresAt };
    const audience = ['role:sales'];
    const command = { hold: hold.holdId, kind: 'reapply' as const, audience, plan };
    expect(await task.amend(command, otto)).toBe('not_allowed_to_decide');
    expect(await task.amend(command, local)).toMatchObject({ audience });
    await task.runEnded(`standfast-${task.taskId}-amend-1`);
    expect(await task.hold()).toMatchObject({
      audience,
      expiresAt,
      nextStep: { do: 'expire', at: expiresAt },
      plan: { policy: 'sales', reapplied: [{ by: 'local', from: hold.plan.policy, fromExpiresAt: hold.expiresAt }] },
    });
    await task.decide(answer(hold, green), otto);
    await task.status('DONE');
  });

  test.concurrent('a question that is moved to others is theirs from then on', async () => {
    const task = await core.engine.open('form => complete', { owner: anna });
    const hold = await task.asked();
    const to = ['role:sales'];
    expect(await task.amend({ hold: hold.holdId, kind: 'reassign', to, note: null }, otto)).toBe(
      'not_allowed_to_decide',
    );
    expect(await task.amend({ hold: hold.holdId, kind: 'reassign', to, note: null }, anna)).toMatchObject({
      audience: to,
    });
    await task.runEnded(`standfast-${task.taskId}-amend-1`);
    expect(await task.hold()).toMatchObject({ audience: to, expiresAt: hold.expiresAt });
    expect((await task.hold()).moves).toEqual([
      { at: expect.any(String), by: 'anna', from: hold.audience, to, note: null, credential: null },
    ]);
    expect(await task.decide(answer(hold, green), anna)).toMatchObject({ refusal: { code: 'not_allowed_to_decide' } });
    // Theirs no more to decide, and theirs to take back.
    const back = { hold: hold.holdId, kind: 'reassign' as const, to: hold.audience, note: null };
    expect(await task.amend(back, anna)).toMatchObject({ audience: hold.audience });
    await task.runEnded(`standfast-${task.taskId}-amend-2`);
    expect((await task.hold()).moves.at(-1)).toMatchObject({ by: 'anna', from: to, to: hold.audience, isBack: true });
    expect(await task.amend({ ...back, to }, anna)).toMatchObject({ audience: to });
    await task.decide(answer(hold, green), otto);
    await task.status('DONE');
  });
});

// Promise Y69
test('a question that two groups must agree to asks the second when the first has agreed, and is answered once', async () => {
  const task = await core.engine.open('form => complete', { agent: 'staged' });
  const hold = await task.asked();
  expect(await task.details()).toContain('stages: team 0 of 1');
  expect(await task.decide(answer(hold, green), bob)).toMatchObject({ refusal: { code: 'not_allowed_to_decide' } });
  expect(await task.decide(answer(hold, green), anna)).toMatchObject({ value: { votes: { have: 1, need: 2 } } });
  await task.runEnded(`standfast-${task.taskId}-amend-1`);
  const row = await task.hold();
  expect(row).toMatchObject({
    audience: ['user:bob', 'owner'],
    nextStep: { do: 'remind' },
    plan: { stages: { at: 1 } },
  });
  await task.decide(answer(hold, green), bob);
  await task.status('DONE');
  expect(await task.hold()).toMatchObject({
    votes: [
      { by: 'anna', stages: [0] },
      { by: 'bob', stages: [1] },
    ],
  });
});
