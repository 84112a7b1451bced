import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AmendCommand } from '../../../src/contract/holds/decision.ts';
import type { HoldMove, HoldView } from '../../../src/contract/holds/hold.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import {
  aDecision,
  aHold,
  anEnd,
  aQuestion,
  aTask,
  bearer,
  fakeTasks,
  freshThread,
  keyConfig,
  type keys,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const aCarl = { user: 'carl', roles: ['finance'], key: 'carl-of-finance-as-well' };
const rig = describeApi({ config: { auth: { keys: [...keyConfig, aCarl] } } });
beforeEach(() => void Object.assign(rig.tasks, fakeTasks()));

const asked = async (change: Parameters<typeof aHold>[2] = {}) =>
  aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), { audience: ['role:finance'], ...change });
const carl = { authorization: 'Bearer carl-of-finance-as-well' };

function call(
  method: 'POST' | 'DELETE' | 'PUT' | 'GET',
  hold: HoldRow,
  what: string,
  headers: Record<string, string>,
  payload?: object,
) {
  const url = `/api/holds/${hold.holdId}${what}`;
  return rig.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
}
const post = (hold: HoldRow, what: string, who: keyof typeof keys | typeof carl, payload?: object) =>
  call('POST', hold, `/${what}`, typeof who === 'string' ? bearer(who) : who, payload);

describe('a claim', () => {
  // Promise Q8
  test('a claim says who works on a question, and does not stop others from deciding', async () => {
    const hold = await asked();
    expect((await post(hold, 'claim', 'fin')).json()).toMatchObject({
      claim: { by: 'fin', at: expect.any(String) },
      version: 2,
    });
    const seen = (await call('GET', hold, '', carl)).json<HoldView>();
    expect(seen).toMatchObject({ claim: { by: 'fin' }, mayDecide: true });
  });

  test('a claim of somebody else stays, unless it is taken over on purpose', async () => {
    const hold = await asked();
    await post(hold, 'claim', 'fin');
    expect((await post(hold, 'claim', carl, {})).json()).toMatchObject({ claim: { by: 'fin' } });
    expect((await post(hold, 'claim', carl, { takeOver: true })).json()).toMatchObject({ claim: { by: 'carl' } });
  });

  test('a claim is released by who has it, and by operators', async () => {
    const hold = await asked();
    await post(hold, 'claim', 'fin');
    expect((await post(hold, 'release', carl)).json()).toMatchObject({ claim: { by: 'fin' } });
    expect((await post(hold, 'release', 'fin')).json()).toMatchObject({ claim: null });
    await post(hold, 'claim', 'fin');
    expect((await post(hold, 'release', 'op')).json()).toMatchObject({ claim: null });
  });

  test.each(['claim', 'release', 'reassign'])('a claim is too late when the question is over: %s', async (what) => {
    const hold = await asked();
    const ended = { by: 'fin', at: '2026-11-21T09:00:00.000Z', why: 'approved' };
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision(), 'p'));
    const response = await post(hold, what, 'fin', { to: ['user:ben'] });
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ code: 'hold_closed', ended, supersededBy: null });
  });
});

describe('passing a question on', () => {
  test('passing a question on is the workflow’s to do, and shows before the caller gets the answer', async () => {
    const hold = await asked();
    const commands: AmendCommand[] = [];
    rig.tasks.amend = async (_task, source) => {
      commands.push(source);
      // The row follows a little later, as a worker writes it.
      setImmediate(() => void rig.store.holds.amend(hold.holdId, { audience: ['user:ben', 'role:finance'] }));
      return { kind: 'answer', value: { holdId: hold.holdId, audience: [], votes: { have: 0, need: 1 } } };
    };
    const to = ['user:ben', 'role:finance', 'user:ben'];
    const response = await post(hold, 'reassign', 'fin', { to, note: 'yours' });
    expect(response.json()).toMatchObject({ audience: ['user:ben', 'role:finance'] });
    expect(commands).toMatchObject([
      {
        kind: 'reassign',
        hold: hold.holdId,
        to: ['user:ben', 'role:finance'],
        note: 'yours',
        notify: [],
        principal: { id: 'fin' },
      },
    ]);
  });

  // Promise Q79
  test('passing a question on is taken back by who did it, though it is theirs to see no more, until somebody works on it or agrees', async () => {
    const hold = await asked();
    const back = (to = hold.audience) => post(hold, 'reassign', 'fin', { to });
    const passOn = (moved: HoldMove) => rig.store.holds.amend(hold.holdId, { audience: moved.to, moved });
    const move = { at: '2026-11-21T09:00:00.000Z', by: 'fin', note: null, credential: null };
    await passOn({ ...move, from: hold.audience, to: ['user:ben'] });
    rig.tasks.amend = async () => {
      setImmediate(() => void passOn({ ...move, from: ['user:ben'], to: hold.audience, isBack: true }));
      return { kind: 'answer', value: { holdId: hold.holdId, audience: [], votes: { have: 0, need: 1 } } };
    };
    await rig.store.holds.claim(hold.holdId, { by: 'ben', at: move.at });
    expect((await back()).statusCode).toBe(404);
    await rig.store.holds.claim(hold.holdId, null);
    const agreed = { ...aDecision({ by: 'ben', at: '2026-11-21T09:05:00.000Z' }), fingerprint: 'yes' };
    await rig.store.holds.amend(hold.holdId, { votes: [agreed] });
    expect((await back()).statusCode).toBe(404);
    await rig.store.holds.amend(hold.holdId, { votes: [] });
    expect((await back(['role:lead'])).json()).toMatchObject({ code: 'not_allowed_to_decide' });
    const taken = (await back()).json<HoldView>();
    expect([taken.audience, taken.mayDecide]).toEqual([hold.audience, true]);
    expect(taken.moves.at(-1)).toMatchObject({ from: ['user:ben'], to: hold.audience, isBack: true });
  });

  test.each([
    [[]],
    ['role:finance'],
    [['finance']],
    [['role:']],
    [['role:nobody']],
    [['user:nobody']],
    [['agent:travel']],
    [Array.from({ length: 21 }, () => 'role:finance')],
  ])('passing a question on to %j is input_invalid', async (to) => {
    const hold = await asked();
    const response = await post(hold, 'reassign', 'fin', { to });
    expect(response.statusCode).toBe(400);
    expect(response.json<{ errors: { path: string }[] }>().errors[0]?.path).toMatch(/^to/);
    expect(rig.tasks.calls).toEqual([]);
  });

  // Promise Q41
  test('passing a question on is input_invalid where too few are left who may decide: the requester alone, or fewer than must agree', async () => {
    const base = (await asked()).plan;
    const fourEyes = await asked({ plan: { ...base, exclude: ['requester'] } });
    const quorum = await asked({ plan: { ...base, quorum: 2 } });
    for (const [hold, to] of [
      [fourEyes, ['owner']],
      [fourEyes, ['user:anna']],
      [quorum, ['user:ben']],
    ] as const) {
      const response = await post(hold, 'reassign', 'fin', { to });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'input_invalid', errors: [{ path: 'to' }] });
    }
    expect(rig.tasks.calls).toEqual([]);
  });

  // Promise Q41
  test('passing a question on is input_invalid where those who are left have fewer votes than must agree: a person and their deputy, or a user without a key', async () => {
    const quorum = await asked({ plan: { ...(await asked()).plan, quorum: 2 } });
    const away = { from: '2020-01-01T00:00:00Z', delegate: 'user:carl' };
    rig.config.users = { ben: { away }, dora: {} } as unknown as typeof rig.config.users;
    for (const [to, left] of [
      [['user:ben'], 1],
      [['user:fin', 'user:dora'], 1],
    ] as const) {
      const response = await post(quorum, 'reassign', 'fin', { to });
      const message = `2 must agree, and ${left} could`;
      expect([to, response.json()]).toMatchObject([to, { code: 'input_invalid', errors: [{ path: 'to', message }] }]);
    }
    expect(rig.tasks.calls).toEqual([]);
    rig.config.users = {};
  });

  const judged = PolicySchema.parse({
    audience: ['role:finance'],
    ladder: [{ after: '1h', escalate: ['agent:travel'] }],
  });
  const planned = (policy = judged): HoldRow['plan'] => planLadder('default', policy, new Date().toISOString());

  // Promise Q67
  test('passing a question on may go to an agent that its policy asks, and to operators after it', async () => {
    const hold = await asked({ plan: planned() });
    rig.tasks.amend = async () => {
      setImmediate(() => void rig.store.holds.amend(hold.holdId, { audience: ['agent:travel', 'role:operator'] }));
      return { kind: 'answer', value: { holdId: hold.holdId, audience: [], votes: { have: 0, need: 1 } } };
    };
    const response = await post(hold, 'reassign', 'fin', { to: ['agent:travel'] });
    expect(response.json()).toMatchObject({ audience: ['agent:travel', 'role:operator'] });
  });

  // Promise Q67
  test.each([
    ['agent:judge', {}, 'there is no agent judge in the configuration'],
    ['agent:expenses', {}, 'no agent decides its own questions; name a person or a role'],
    [
      'agent:travel',
      { plan: planned(PolicySchema.parse({})) },
      /^the policy default lets no agent:travel decide; name/,
    ],
    ['agent:travel', { question: aQuestion({ kind: 'authorization' }) }, /^a permission is given by a person; name a/],
    ['agent:travel', { question: aQuestion({ secrets: ['pin'] }) }, /^a secret is asked of people only; name a/],
  ])(
    'passing a question on to %s is refused where it may not decide, with words that tell what to do',
    async (to, change, words) => {
      const hold = await asked({ plan: planned(), ...change });
      const response = await post(hold, 'reassign', 'fin', { to: ['role:finance', to] });
      const message = typeof words === 'string' ? words : expect.stringMatching(words);
      expect(response.json()).toMatchObject({ code: 'input_invalid', errors: [{ path: 'to.1', message }] });
      expect(rig.tasks.calls).toEqual([]);
    },
  );

  // Promise Q68
  test('passing a question on is offered to all who could decide it: roles, the owner, users by name, and agents of its policy', async () => {
    Object.assign(rig.config.users, { ben: { name: 'Ben B.' }, dora: {} });
    const offered = async (hold: HoldRow, who: keyof typeof keys | typeof carl) => {
      const headers = typeof who === 'string' ? bearer(who) : who;
      const response = await call('GET', hold, '/reassign', headers);
      return response.statusCode === 200
        ? response.json<{ items: { entry: string; name: string | null }[] }>().items
        : response.json<{ code: string }>().code;
    };
    const free = await asked({ plan: planned() });
    expect(await offered(free, 'fin')).toEqual([
      { entry: 'role:finance', name: null },
      { entry: 'role:operator', name: null },
      { entry: 'owner', name: null },
      // No key, and no channel by which a user without one decides.
      ...['anna', 'ben', 'carl', 'fin', 'op'].map((user) => ({
        entry: `user:${user}`,
        name: user === 'ben' ? 'Ben B.' : null,
      })),
      { entry: 'agent:travel', name: null },
    ]);
    const fourEyes = await asked({ plan: { ...planned(PolicySchema.parse({})), exclude: ['requester'] } });
    const left = await offered(fourEyes, 'op');
    expect(left).not.toContainEqual(
      expect.objectContaining({ entry: expect.stringMatching(/^(owner|user:anna|agent:.*)$/) }),
    );
    expect(await offered(free, 'anna')).toBe('not_allowed_to_decide');
    expect(await offered(free, 'ben')).toBe('not_found');
    rig.config.users = {};
  });

  test.each([
    ['refusal', 409, 'hold_closed'],
    ['closed', 409, 'hold_closed'],
    ['unanswered', 503, 'worker_unavailable'],
  ] as const)('passing a question on is answered when the workflow answers %s', async (result, status, code) => {
    const hold = await asked();
    await rig.store.workers.leave('w1');
    rig.tasks.amend = async () =>
      result === 'refusal'
        ? { kind: result, refusal: refuse('hold_closed', 'over') }
        : result === 'closed'
          ? { kind: result }
          : { kind: result, by: 'worker' };
    const response = await post(hold, 'reassign', 'fin', { to: ['user:ben'] });
    await rig.store.workers.heartbeat('w1');
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ code });
  });
});

describe('asking for a question to be passed on', () => {
  // Promise S26
  test('asking for a question to be passed on shows with the question to those asked and to operators, once for each who asks', async () => {
    const hold = await asked();
    const first = (await post(hold, 'reassign-ask', 'anna', { note: ' Finance is away ' })).json<HoldView>();
    expect(first).toMatchObject({ mayDecide: false, version: 2 });
    const again = await post(hold, 'reassign-ask', 'anna', { note: 'please' });
    expect(again.json()).toMatchObject({ reassignAsks: first.reassignAsks, version: 2 });
    for (const who of ['fin', 'op'] as const)
      expect((await call('GET', hold, '', bearer(who))).json<HoldView>().reassignAsks).toEqual([
        { by: 'anna', at: expect.any(String), note: 'Finance is away' },
      ]);
    const metric = await rig.app.inject({
      method: 'GET',
      url: '/api/holds?view=all&metric=reassignAsked',
      headers: bearer('op'),
    });
    expect(metric.json<{ items: HoldView[] }>().items.map(({ id }) => id)).toEqual([hold.holdId]);
  });

  // Promise Q64
  test('asking for a question to be passed on is sent by the channels of the question and of operators, once, and before it is shown', async () => {
    Object.assign(rig.config.users, { op: { notify: ['op-chat'] }, ben: { notify: ['ben-chat'] } });
    const policy = PolicySchema.parse({ audience: ['role:finance'], notify: ['mail'] });
    const hold = await asked({ plan: planLadder('default', policy, new Date().toISOString()) });
    const sent: unknown[] = [];
    rig.tasks.notify = async () => ({ kind: 'unanswered', by: 'engine' });
    expect((await post(hold, 'reassign-ask', 'anna')).json()).toMatchObject({ code: 'engine_unavailable' });
    expect((await call('GET', hold, '', bearer('fin'))).json<HoldView>().reassignAsks).toEqual([]);
    rig.tasks.notify = async (...args) => {
      sent.push(args);
      return { kind: 'answer', value: null };
    };
    for (const note of ['Finance is away', 'please'])
      expect((await post(hold, 'reassign-ask', 'anna', { note })).json<HoldView>().reassignAsks).toHaveLength(1);
    const id = expect.stringMatching(`^notice/${hold.holdId}/reassign-asked-0-[0-9a-f]{40}$`);
    const cause = { by: 'anna', to: [], note: 'Finance is away' };
    const giveUpAfterMs = 86_400_000;
    expect(sent).toEqual([
      [
        id,
        {
          holdId: hold.holdId,
          event: 'reassign-asked',
          k: 0,
          cause,
          channels: ['mail', 'op-chat'],
          giveUpAfterMs,
        },
      ],
    ]);
    rig.config.users = {};
  });

  test.each(['fin', 'op'] as const)(
    'asking for a question to be passed on is refused to who can pass it on themselves: %s',
    async (who) => {
      const response = await post(await asked(), 'reassign-ask', who);
      expect(response.statusCode).toBe(403);
      expect(response.json()).toMatchObject({ code: 'forbidden' });
    },
  );

  test('asking for a question to be passed on is too late when the question is over', async () => {
    const hold = await asked();
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision(), 'p'));
    expect((await post(hold, 'reassign-ask', 'anna')).json()).toMatchObject({ code: 'hold_closed' });
  });
});

describe('a vote', () => {
  test('a vote is taken back by the workflow', async () => {
    const vote = {
      by: 'fin',
      at: '2026-11-21T09:00:00.000Z',
      values: {},
      reason: null,
      fingerprint: 'p',
      source: 'rest' as const,
      seenDigest: null,
      credential: null,
      actor: null,
    };
    const plan = planLadder('p', PolicySchema.parse({ quorum: 2 }), new Date().toISOString());
    const hold = await asked({ votes: [vote], plan });
    const commands: AmendCommand[] = [];
    rig.tasks.amend = async (_task, source) => {
      commands.push(source);
      await rig.store.holds.amend(hold.holdId, { votes: [] });
      return { kind: 'answer', value: { holdId: hold.holdId, audience: [], votes: { have: 0, need: 2 } } };
    };
    const response = await call('DELETE', hold, '/vote', bearer('fin'));
    expect(response.json()).toMatchObject({ status: 'open', votes: { have: 0, need: 2, by: [] } });
    expect(commands).toMatchObject([{ kind: 'withdraw-vote', hold: hold.holdId, principal: { id: 'fin' } }]);
  });
});

describe('a draft', () => {
  const draft = (hold: HoldRow, headers: Record<string, string>, payload: object) =>
    call('PUT', hold, '/draft', headers, payload);
  const seenBy = async (hold: HoldRow, headers: Record<string, string>) =>
    (await call('GET', hold, '', headers)).json<HoldView>().draft;

  // Promise Q9
  test('a draft is seen by its author in any browser, and by no other person', async () => {
    const hold = await asked();
    const response = await draft(hold, bearer('fin'), { values: { city: 'Ro' } });
    expect(response.json()).toEqual({ values: { city: 'Ro' }, savedAt: expect.any(String) });
    expect(await seenBy(hold, bearer('fin'))).toMatchObject({ values: { city: 'Ro' } });
    for (const headers of [carl, bearer('anna'), bearer('op')]) expect(await seenBy(hold, headers)).toBeNull();
    const list = await rig.app.inject({ method: 'GET', url: '/api/holds?limit=200', headers: bearer('fin') });
    expect(list.json<{ items: HoldView[] }>().items.every((item) => item.draft === null)).toBe(true);
  });

  test('a draft is one for each person', async () => {
    const hold = await asked();
    await draft(hold, bearer('fin'), { values: { city: 'Rome' } });
    await draft(hold, carl, { values: { city: 'Oslo' } });
    await draft(hold, bearer('fin'), { values: { city: 'Bari' } });
    expect((await seenBy(hold, bearer('fin')))?.values).toEqual({ city: 'Bari' });
    expect((await seenBy(hold, carl))?.values).toEqual({ city: 'Oslo' });
  });

  // Promise Q9
  test('a draft keeps no secret, whatever the page sends', async () => {
    const hold = await asked({ question: aQuestion({ secrets: ['pin'] }) });
    const response = await draft(hold, bearer('fin'), { values: { city: 'Rome', pin: '1234' } });
    expect(response.json()).toMatchObject({ values: { city: 'Rome' } });
    expect((await rig.store.drafts.get(hold.holdId, 'fin'))?.values).toEqual({ city: 'Rome' });
  });

  test('a draft is removed by an empty one', async () => {
    const hold = await asked();
    await draft(hold, bearer('fin'), { values: { city: 'Rome' } });
    await draft(hold, bearer('fin'), { values: {} });
    expect(await seenBy(hold, bearer('fin'))).toBeNull();
  });

  test('a draft stays readable after somebody else has decided, and takes no more', async () => {
    const hold = await asked();
    await draft(hold, bearer('fin'), { values: { city: 'Rome' } });
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision({ by: 'carl' }), 'p'));
    expect((await seenBy(hold, bearer('fin')))?.values).toEqual({ city: 'Rome' });
    expect((await draft(hold, bearer('fin'), { values: { city: 'Oslo' } })).json()).toMatchObject({
      code: 'hold_closed',
      ended: { by: 'carl' },
    });
  });

  test('a draft of more than 256 KiB is too_large', async () => {
    const hold = await asked();
    const response = await draft(hold, bearer('fin'), { values: { city: 'x'.repeat(256 * 1024) } });
    expect(response.statusCode).toBe(413);
    expect(response.json()).toMatchObject({ code: 'too_large' });
    expect((await draft(hold, bearer('fin'), { values: { city: 'x'.repeat(200 * 1024) } })).statusCode).toBe(200);
  });

  test.each([{}, { values: [] }, { values: 'x' }, { values: null }, []])(
    'a draft of %j is input_invalid',
    async (payload) => {
      const hold = await asked();
      expect((await draft(hold, bearer('fin'), payload)).statusCode).toBe(400);
    },
  );
});
