import { planDigestOf } from '../../../src/core/consent/confirmed-set.ts';
import { fingerprintOf } from '../../../src/host/secrets/hash.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DecideCommand, Vote } from '../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { BulkReply } from '../../../src/contract/views/inbox.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aDecision, aHold, anEnd, aQuestion, aTask, bearer, fakeTasks, freshThread, keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({ withKeys: true });
beforeEach(() => void Object.assign(rig.tasks, fakeTasks()));

const yesNo = { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] };
const confirmation = () => aQuestion({ kind: 'confirmation', schema: yesNo, title: 'Delete 3 drafts?' });
const asked = async (change: Parameters<typeof aHold>[2] = {}) =>
  aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
    audience: ['role:finance'],
    question: confirmation(),
    ...change,
  });
const two = () => planLadder('two', PolicySchema.parse({ quorum: 2 }), new Date().toISOString());
const yes = { status: 'resolved', values: { confirmed: true } };
const decide = (hold: HoldRow, payload: object, headers: Record<string, string> = bearer('fin')) =>
  rig.app.inject({ method: 'POST', url: `/api/holds/${hold.holdId}/decision`, headers, payload });

/** A workflow that takes every answer as the last one needed. */
function deciding(commands: DecideCommand[] = []): void {
  rig.tasks.decide = async (_task, source) => {
    commands.push(source);
    const { status, values, reason } = source.entry;
    const decision = aDecision({ by: source.principal.id, status, values, reason });
    const value = { holdId: source.entry.hold, decision, votes: { have: 1, need: 1 }, isRepeat: false };
    return { kind: 'answer', value: { ...value, taskStatus: 'USER_INPUT_RECEIVED' } };
  };
}

const voteOf = ({ entry, principal }: DecideCommand): Vote => ({
  by: principal.id,
  at: '2026-11-21T09:00:00.000Z',
  values: entry.values,
  reason: null,
  fingerprint: entry.fingerprint,
  source: 'rest',
  seenDigest: null,
  credential: null,
  actor: null,
});

describe('an agreement where several are needed', () => {
  // Promise Q11
  test('an agreement where several are needed is 200 with the question open and its votes', async () => {
    const hold = await asked({ plan: two() });
    rig.tasks.decide = async (_task, source) => {
      setImmediate(() => void rig.store.holds.amend(hold.holdId, { votes: [voteOf(source)] }));
      const value = { holdId: hold.holdId, decision: null, votes: { have: 1, need: 2 }, isRepeat: false };
      return { kind: 'answer', value: { ...value, taskStatus: 'NEEDS_REVIEW' } };
    };
    const response = await decide(hold, yes);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      hold: { status: 'open', decision: null, votes: { have: 1, need: 2, by: [{ by: 'fin' }] } },
      task: { status: 'NEEDS_REVIEW' },
    });
  });

  test('an agreement where several are needed that was the last one needed shows whose votes decided, as the workflow wrote them', async () => {
    const hold = await asked({ plan: two() });
    const votes = ['carl', 'fin'].map((by) => ({
      by,
      at: 'x',
      values: {},
      reason: null,
      fingerprint: 'p',
      source: 'rest' as const,
      seenDigest: null,
      credential: null,
      actor: null,
    }));
    rig.tasks.decide = async (_task, { entry }) => {
      const decision = aDecision({ values: entry.values });
      setImmediate(
        () => void rig.store.holds.close(hold.holdId, { ...anEnd('decided', decision, entry.fingerprint), votes }),
      );
      const value = { holdId: hold.holdId, decision, votes: { have: 2, need: 2 }, isRepeat: false };
      return { kind: 'answer', value: { ...value, taskStatus: 'USER_INPUT_RECEIVED' } };
    };
    const { hold: view } = (await decide(hold, yes)).json<{ hold: HoldView }>();
    expect(view).toMatchObject({ status: 'decided', votes: { have: 2, need: 2 }, ended: { why: 'approved' } });
    expect(view.votes.by.map(({ by }) => by)).toEqual(['carl', 'fin']);
  });

  test('an agreement where several are needed by who has agreed to something else is already_voted', async () => {
    const hold = await asked({ plan: two() });
    rig.tasks.decide = async () => ({ kind: 'refusal', refusal: refuse('already_voted', 'you have agreed') });
    const response = await decide(hold, yes);
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ code: 'already_voted' });
  });
});

describe('a decision', () => {
  test.each([
    ['an explicit no is declined', { status: 'resolved', values: { confirmed: false } }, 'decided', 'declined'],
    ['a cancel is declined', { status: 'cancelled', reason: 'no' }, 'cancelled', 'declined'],
    ['a yes is approved', yes, 'decided', 'approved'],
  ])('a decision tells how the question ended: %s', async (_what, body, status, why) => {
    const hold = await asked();
    deciding();
    expect((await decide(hold, body)).json()).toMatchObject({
      hold: { status, ended: { by: 'fin', why }, decision: { source: 'rest', digest: 'sha256:1' } },
    });
  });

  // Promise QU1
  test('a decision that says approve: false in a form tells that it was declined', async () => {
    const schema = { type: 'object', properties: { approve: { type: 'boolean' }, note: { type: 'string' } } };
    const hold = await asked({ question: aQuestion({ schema }) });
    deciding();
    expect((await decide(hold, { status: 'resolved', values: { approve: false, note: 'x' } })).json()).toMatchObject({
      hold: { kind: 'form', status: 'decided', ended: { by: 'fin', why: 'declined' } },
    });
  });

  // Promise Q13
  test('a decision records its source, which no header can claim', async () => {
    const commands: DecideCommand[] = [];
    deciding(commands);
    const ownPage = { 'sec-fetch-site': 'same-origin' };
    await decide(await asked(), yes, { ...bearer('fin'), ...ownPage, 'x-door': 'page' });
    const login = { method: 'POST' as const, url: '/api/login', headers: ownPage, payload: { key: keys.fin } };
    const cookie = String((await rig.app.inject(login)).headers['set-cookie']).split(';', 1)[0] ?? '';
    await decide(await asked(), yes, { cookie, ...ownPage });
    expect(commands.map(({ source }) => source)).toEqual(['rest', 'page']);
  });

  test('a decision takes the draft of who decided with it, and leaves those of others', async () => {
    const hold = await asked();
    deciding();
    await rig.store.drafts.put({ holdId: hold.holdId, principal: 'fin', values: { confirmed: true } });
    await rig.store.drafts.put({ holdId: hold.holdId, principal: 'carl', values: { confirmed: false } });
    await decide(hold, yes);
    expect(await rig.store.drafts.get(hold.holdId, 'fin')).toBeNull();
    expect(await rig.store.drafts.get(hold.holdId, 'carl')).not.toBeNull();
  });

  test('a decision that is refused leaves the draft', async () => {
    const hold = await asked();
    rig.tasks.decide = async () => ({ kind: 'refusal', refusal: refuse('digest_mismatch', 'changed') });
    await rig.store.drafts.put({ holdId: hold.holdId, principal: 'fin', values: { confirmed: true } });
    expect((await decide(hold, yes)).json()).toMatchObject({ code: 'digest_mismatch' });
    expect(await rig.store.drafts.get(hold.holdId, 'fin')).not.toBeNull();
  });

  test('a decision on a question that is not the one shown is digest_mismatch', async () => {
    const hold = await asked();
    const response = await decide(hold, { ...yes, digest: 'sha256:other' });
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([409, 'digest_mismatch']);
    rig.tasks.decide = async () => ({ kind: 'unanswered', by: 'engine' });
    expect((await decide(hold, { ...yes, digest: hold.digest })).json()).toMatchObject({
      code: 'engine_unavailable',
    });
  });

  // Promise Q14
  test('a decision too late names who ended it, when and why, and what came after', async () => {
    const ended = { by: 'agent:expenses', at: '2026-11-21T09:00:00.000Z', why: 'superseded' as const };
    const gone = await asked();
    await rig.store.holds.close(gone.holdId, { ...anEnd('withdrawn'), ended, supersededBy: 'next' });
    expect((await decide(gone, yes)).json()).toMatchObject({ code: 'hold_closed', ended, supersededBy: 'next' });
    const racing = await asked();
    rig.tasks.decide = async () => ({
      kind: 'refusal',
      refusal: refuse('hold_closed', 'asked again', { supersededBy: 'newer' }),
    });
    expect((await decide(racing, yes)).json()).toMatchObject({
      code: 'hold_closed',
      ended: null,
      supersededBy: 'newer',
    });
    const expired = await asked();
    await rig.store.holds.close(expired.holdId, anEnd('expired'));
    expect((await decide(expired, yes)).json()).toMatchObject({ code: 'interrupt_expired', ended: { why: 'expired' } });
  });
});

describe('decisions in bulk', () => {
  const bulk = async (decisions: unknown, headers = bearer('fin')) =>
    rig.app.inject({ method: 'POST', url: '/api/holds/decisions', headers, payload: { decisions } });
  const rowOf = (hold: HoldRow, more: object = {}) => ({
    id: hold.holdId,
    ...yes,
    digest: hold.digest,
    planDigest: planDigestOf(fingerprintOf, hold),
    ...more,
  });
  const codesOf = (reply: BulkReply) => reply.results.map(({ code }) => code);

  // Promise Q15
  test('each have a result of their own, in the order asked', async () => {
    const commands: DecideCommand[] = [];
    deciding(commands);
    const [first, foreign, form, last] = [
      await asked(),
      await asked({ audience: ['user:ben'] }),
      await asked({ question: aQuestion() }),
      await asked(),
    ];
    const rows = [rowOf(first), rowOf(foreign), rowOf(form), { ...rowOf(last), id: 'none' }, rowOf(last)];
    const reply = (await bulk(rows)).json<BulkReply>();
    expect(reply.results.map(({ id, ok, status }) => [id, ok, status])).toEqual([
      [first.holdId, true, 'decided'],
      [foreign.holdId, false, null],
      [form.holdId, false, null],
      ['none', false, null],
      [last.holdId, true, 'decided'],
    ]);
    expect(codesOf(reply)).toEqual([null, 'not_found', 'bulk_not_allowed', 'not_found', null]);
    expect(commands.map(({ source }) => source)).toEqual(['bulk', 'bulk']);
    expect((await rig.store.holds.get(form.holdId))?.status).toBe('open');
  });

  test.each([
    ['a form', { question: aQuestion() }, {}],
    ['a text', { question: aQuestion({ kind: 'text' }) }, {}],
    ['an authorisation', { question: aQuestion({ kind: 'authorization' }) }, {}],
    ['a message in doubt', { question: aQuestion({ kind: 'operator' }) }, {}],
    [
      'what its policy calls dangerous',
      { plan: planLadder('d', PolicySchema.parse({ danger: true }), '2026-11-21T09:00:00.000Z') },
      {},
    ],
    [
      'edited arguments',
      { question: aQuestion({ kind: 'tool_call' }) },
      { values: { approved: true, editedArgs: {} } },
    ],
  ])('decisions in bulk are bulk_not_allowed for %s', async (_what, change, more) => {
    deciding();
    const reply = (await bulk([rowOf(await asked(change), more)])).json<BulkReply>();
    expect(codesOf(reply)).toEqual(['bulk_not_allowed']);
    expect(reply.results[0]?.detail).not.toBe('');
  });

  test('decisions in bulk run at most four at once', async () => {
    let running = 0;
    let most = 0;
    rig.tasks.decide = async (_task, source) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      const value = { holdId: source.entry.hold, decision: aDecision(), votes: { have: 1, need: 1 }, isRepeat: false };
      return { kind: 'answer', value: { ...value, taskStatus: 'IN_PROGRESS' } };
    };
    const holds = await Promise.all(Array.from({ length: 12 }, () => asked()));
    const reply = (await bulk(holds.map((hold) => rowOf(hold)))).json<BulkReply>();
    expect(reply.results.every(({ ok }) => ok)).toBe(true);
    expect(most).toBeLessThanOrEqual(4);
  });

  test('decisions in bulk carry votes that wait for others', async () => {
    const hold = await asked({ plan: two() });
    rig.tasks.decide = async (_task, source) => {
      await rig.store.holds.amend(hold.holdId, { votes: [voteOf(source)] });
      const value = { holdId: hold.holdId, decision: null, votes: { have: 1, need: 2 }, isRepeat: false };
      return { kind: 'answer', value: { ...value, taskStatus: 'NEEDS_REVIEW' } };
    };
    expect((await bulk([rowOf(hold)])).json<BulkReply>().results).toMatchObject([
      { ok: true, status: 'open', votes: { have: 1, need: 2 } },
    ]);
  });

  // Promise Y47
  test('decisions in bulk leave what has another policy, deadline or audience than it was shown with', async () => {
    const commands: DecideCommand[] = [];
    deciding(commands);
    const [same, stricter, others] = [await asked(), await asked(), await asked()];
    const rows = [rowOf(same), rowOf(stricter), rowOf(others)];
    const { audience, nextStep, expiresAt, asking, plan } = stricter;
    const kept = { votes: [], nextStep, expiresAt, asking };
    await rig.store.holds.amend(stricter.holdId, { ...kept, audience, plan: two() });
    await rig.store.holds.amend(others.holdId, { ...kept, audience: [...audience, 'user:ben'], plan });
    const reply = (await bulk(rows)).json<BulkReply>();
    expect(codesOf(reply)).toEqual([null, 'changed_meanwhile', 'changed_meanwhile']);
    expect(commands.map(({ entry }) => [entry.hold, entry.digest])).toEqual([[same.holdId, same.digest]]);
  });

  test.each<[string, unknown]>([
    ['none at all', []],
    ['one without its policy', [{ id: 'a', status: 'resolved', digest: 'd' }]],
    ['one without a digest', [{ id: 'a', status: 'resolved' }]],
    ['one of no known status', [{ id: 'a', status: 'approved', digest: 'd' }]],
    ['one without an id', [{ id: '', status: 'resolved', digest: 'd' }]],
    ['more than fifty', Array.from({ length: 51 }, (_, n) => ({ id: `h${n}`, status: 'resolved', digest: 'd' }))],
    ['a word', 'all'],
    ['nothing', null],
  ])('decisions in bulk are input_invalid as a whole when they are %s', async (_what, decisions) => {
    const response = await bulk(decisions);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'input_invalid' });
  });
});
