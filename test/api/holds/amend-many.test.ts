import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { AmendCommand, DecideCommand } from '../../../src/contract/holds/decision.ts';
import type { AmendManyReply } from '../../../src/contract/acts/acts.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aDecision, aHold, anEnd, aQuestion, aTask, bearer, fakeTasks, freshThread, takeEverything } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

let taken: AmendCommand[] = [];
/** Of each test: no other's questions match. */
let policy = '';
const deadline = '2099-01-01T00:00:00.000Z';

const rig = describeApi({ withKeys: true });
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
  takeEverything(rig);
  policy = `p-${randomUUID()}`;
  taken = [];
  const { amend } = rig.tasks;
  rig.tasks.amend = async (task, source) => {
    taken.push(source);
    return amend(task, source);
  };
});

async function asked(rules: object = {}, change: Parameters<typeof aHold>[2] = {}): Promise<HoldRow> {
  const plan = { ...planLadder(policy, PolicySchema.parse(rules), new Date().toISOString()), expiresAt: deadline };
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  return aHold(rig.store, task, { audience: ['role:finance'], plan, expiresAt: deadline, ...change });
}

const post = (body: object, who: Parameters<typeof bearer>[0] = 'op') =>
  rig.app.inject({
    method: 'POST',
    url: `/api/holds/amend?policy=${policy}`,
    headers: bearer(who),
    payload: body,
  });
const reply = async (body: object): Promise<AmendManyReply> => (await post(body)).json<AmendManyReply>();
/** What matches is confirmed as it is. */
const confirmed = async (act: object): Promise<AmendManyReply> => reply({ ...act, set: (await reply(act)).set });

describe('a change of many open questions', () => {
  // Promise Q75, Y47
  test('a change of many open questions without a set changes nothing, and has the questions that match as a set', async () => {
    const holds = [await asked(), await asked()];
    const decided = await asked();
    await rig.store.holds.close(decided.holdId, anEnd('expired'));
    const found = await reply({ do: 'extend', by: '4h' });
    expect(found).toMatchObject({ count: 2, applied: false, results: [] });
    expect(Object.keys(found.set).toSorted()).toEqual(holds.map(({ holdId }) => holdId).toSorted());
    expect(found.setName).toMatch(/^2-[0-9a-f]{12}$/u);
    expect(taken).toEqual([]);
  });

  // Promise Y47
  test.each<[string, object]>([
    ['answers', { do: 'answer', verdict: 'yes' }],
    ['extends', { do: 'extend', by: '4h' }],
    ['reassigns', { do: 'reassign', to: ['user:ben'] }],
    ['reapplies', { do: 'reapply' }],
    ['cancels', { do: 'cancel' }],
  ])(
    'a change of many open questions %s exactly those that were confirmed and are as they were, and names all others',
    async (_what, act) => {
      const touched: string[] = [];
      rig.tasks.decide = async (_task, { entry }) => {
        touched.push(entry.hold);
        return { kind: 'refusal', refusal: { ok: false, code: 'internal', message: 'taken' } };
      };
      rig.tasks.amend = async (_task, { hold }) => {
        touched.push(hold);
        return { kind: 'refusal', refusal: { ok: false, code: 'internal', message: 'taken' } };
      };
      rig.tasks.cancel = async ({ taskId }) => {
        touched.push(`hold-${taskId}-1`);
        await rig.store.tasks.update(taskId, { status: 'CANCELED' });
        return { kind: 'answer', value: null };
      };
      rig.config.policies[policy] = PolicySchema.parse({ audience: ['role:lead'], expire: { after: '90d' } });
      const { expenses } = rig.config.agents;
      if (expenses !== undefined) rig.config.agents['expenses'] = { ...expenses, policy };
      const schema = { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] };
      const question = aQuestion({ kind: 'confirmation', schema });
      const audience = ['role:operator'];
      const [same, otherDigest, otherPlan, otherAudience, ended] = [
        await asked({}, { question, audience }),
        await asked({}, { question, audience }),
        await asked({}, { question, audience }),
        await asked({}, { question, audience }),
        await asked({}, { question, audience }),
      ];
      const { set } = await reply(act);
      // Between what was shown and what is confirmed: one comes, one ends, three are changed.
      const fresh = await asked({}, { question, audience });
      await rig.store.holds.close(ended.holdId, anEnd('expired'));
      const change = { votes: [], audience, plan: otherPlan.plan, nextStep: null, expiresAt: deadline, asking: false };
      await rig.store.holds.amend(otherAudience.holdId, { ...change, audience: ['role:operator', 'role:lead'] });
      await rig.store.holds.amend(otherPlan.holdId, { ...change, plan: { ...otherPlan.plan, quorum: 2 } });
      const { holds: table } = rig.store;
      const { list } = table;
      table.list = async (filter) => {
        const page = await list(filter);
        const digestOf = ({ holdId, digest }: HoldRow) => (holdId === otherDigest.holdId ? 'sha256:other' : digest);
        return { ...page, items: page.items.map((row) => ({ ...row, digest: digestOf(row) })) };
      };
      const { results } = await reply({ ...act, set });
      table.list = list;
      expect(touched).toEqual([same.holdId]);
      const others = [otherDigest, otherPlan, otherAudience, ended, fresh];
      const named = results.filter(({ code }) => code === 'changed_meanwhile').map(({ id }) => id);
      expect(named.toSorted()).toEqual(others.map(({ holdId }) => holdId).toSorted());
      expect(results).toHaveLength(6);
    },
  );

  // Promise Y47
  test('a change of many open questions is not confirmed by the set of another one', async () => {
    await asked();
    const { set } = await reply({ do: 'extend', by: '4h' });
    const { results } = await reply({ do: 'extend', by: '400h', set });
    expect(results).toMatchObject([{ ok: false, code: 'changed_meanwhile' }]);
    expect(taken).toEqual([]);
  });

  // Promise Y47
  test('a change of many open questions cancels no task of which a question came meanwhile', async () => {
    const hold = await asked();
    const { set } = await reply({ do: 'cancel' });
    const task = await rig.store.tasks.get(hold.taskId);
    if (task === null) throw new Error('it has a task');
    await aHold(rig.store, task, { n: 2, plan: hold.plan });
    const { results } = await reply({ do: 'cancel', set });
    expect(results).toMatchObject([{ taskId: task.taskId, ok: false, code: 'changed_meanwhile' }]);
  });

  // Promise Q75
  test('a change of many open questions extends each from its own deadline, in the name of who asked, with the note', async () => {
    const one = await asked();
    const other = await asked({}, { expiresAt: '2099-02-01T00:00:00.000Z' });
    const { applied, results } = await confirmed({ do: 'extend', by: '4h', note: 'audit week' });
    expect([applied, results.every(({ ok }) => ok)]).toEqual([true, true]);
    const of = (hold: HoldRow) => taken.find((command) => command.hold === hold.holdId);
    const extended = { kind: 'extend', note: 'audit week', principal: { id: 'op' } };
    expect(of(one)).toMatchObject({ ...extended, until: '2099-01-01T04:00:00.000Z' });
    expect(of(other)).toMatchObject({ ...extended, until: '2099-02-01T04:00:00.000Z' });
  });

  // Promise Q76
  test('a change of many open questions leaves what a policy does not allow as it is, says which and why, and changes the others', async () => {
    const free = await asked();
    const fixed = await asked({ extend: 'none' });
    const { results } = await confirmed({ do: 'extend', by: '4h' });
    expect(results.find(({ id }) => id === free.holdId)).toMatchObject({ ok: true, code: null });
    expect(results.find(({ id }) => id === fixed.holdId)).toMatchObject({ ok: false, code: 'forbidden' });
    expect(taken.map(({ hold }) => hold)).toEqual([free.holdId]);
  });

  // Promise Q76
  test('a change of many open questions reassigns by the rules of each policy: separated ones stay with those it names', async () => {
    await asked();
    const separated = await asked({ audience: ['role:finance'], quorum: 2 });
    const { results } = await confirmed({ do: 'reassign', to: ['user:ben'] });
    expect(results.filter(({ ok }) => !ok)).toMatchObject([{ id: separated.holdId, code: 'forbidden' }]);
    expect(taken).toMatchObject([{ kind: 'reassign', to: ['user:ben'], principal: { id: 'op' } }]);
  });

  test('a change of many open questions cancels each task once, however many questions it asks', async () => {
    const plan = { ...planLadder(policy, PolicySchema.parse({}), new Date().toISOString()), expiresAt: deadline };
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    for (const n of [1, 2]) await aHold(rig.store, task, { n, plan });
    const cancelled: string[] = [];
    rig.tasks.cancel = async ({ taskId }, by) => {
      cancelled.push(`${taskId} by ${by}`);
      await rig.store.tasks.update(taskId, { status: 'CANCELED' });
      return { kind: 'answer', value: null };
    };
    const { results } = await confirmed({ do: 'cancel' });
    expect(results).toMatchObject([{ taskId: task.taskId, ok: true }]);
    expect(cancelled).toEqual([`${task.taskId} by op`]);
  });

  test('a change of many open questions reapplies the policy as it is configured now, and says before what would become of each', async () => {
    rig.config.policies[policy] = PolicySchema.parse({ audience: ['role:lead'], expire: { after: '90d' } });
    const { expenses } = rig.config.agents;
    const rule = { when: { kind: 'form' as const }, policy };
    if (expenses !== undefined) rig.config.agents['expenses'] = { ...expenses, rules: [rule] };
    const one = await asked();
    const late = await asked({}, { openedAt: '2020-01-01T00:00:00.000Z' });
    const preview = await reply({ do: 'reapply' });
    expect(preview).toMatchObject({ count: 2, applied: false });
    const of = (results: AmendManyReply['results'], { holdId }: HoldRow) => results.find(({ id }) => id === holdId);
    expect(of(preview.results, one)).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/expires at 2099-.*asks role:finance → .*asks role:lead$/),
    });
    expect(of(preview.results, late)).toMatchObject({ ok: false, code: 'payload_invalid' });
    expect(taken).toEqual([]);
    const { results } = await confirmed({ do: 'reapply' });
    expect([of(results, one)?.ok, of(results, late)?.ok]).toEqual([true, false]);
    const plan = { policy, rule: { number: 1, when: rule.when }, then: 'fail', among: ['role:lead'] };
    expect(taken).toMatchObject([{ kind: 'reapply', hold: one.holdId, audience: ['role:lead'], plan }]);
    expect(taken[0]?.principal).toMatchObject({ id: 'op' });
  });

  // Promise Q75, Q76
  test('a change of many open questions answers each under the name of who asked, with its digest, and names those that are left to be answered one by one', async () => {
    const decided: DecideCommand[] = [];
    rig.tasks.decide = async (_task, command) => {
      decided.push(command);
      const { hold: holdId, values } = command.entry;
      const decision = aDecision({ by: command.principal.id, values });
      await rig.store.holds.close(holdId, { ...anEnd('decided'), decision });
      const value = { holdId, decision, votes: { have: 1, need: 1 }, isRepeat: false, taskStatus: 'DONE' };
      return { kind: 'answer', value };
    };
    const schema = { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] };
    const question = aQuestion({ kind: 'confirmation', schema, title: 'Delete 3 drafts?' });
    const audience = ['role:operator'];
    const one = await asked({}, { question, audience });
    const left = [
      await asked({}, { audience }),
      await asked({ danger: true }, { question, audience }),
      await asked({}, { question }),
      await asked({ sign: 'passkey' }, { question, audience }),
      await asked({ exclude: ['requester'] }, { question, audience, owner: 'op' }),
    ];
    const whys = [
      'bulk_not_allowed',
      'bulk_not_allowed',
      'not_allowed_to_decide',
      'bulk_not_allowed',
      'not_allowed_to_decide',
    ];
    const of = ({ results }: AmendManyReply, { holdId }: HoldRow) => results.find(({ id }) => id === holdId);
    const expectNamed = (found: AmendManyReply) => {
      expect(of(found, one)).toMatchObject({ ok: true, code: null });
      expect(left.map((hold) => of(found, hold)?.code)).toEqual(whys);
    };
    const preview = await reply({ do: 'answer', verdict: 'yes' });
    expect(preview).toMatchObject({ count: 6, applied: false });
    expectNamed(preview);
    expect(of(preview, one)?.detail).toBe('Delete 3 drafts?');
    expect(left.map((hold) => of(preview, hold)?.detail)).toContainEqual(
      expect.stringContaining('signed with a passkey'),
    );
    expect(decided).toEqual([]);
    expectNamed(await confirmed({ do: 'answer', verdict: 'yes' }));
    expect(decided).toMatchObject([
      {
        entry: { hold: one.holdId, values: { confirmed: true }, digest: one.digest },
        principal: { id: 'op' },
        source: 'bulk',
      },
    ]);
  });

  // Promise Q75
  test('a change of many open questions rejects each with the reason, where a no is an answer and where it is a cancellation', async () => {
    const decided: DecideCommand[] = [];
    const { decide } = rig.tasks;
    rig.tasks.decide = async (task, command) => (decided.push(command), decide(task, command));
    const properties = { confirmed: { type: 'boolean' }, reason: { type: 'string' } };
    const schema = { type: 'object', properties, required: ['confirmed'] };
    const question = aQuestion({ kind: 'confirmation', schema });
    const audience = ['role:operator'];
    const ends = await asked({}, { question, audience });
    const refuses = await asked({}, { question, audience, canRefuse: true });
    const { results } = await confirmed({ do: 'answer', verdict: 'no', reason: 'too late' });
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    const given = ({ holdId }: HoldRow) => decided.find(({ entry }) => entry.hold === holdId)?.entry;
    expect(given(ends)).toMatchObject({ status: 'resolved', values: { confirmed: false, reason: 'too late' } });
    expect(given(refuses)).toMatchObject({ status: 'cancelled', reason: 'too late' });
  });

  test('a change of many open questions is for operators alone', async () => {
    await asked();
    expect((await post({ do: 'extend', by: '4h', set: {} }, 'fin')).statusCode).toBe(403);
    expect(taken).toEqual([]);
  });

  test.each([
    ['neither a time nor a length', { do: 'extend' }],
    ['both', { do: 'extend', by: '4h', until: deadline }],
    ['no one to go to', { do: 'reassign', to: [] }],
    ['neither yes nor no', { do: 'answer', values: {} }],
  ])('a change of many open questions that says %s is input_invalid', async (_what, body) => {
    expect((await post(body)).json()).toMatchObject({ code: 'input_invalid' });
  });
});

describe('a later deadline of one question', () => {
  const extend = (hold: HoldRow, payload: object) =>
    rig.app.inject({ method: 'POST', url: `/api/holds/${hold.holdId}/extend`, headers: bearer('op'), payload });

  test('a later deadline counts from the present one by `by`, is the same again by `until`, and the reply has it', async () => {
    const hold = await asked();
    const first = await extend(hold, { by: '4h', note: 'audit week' });
    expect([first.statusCode, first.json()]).toMatchObject([200, { expiresAt: '2099-01-01T04:00:00.000Z' }]);
    expect(taken).toMatchObject([{ kind: 'extend', note: 'audit week', principal: { id: 'op' } }]);
    const until = '2099-03-01T00:00:00.000Z';
    for (const _ of ['once', 'again'])
      expect((await extend(hold, { until })).json()).toMatchObject({ expiresAt: until });
  });

  test('a later deadline is refused where there is none, and where the policy lets none be moved', async () => {
    const never = await asked({}, { expiresAt: null });
    expect((await extend(never, { by: '4h' })).json()).toMatchObject({ code: 'payload_invalid' });
    expect((await extend(await asked({ extend: 'none' }), { by: '4h' })).json()).toMatchObject({ code: 'forbidden' });
    expect(taken).toEqual([]);
  });
});
