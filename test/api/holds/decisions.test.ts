import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DecideCommand } from '../../../src/contract/holds/decision.ts';
import type { GrantWithYes } from '../../../src/contract/base/grant.ts';
import type { ProblemCode } from '../../../src/contract/base/problem.ts';
import { answerFingerprint } from '../../../src/api/holds/answers.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { aQuestion } from '../../rigs/factories.ts';
import { aDecision, aHold, anEnd, aTask, bearer, fakeTasks, freshThread, keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({ withKeys: true });
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
  rig.setNow(null);
});

const asked = async (change: Parameters<typeof aHold>[2] = {}) =>
  aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), { audience: ['role:finance'], ...change });

const decide = (id: string, payload: unknown, who: keyof typeof keys = 'fin', headers: Record<string, string> = {}) =>
  rig.app.inject({
    method: 'POST',
    url: `/api/holds/${encodeURIComponent(id)}/decision`,
    headers: { ...bearer(who), 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  });

const rome = { status: 'resolved', values: { city: 'Rome' } };
const at = '2026-11-21T09:00:00.000Z';

/** A workflow that takes the first answer and knows it again. */
function deciding(commands: DecideCommand[] = []): void {
  rig.tasks.decide = async (_task, source) => {
    commands.push(source);
    const { entry, principal } = source;
    const { status, values, reason } = entry;
    const decision = aDecision({ by: principal.id, at, status, values, reason });
    return {
      kind: 'answer',
      value: {
        holdId: entry.hold,
        decision,
        votes: { have: 1, need: 1 },
        isRepeat: false,
        taskStatus: 'USER_INPUT_RECEIVED',
      },
    };
  };
}

describe('a decision', () => {
  test('a decision of more than 256 KiB is too_large, and goes nowhere', async () => {
    const hold = await asked();
    const commands: DecideCommand[] = [];
    deciding(commands);
    const response = await decide(hold.holdId, { status: 'resolved', values: { city: 'x'.repeat(256 * 1024) } });
    expect(response.json()).toMatchObject({ code: 'too_large', detail: expect.stringContaining('at most 256 KiB') });
    expect(response.statusCode).toBe(413);
    expect(commands).toEqual([]);
  });

  // Promise Y60a
  test('a grant with an answer that was taken without one is refused until that is sent, and one that came with it is not', async () => {
    const answer = { status: 'resolved' as const, values: rome.values, reason: null };
    const decision = aDecision({ by: 'fin', at, ...answer });
    const outgoing = (grant?: GrantWithYes) => ({
      decision: { ...decision, ...(grant && { grant }) },
      fingerprint: answerFingerprint(answer),
      at,
    });
    deciding();
    const [without, other] = [await asked({ outgoing: outgoing() }), await asked({ outgoing: outgoing() })];
    const refused = (await decide(without.holdId, { ...rome, grant: {} })).json();
    expect(refused).toMatchObject({ code: 'changed_meanwhile', detail: expect.stringContaining('without a grant') });
    expect((await decide(other.holdId, rome)).statusCode).toBe(200);
    const terms = { ranges: [], times: 1, sum: null, until: at, recheck: 20, need: 1 };
    const grant = { terms, given: { by: 'fin', as: [], at, credential: null, actor: null, mac: '' } };
    const granted = await asked({ outgoing: outgoing(grant) });
    expect((await decide(granted.holdId, { ...rome, grant: {} })).statusCode).toBe(200);
  });

  // Promise Y60e
  test('a grant with an answer that was taken by another press of the same moment is given, or refused if that has none', async () => {
    const values = { approved: true };
    const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
    const tool = { callId: 'c', name: 'refund', args: { amount: 5 }, isEditable: false };
    const question = aQuestion({ kind: 'tool_call', schema, tool, defaults: {} });
    const fingerprint = answerFingerprint({ status: 'resolved', values, reason: null });
    const grants = { within: [], for: '1d', times: 3 };
    const press = async (isSent: boolean): Promise<{ status: number; grants: number }> => {
      const hold = await asked({ question });
      rig.config.policies[hold.plan.policy] = PolicySchema.parse({ audience: ['role:finance'], grants });
      rig.tasks.decide = async (_task, { entry, principal }) => {
        const { status: _resolved, ...given } = aDecision({ by: principal.id, at, values: entry.values });
        if (!isSent) await rig.store.holds.amend(hold.holdId, { votes: [{ ...given, fingerprint }] });
        const decision = isSent ? aDecision({ by: principal.id, at, values: entry.values }) : null;
        const votes = { have: 1, need: isSent ? 1 : 2 };
        const taskStatus = 'USER_INPUT_RECEIVED' as const;
        return { kind: 'answer', value: { holdId: entry.hold, decision, votes, isRepeat: true, taskStatus } };
      };
      const { statusCode } = await decide(hold.holdId, { status: 'resolved', values, grant: { times: 2 } });
      const given = (await rig.store.grants.list()).filter((one) => one.hold === hold.holdId);
      return { status: statusCode, grants: given.length };
    };
    expect(await press(true)).toEqual({ status: 200, grants: 1 });
    expect(await press(false)).toEqual({ status: 409, grants: 0 });
  });

  test('a decision is answered once the workflow has it, and shows in the next read', async () => {
    const hold = await asked();
    const commands: DecideCommand[] = [];
    deciding(commands);
    const response = await decide(hold.holdId, rome);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      hold: {
        id: hold.holdId,
        status: 'decided',
        nextStep: null,
        decision: { by: 'fin', at, status: 'resolved', values: { city: 'Rome' } },
      },
      task: { id: hold.taskId, status: 'USER_INPUT_RECEIVED' },
    });
    expect(commands[0]).toMatchObject({
      principal: { id: 'fin', roles: ['finance'] },
      entry: { hold: hold.holdId, digest: null },
    });
    const view = await rig.app.inject({ method: 'GET', url: `/api/holds/${hold.holdId}`, headers: bearer('fin') });
    expect(view.json()).toMatchObject({ status: 'decided', mayDecide: false });
  });

  // Promise T1
  test('a decision is given with a key or a session that the record names, by an id that tells neither', async () => {
    const taken: DecideCommand[] = [];
    deciding(taken);
    await decide((await asked()).holdId, rome);
    const { headers } = await rig.app.inject({ method: 'POST', url: '/api/login', payload: { key: keys.fin } });
    const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
    const { holdId } = await asked();
    const page = { cookie, 'sec-fetch-site': 'same-origin' };
    await rig.app.inject({ method: 'POST', url: `/api/holds/${holdId}/decision`, headers: page, payload: rome });
    const [byKey, bySession] = taken.map(({ principal }) => principal.credential ?? '');
    expect(byKey).toMatch(/^key:[0-9a-f]{12}$/);
    expect(bySession).toMatch(/^session:[0-9a-f]{12}$/);
    expect(`${byKey} ${bySession}`).not.toContain(keys.fin);
    expect(cookie).not.toContain(String(bySession).slice('session:'.length));
  });

  test('a decision may name the question by its interrupt id', async () => {
    const hold = await asked();
    deciding();
    expect((await decide(hold.interruptId, rome)).json()).toMatchObject({ hold: { id: hold.holdId } });
  });

  test('a decision given again gets the same answer without a call to the workflow', async () => {
    const hold = await asked();
    deciding();
    const first = await decide(hold.holdId, rome, 'fin', { 'idempotency-key': 'k1' });
    Object.assign(rig.tasks, fakeTasks());
    const again = await decide(hold.holdId, rome, 'fin', { 'idempotency-key': 'k1' });
    expect(again.statusCode).toBe(200);
    expect(again.json()).toMatchObject({ hold: first.json<{ hold: object }>().hold });
    expect(rig.tasks.calls).toEqual([]);
  });

  test('a decision that cancels carries its reason', async () => {
    const hold = await asked();
    const commands: DecideCommand[] = [];
    deciding(commands);
    const response = await decide(hold.holdId, { status: 'cancelled', reason: 'too dear' });
    expect(response.json()).toMatchObject({
      hold: { status: 'cancelled', decision: { status: 'cancelled', reason: 'too dear', values: {} } },
    });
    expect(commands[0]?.entry).toMatchObject({ status: 'cancelled', values: {}, reason: 'too dear' });
  });

  test('a decision recorded by a repeat keeps its values though the workflow forgot them', async () => {
    const hold = await asked();
    rig.tasks.decide = async (_task, { entry }) => ({
      kind: 'answer',
      value: {
        holdId: hold.holdId,
        decision: aDecision({ at, status: entry.status }),
        votes: { have: 1, need: 1 },
        isRepeat: true,
        taskStatus: 'IN_PROGRESS',
      },
    });
    expect((await decide(hold.holdId, rome)).json()).toMatchObject({
      hold: { decision: { values: { city: 'Rome' } } },
    });
  });
});

describe('a decision is refused', () => {
  async function closedHold(status: 'decided' | 'expired' | 'withdrawn'): Promise<HoldRow> {
    const hold = await asked();
    const decision = status === 'decided' ? aDecision({ at, values: { city: 'Oslo' } }) : null;
    await rig.store.holds.close(hold.holdId, anEnd(status, decision, decision && 'sha256:oslo'));
    return hold;
  }

  test.each<[ProblemCode, number, 'decided' | 'expired' | 'withdrawn']>([
    ['hold_closed', 409, 'decided'],
    ['hold_closed', 409, 'withdrawn'],
    ['interrupt_expired', 409, 'expired'],
  ])('a decision is refused with %s (%i) when it is %s', async (code, status, how) => {
    const hold = await closedHold(how);
    const response = await decide(hold.holdId, rome);
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(response.json()).toMatchObject({ code, status, requestId: response.headers['x-request-id'] });
    expect(rig.tasks.calls).toEqual([]);
  });

  test.each<[ProblemCode, number]>([
    ['hold_closed', 409],
    ['interrupt_expired', 409],
    ['digest_mismatch', 409],
    ['not_allowed_to_decide', 403],
    ['payload_invalid', 422],
    ['busy', 429],
    ['interrupt_unknown', 404],
  ])('a decision is refused with %s (%i) when the workflow says so', async (code, status) => {
    const hold = await asked();
    const data = code === 'payload_invalid' ? { errors: [{ path: '/city', message: 'is not a city' }] } : undefined;
    rig.tasks.decide = async () => ({ kind: 'refusal', refusal: refuse(code, 'no', data) });
    const response = await decide(hold.holdId, rome);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ code, detail: 'no', ...data });
    expect((await rig.store.holds.get(hold.holdId))?.status).toBe('open');
  });

  test('a decision is refused with payload_invalid (422) and each error by path, before the workflow gets it', async () => {
    const hold = await asked();
    const response = await decide(hold.holdId, { status: 'resolved', values: {} });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({
      code: 'payload_invalid',
      errors: [{ path: '/city', message: 'is needed' }],
    });
    expect(rig.tasks.calls).toEqual([]);
  });

  test('a decision is refused with not_allowed_to_decide (403) for who sees it and is not asked, not_found for who may not see it', async () => {
    const hold = await asked();
    expect((await decide(hold.holdId, rome, 'ben')).json()).toMatchObject({ code: 'not_found' });
    // The owner sees the question; the workflow does not answer, so the row's content is returned.
    expect((await decide(hold.holdId, rome, 'anna')).json()).toMatchObject({ code: 'not_allowed_to_decide' });
  });

  test('a decision is refused with not_found (404) when there is no such question', async () => {
    expect((await decide('hold-nobody', rome)).json()).toMatchObject({ code: 'not_found', status: 404 });
    expect((await decide('hitl-nobody-1', rome)).statusCode).toBe(404);
  });

  test.each([
    [{}],
    [{ status: 'resolved' }],
    [{ status: 'resolved', values: [] }],
    [{ status: 'resolved', values: 'x' }],
    [{ status: 'approved', values: {} }],
    [[]],
    ['text'],
    [null],
  ])('a decision is refused with input_invalid (400) for the body %j', async (body) => {
    const hold = await asked();
    const response = await decide(hold.holdId, body);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'input_invalid' });
  });
});

describe('a decision that is not confirmed', () => {
  test('a decision that is not confirmed is decision_not_confirmed with Retry-After while workers live', async () => {
    const hold = await asked();
    const response = await decide(hold.holdId, rome);
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBeDefined();
    expect(response.json()).toMatchObject({ code: 'decision_not_confirmed' });
  });

  test('a decision that is not confirmed is engine_unavailable when Temporal is away', async () => {
    const hold = await asked();
    rig.tasks.decide = async () => ({ kind: 'unanswered', by: 'engine' });
    expect((await decide(hold.holdId, rome)).json()).toMatchObject({ code: 'engine_unavailable', status: 503 });
  });

  test('a decision that is not confirmed is worker_unavailable when no worker lives', async () => {
    const hold = await asked();
    await rig.store.workers.leave('w1');
    try {
      expect((await decide(hold.holdId, rome)).json()).toMatchObject({ code: 'worker_unavailable', status: 503 });
    } finally {
      await rig.store.workers.heartbeat('w1');
    }
  });

  test('a decision that is not confirmed because its task has just ended is judged by the row that follows', async () => {
    const hold = await asked();
    rig.tasks.decide = async () => {
      await rig.store.holds.close(hold.holdId, anEnd('expired'));
      return { kind: 'closed' };
    };
    expect((await decide(hold.holdId, rome)).json()).toMatchObject({ code: 'interrupt_expired' });
  });
});

describe('a decision whose row is slow to come', () => {
  // Promise A12
  test('a decision whose row is slow to come is returned as the worker will write it, and the api writes nothing itself', async () => {
    const slow = await rig.another({ withKeys: true, isWorkerSlow: true });
    deciding();
    slow.tasks.decide = rig.tasks.decide;
    const hold = await asked();
    const response = await slow.app.inject({
      method: 'POST',
      url: `/api/holds/${hold.holdId}/decision`,
      headers: { ...bearer('fin'), 'content-type': 'application/json' },
      payload: JSON.stringify(rome),
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      hold: { status: 'decided', decision: { by: 'fin', values: rome.values }, ended: { by: 'fin', why: 'answered' } },
      task: { status: 'USER_INPUT_RECEIVED' },
    });
    expect(await rig.store.holds.get(hold.holdId)).toMatchObject({ status: 'open', decision: null });
  });
});
