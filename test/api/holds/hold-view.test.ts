import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { artifactDigest } from '../../../src/core/consent/question-digest.ts';
import { holdIdOf } from '../../../src/core/base/ids.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import { fingerprintOf, sha1Hex } from '../../../src/host/secrets/hash.ts';
import { shownArtifacts } from '../../../src/wire/agui/artifacts/shown-artifacts.ts';
import { aDecision, aHold, anEnd, aQuestion, aTask, bearer, freshThread, writeRun, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { keepSnapshot } from '../../rigs/store/store-writes.ts';

const rig = describeApi({ withKeys: true });

const task = () => aTask(rig.store, freshThread(), { owner: 'anna' });
const read = async (id: string, who: keyof typeof keys = 'fin') =>
  (await rig.app.inject({ method: 'GET', url: `/api/holds/${id}`, headers: bearer(who) })).json<HoldView>();

const openedAt = '2026-11-21T08:00:00.000Z';
const plan = (change: Parameters<typeof PolicySchema.parse>[0] = {}) =>
  planLadder('finance', PolicySchema.parse(change), openedAt);
const ladder = {
  ladder: [
    { after: '30m', remind: true },
    { after: '1h', escalate: ['role:lead'], replace: true },
  ],
  expire: { after: '2h', then: 'cancel' },
};

describe('one hold', () => {
  test('one hold shows its ladder: what was done and when, what comes, and what silence does', async () => {
    const hold = await aHold(rig.store, await task(), {
      audience: ['role:finance'],
      plan: plan(ladder),
      openedAt,
      expiresAt: '2026-11-21T10:00:00.000Z',
      stepsTaken: 1,
      stepsDone: [{ at: '2026-11-21T08:30:02.000Z', do: 'remind', to: [] }],
    });
    const view = await read(hold.holdId);
    expect(view.ladder).toEqual([
      { at: '2026-11-21T08:30:00.000Z', do: 'remind', to: [], replace: false, doneAt: '2026-11-21T08:30:02.000Z' },
      { at: '2026-11-21T09:00:00.000Z', do: 'escalate', to: ['role:lead'], replace: true, doneAt: null },
      { at: '2026-11-21T10:00:00.000Z', do: 'expire', to: [], replace: false, doneAt: null },
    ]);
    expect(view).toMatchObject({
      policy: 'finance',
      requester: 'anna',
      expires: { at: '2026-11-21T10:00:00.000Z', then: 'cancel', clock: 'wall' },
      onReject: 'cancels',
      danger: false,
    });
    await rig.store.holds.close(hold.holdId, anEnd('expired'));
    expect((await read(hold.holdId)).ladder.map((step) => [step.do, step.doneAt !== null])).toEqual([
      ['remind', true],
      ['expire', true],
    ]);
  });

  // Promise Q70
  test.each([
    ['default', {}, false, 'default'],
    ['default', null, false, 'fail'],
    ['reject', null, true, 'reject'],
    ['reject', null, false, 'cancel'],
  ] as const)(
    'one hold says what silence will do in truth: %s with defaults %j, refusable %j: %s',
    async (then, defaults, canRefuse, truth) => {
      const spoken = { ...plan({ expire: { after: '2h', then } }), defaults };
      const hold = await aHold(rig.store, await task(), { audience: ['role:finance'], plan: spoken, canRefuse });
      expect((await read(hold.holdId)).expires).toMatchObject({ then: truth });
    },
  );

  // Promise Q69
  test('one hold says that the agent whose word ended it has answered', async () => {
    const at = '2026-11-21T08:10:00.000Z';
    const call = { agent: 'judge', call: -1, at: openedAt, until: at, doneAt: null, why: null };
    const asked = { ...plan(), supervisors: [call, { ...call, agent: 'boss' }] };
    const hold = await aHold(rig.store, await task(), { audience: ['role:finance'], plan: asked });
    expect((await read(hold.holdId)).supervisors).toMatchObject([{ doneAt: null }, { doneAt: null }]);
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision({ by: 'agent:judge', at }), 'p'));
    expect((await read(hold.holdId)).supervisors).toMatchObject([
      { agent: 'judge', doneAt: at, why: null },
      { agent: 'boss', doneAt: null },
    ]);
  });

  test('one hold that waits for ever has a reminder to come, always', async () => {
    const hold = await aHold(rig.store, await task(), {
      audience: ['role:finance'],
      plan: plan({ ladder: [{ after: '1h', remind: true, every: '1h' }], expire: { after: '1h', then: 'keep-open' } }),
      openedAt,
      stepsTaken: 3,
    });
    const view = await read(hold.holdId);
    expect(view.expires).toMatchObject({ at: null, then: 'keep-open' });
    expect(view.ladder.at(-1)).toMatchObject({ at: '2026-11-21T12:00:00.000Z', do: 'remind', to: [], doneAt: null });
  });

  test('one hold names the questions that are answered together with it', async () => {
    const row = await task();
    const pause = { firstN: 4, count: 3 };
    const hold = await aHold(rig.store, row, { n: 5, pause, audience: ['role:finance'] });
    expect((await read(hold.holdId)).pause).toEqual({
      index: 2,
      count: 3,
      holdIds: [4, 5, 6].map((n) => holdIdOf(sha1Hex, row.taskId, n)),
    });
  });

  // Promise Q10
  test('one hold shows votes to all who see it, and what was voted to those who decide alone', async () => {
    const vote = {
      by: 'fin',
      at: openedAt,
      values: { city: 'Rome', pin: '1234' },
      reason: null,
      fingerprint: 'p',
      source: 'rest' as const,
      seenDigest: null,
      credential: null,
      actor: null,
    };
    const hold = await aHold(rig.store, await task(), {
      audience: ['role:finance'],
      plan: plan({ quorum: 2 }),
      votes: [vote],
      question: aQuestion({ secrets: ['pin'] }),
    });
    expect((await read(hold.holdId)).votes).toEqual({
      have: 1,
      need: 2,
      by: [{ by: 'fin', at: openedAt, values: { city: 'Rome' } }],
    });
    for (const who of ['anna', 'op'] as const) {
      expect((await read(hold.holdId, who)).votes.by).toEqual([{ by: 'fin', at: openedAt, values: null }]);
    }
  });

  test('one hold says which values are secret, and never shows one', async () => {
    const question = aQuestion({ kind: 'authorization', secrets: ['credential', 'a/b'] });
    const hold = await aHold(rig.store, await task(), { audience: ['role:finance'], question });
    expect((await read(hold.holdId)).secretPaths).toEqual(['/credential', '/a~1b']);
    const values = { credential: 'sesame', note: 'n' };
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision({ values }), 'p'));
    const view = await read(hold.holdId);
    expect(view.decision?.values).toEqual({ note: 'n' });
    expect(JSON.stringify(view)).not.toContain('sesame');
  });

  test('one hold tells how it ended and what came after it', async () => {
    const hold = await aHold(rig.store, await task(), { audience: ['role:finance'], canRefuse: true });
    const ended = { by: 'agent:expenses', at: openedAt, why: 'superseded' as const };
    await rig.store.holds.close(hold.holdId, { ...anEnd('withdrawn'), supersededBy: 'next', ended });
    expect(await read(hold.holdId)).toMatchObject({
      status: 'withdrawn',
      ended,
      supersededBy: 'next',
      onReject: 'answers',
      mayDecide: false,
    });
  });

  test('one hold is dated, so that a page can correct its clock', async () => {
    const hold = await aHold(rig.store, await task(), { audience: ['role:finance'] });
    const base = await rig.app.listen({ host: '127.0.0.1', port: 0 });
    const response = await fetch(`${base}/api/holds/${hold.holdId}`, { headers: bearer('fin') });
    expect(Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now())).toBeLessThan(5_000);
    expect(((await response.json()) as HoldView).version).toBe(1);
  });
});

describe('artifacts', () => {
  const hostile = '<script>alert(1)</script>';
  const split = `${'n'.repeat(199)}😀`;
  const stateOf = (taskId: string): JsonObject => ({
    view: {
      artifacts: {
        'text/1': hostile,
        data: { total: 7 },
        file: { name: 'receipt.pdf', mediaType: 'application/pdf', uri: null, bytes: 5 },
        long: { name: split },
      },
      artifactInfo: {
        'text/1': { taskId, name: `re"port\r\n${hostile}`, path: '/view/artifacts/text~11', scope: 'task' },
        moved: { taskId, name: 'Moved', path: '/view/reports/moved', scope: 'task' },
      },
      reports: { moved: [1, 2] },
    },
  });
  const named = [
    ['text/1', `re"port\r\n${hostile}`],
    ['data', 'data'],
    ['file', 'receipt.pdf'],
    ['long', 'n'.repeat(199)],
    ['moved', 'Moved'],
  ];

  /** A question asked about these artifacts, as a worker writes it; since then the agent has thrown them away. */
  async function asked() {
    const row = await task();
    const state = stateOf(row.taskId);
    const key = { agent: 'expenses', threadId: row.threadId, runId: 'asks' };
    await writeRun(rig.store, key, [{ type: 'STATE_SNAPSHOT', snapshot: state }], 'interrupt', { taskId: row.taskId });
    await keepSnapshot(rig.store, 'expenses', row.threadId, { view: {} }, []);
    const artifacts = shownArtifacts(state).map(({ id, name, content }) => ({
      id,
      name,
      digest: artifactDigest(fingerprintOf, { name, content }),
    }));
    const hold = await aHold(rig.store, row, { audience: ['role:finance'], artifacts, openedInRun: 'asks' });
    return { row, hold, artifacts };
  }
  const take = (url: string, who: keyof typeof keys = 'fin') =>
    rig.app.inject({ method: 'GET', url, headers: bearer(who) });

  test('artifacts are named with the question, and in lists, as they were when it was asked', async () => {
    const { row, hold, artifacts } = await asked();
    const listed = artifacts.map((one) => ({
      ...one,
      url: `/api/holds/${hold.holdId}/artifacts/${encodeURIComponent(one.id)}`,
    }));
    const { context } = await read(hold.holdId);
    expect(context.artifacts.map(({ id, name }) => [id, name])).toEqual(named);
    expect(context.artifacts).toEqual(listed);
    expect(context.conversation).toBe(`/api/tasks/${row.taskId}/chat`);
    const list = (await take(`/api/holds?taskId=${row.taskId}`)).json<{ items: HoldView[] }>();
    expect(list.items.map((one) => one.context.artifacts)).toEqual([listed]);
  });

  // Promise Q38
  test('artifacts are returned with the digest that was decided on after the question has ended', async () => {
    const { hold, artifacts } = await asked();
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision({ digest: hold.digest }), 'p'));
    const view = await read(hold.holdId);
    expect(view.decision?.digest).toBe(hold.digest);
    expect(view.context.artifacts.map(({ digest }) => digest)).toEqual(artifacts.map(({ digest }) => digest));
    expect((await take(view.context.artifacts[1]?.url ?? '')).body).toContain('"total": 7');
  });

  // Promise Q12
  test.each([
    ['text/1', /^text\/plain/, hostile],
    ['data', /^application\/json/, '"total": 7'],
    ['moved', /^application\/json/, '2'],
    ['long', /^application\/json/, '😀'],
  ])('the artifact %s is taken away as a file that no browser runs', async (id, type, content) => {
    const { hold } = await asked();
    const url = (await read(hold.holdId)).context.artifacts.find((one) => one.id === id)?.url ?? '';
    const { headers, body, statusCode } = await take(url);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toMatch(type);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w. -]+"; filename\*=UTF-8''[\w.~%-]+$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(body).toContain(content);
  });

  test.each(['none', '__proto__', 'constructor', 'toString'])('the artifact %s is not_found', async (id) => {
    const { row, hold } = await asked();
    expect((await take(`/api/tasks/${row.taskId}/artifacts/${id}`, 'anna')).statusCode).toBe(404);
    expect((await take(`/api/holds/${hold.holdId}/artifacts/${id}`, 'anna')).statusCode).toBe(404);
  });

  test('artifacts of a question for others are not found', async () => {
    const { hold } = await asked();
    expect((await take(`/api/holds/${hold.holdId}/artifacts/data`, 'ben')).statusCode).toBe(404);
  });

  // Promise Q38
  test('artifacts that are not what the digest covers are not served', async () => {
    const { row, hold, artifacts } = await asked();
    const forged = artifacts.map((one) => ({ ...one, digest: 'sha256:00' }));
    const other = await aHold(rig.store, row, {
      n: 2,
      audience: ['role:finance'],
      artifacts: forged,
      openedInRun: hold.openedInRun,
    });
    expect((await take(`/api/holds/${other.holdId}/artifacts/data`)).statusCode).toBe(404);
  });

  test('artifacts of a question whose row was restored are those of now, and have no digest', async () => {
    const row = await task();
    await keepSnapshot(rig.store, 'expenses', row.threadId, stateOf(row.taskId), []);
    const hold = await aHold(rig.store, row, { audience: ['role:finance'], artifacts: null });
    const { context } = await read(hold.holdId);
    expect(context.artifacts.map(({ id, name }) => [id, name])).toEqual(named);
    expect(context.artifacts[0]).toMatchObject({ url: `/api/tasks/${row.taskId}/artifacts/text%2F1`, digest: null });
    expect((await take(context.artifacts[0]?.url ?? '')).body).toBe(hostile);
  });
});
