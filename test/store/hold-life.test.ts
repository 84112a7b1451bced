import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Vote } from '../../src/contract/holds/decision.ts';
import type { HoldMove } from '../../src/contract/holds/hold.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { aHold, decidedBy, onEachDatabase, upTo } from './stores.ts';

const at = '2029-01-01T02:00:00.000Z';
const aVote = (by: string): Vote => ({
  by,
  at,
  values: { note: '\0' },
  reason: null,
  fingerprint: 'p',
  source: 'page',
  seenDigest: null,
  credential: null,
  actor: null,
});

onEachDatabase(({ store }) => {
  const put = async (over: Partial<HoldRow> = {}): Promise<HoldRow> => {
    const [row] = await store().holds.putOnce([aHold(over)]);
    if (!row) throw new Error('nothing was put');
    return row;
  };
  const get = (holdId: string): Promise<HoldRow | null> => store().holds.get(holdId);

  test('a hold with all that people did to it comes back as it was put', async () => {
    const row = aHold({
      status: 'withdrawn',
      votes: [aVote('user:ana')],
      pause: { firstN: 2, count: 3 },
      supersedes: 'old',
      supersededBy: 'new',
      asking: true,
      ended: { by: 'agent:expenses', at, why: 'superseded' },
      claim: { by: 'user:cem', at },
      reassignAsks: [{ at, by: 'bob', note: null }],
      stepsDone: [{ at, do: 'escalate', to: ['role:lead'] }],
      version: 7,
    });
    expect(await store().holds.putOnce([row])).toEqual([row]);
  });

  test('closing keeps votes, successor and end, and no question is asked of the agent any more', async () => {
    const { holdId } = await put({ asking: true });
    const end = {
      ...decidedBy('user:ana'),
      votes: [aVote('user:ana'), aVote('user:cem')],
      supersededBy: 'next',
      ended: { by: 'agent:expenses', at, why: 'superseded' as const },
    };
    expect(await store().holds.close(holdId, end)).toMatchObject({ ...end, asking: false, nextStep: null });
  });

  test('the version of a hold grows with every change, and not with what changed nothing', async () => {
    const { holdId } = await put();
    const { holds } = store();
    const versions: (number | undefined)[] = [];
    for (const change of [
      () => holds.amend(holdId, { asking: true }),
      () => holds.claim(holdId, { by: 'user:ana', at }),
      () => holds.claim(holdId, { by: 'user:ana', at }),
      () => holds.step(holdId, { stepsTaken: 1, audience: ['owner'], nextStep: null }),
      () => holds.setCard(holdId, { stage: 'x' }),
      () => holds.setCarrier(holdId, 'r2'),
      () => holds.close(holdId, decidedBy('user:ana')),
      () => holds.close(holdId, decidedBy('user:cem')),
      () => holds.amend(holdId, { asking: true }),
      () => holds.claim(holdId, null),
    ]) {
      await change();
      versions.push((await get(holdId))?.version);
    }
    expect(versions).toEqual([2, 3, 3, 4, 5, 6, 7, 7, 7, 7]);
  });

  // Promise S26
  test('a reassignment request is kept once for each person, and gone when the question is passed on', async () => {
    const { holdId } = await put({ audience: ['role:x'] });
    const request = (by: string, note: string | null = null) => store().holds.askReassign(holdId, { at, by, note });
    const asks = async () => (await get(holdId))?.reassignAsks.map(({ by }) => by);
    await request('bob', 'not "by":"ana", but \0');
    await request('ana');
    expect((await request('bob', 'again'))?.version).toBe(3);
    expect((await get(holdId))?.reassignAsks[0]).toEqual({ at, by: 'bob', note: 'not "by":"ana", but \0' });
    await store().holds.amend(holdId, { audience: ['role:x'], votes: [aVote('user:ana')] });
    expect(await asks()).toEqual(['bob', 'ana']);
    const heir = await put({ audience: ['role:x'] });
    await store().holds.inherit(heir.holdId, holdId);
    expect((await get(heir.holdId))?.reassignAsks).toHaveLength(2);
    await store().holds.amend(holdId, { audience: ['role:y'] });
    expect(await asks()).toEqual([]);
    await store().holds.close(holdId, decidedBy('user:ana'));
    expect((await request('bob'))?.reassignAsks).toEqual([]);
  });

  test('of reassignment requests the last twenty are kept', async () => {
    const { holdId } = await put();
    for (const n of upTo(22)) await store().holds.askReassign(holdId, { at, by: `u${n}`, note: null });
    const kept = (await get(holdId))?.reassignAsks.map(({ by }) => by);
    expect(kept).toHaveLength(20);
    expect(kept).toContain('u21');
  });

  test('votes, audience and asking are changed each for itself while the hold is open', async () => {
    const { holdId } = await put();
    await store().holds.amend(holdId, { votes: [aVote('user:ana')] });
    await store().holds.amend(holdId, { audience: ['role:lead'] });
    await store().holds.amend(holdId, { asking: true });
    const changed = { votes: [aVote('user:ana')], audience: ['role:lead'], asking: true };
    expect(await get(holdId)).toMatchObject(changed);
    await store().holds.amend(holdId, { votes: [], asking: false });
    expect(await get(holdId)).toMatchObject({ votes: [], audience: ['role:lead'], asking: false });
    expect((await store().holds.list({ askedOf: { id: 'x', entries: ['role:lead'] } })).items).toHaveLength(1);
  });

  test('moves are kept in order, and not after the end', async () => {
    const { holdId } = await put();
    const move = (n: number): HoldMove => ({
      at,
      by: 'user:ana',
      to: [`role:"},{"at":${n}`],
      note: `\0 "${n}"`,
      credential: null,
    });
    await store().holds.amend(holdId, { audience: ['role:lead'], moved: move(1) });
    await store().holds.amend(holdId, { moved: move(2) });
    await store().holds.close(holdId, decidedBy('user:ana'));
    await store().holds.amend(holdId, { moved: move(3) });
    expect((await get(holdId))?.moves).toEqual([move(1), move(2)]);
  });

  test('a claim is taken, kept when it comes again, taken over, and released', async () => {
    const { holdId } = await put();
    const { holds } = store();
    const ana = { by: 'user:ana', at };
    const cem = { by: 'user:cem', at: '2029-01-01T03:00:00.000Z' };
    expect((await holds.claim(holdId, ana))?.claim).toEqual(ana);
    expect((await holds.claim(holdId, { ...ana, at: cem.at }))?.claim).toEqual(ana);
    expect((await holds.claim(holdId, cem, 'user:eve'))?.claim).toEqual(ana);
    expect((await holds.claim(holdId, null, 'user:cem'))?.claim).toEqual(ana);
    expect((await holds.claim(holdId, cem, 'user:ana'))?.claim).toEqual(cem);
    expect((await holds.claim(holdId, ana))?.claim).toEqual(ana);
    expect((await holds.claim(holdId, null, 'user:ana'))?.claim).toBeNull();
    expect((await holds.claim(holdId, cem, 'user:ana'))?.claim).toBeNull();
    expect(await holds.claim(randomUUID(), ana)).toBeNull();
    expect(await holds.claim('\0', ana)).toBeNull();
  });

  test('of many who take over one claim at once one does, and all see them', async () => {
    const { holdId } = await put({ claim: { by: 'user:ana', at } });
    const takers = upTo(8).map((n) => ({ by: `user:${n}`, at }));
    const rows = await Promise.all(takers.map((claim) => store().holds.claim(holdId, claim, 'user:ana')));
    expect(new Set(rows.map((row) => row?.claim?.by)).size).toBe(1);
    expect((await get(holdId))?.version).toBe(2);
  });

  test('steps are kept in order, each once, and not after the end', async () => {
    const { holdId } = await put();
    const take = (n: number, word: 'remind' | 'escalate'): Promise<void> =>
      store().holds.step(holdId, {
        stepsTaken: n,
        audience: ['role:lead'],
        nextStep: null,
        done: { at, do: word, to: [`role:"},{"at":${n}`] },
      });
    await take(1, 'remind');
    await take(2, 'escalate');
    await take(2, 'escalate');
    const taken = [
      { at, do: 'remind', to: ['role:"},{"at":1'] },
      { at, do: 'escalate', to: ['role:"},{"at":2'] },
    ];
    expect((await get(holdId))?.stepsDone).toEqual(taken);
    await store().holds.close(holdId, decidedBy('user:ana'));
    await take(3, 'remind');
    expect((await get(holdId))?.stepsDone).toEqual(taken);
  });

  test('of very many reminders the last 500 are kept', async () => {
    const { holdId } = await put();
    for (const n of upTo(503)) {
      const done = { at, do: 'remind' as const, to: [`role:${n}`] };
      await store().holds.step(holdId, { stepsTaken: n, audience: ['owner'], nextStep: null, done });
    }
    const kept = (await get(holdId))?.stepsDone ?? [];
    expect(kept).toHaveLength(500);
    expect([kept[0]?.to, kept[499]?.to]).toEqual([['role:4'], ['role:503']]);
  });

  test('a hold that asks again takes claim and drafts of the one before, and replaces nothing typed since', async () => {
    const [old, fresh] = [await put({ claim: { by: 'user:ana', at } }), await put()];
    const { drafts, holds } = store();
    await drafts.put({ holdId: old.holdId, principal: 'user:ana', values: { a: 1 } });
    await drafts.put({ holdId: old.holdId, principal: 'user:cem', values: { a: 2 } });
    await drafts.put({ holdId: fresh.holdId, principal: 'user:cem', values: { a: 3 } });
    await holds.inherit(fresh.holdId, old.holdId);
    await holds.inherit(fresh.holdId, old.holdId);
    expect(await get(fresh.holdId)).toMatchObject({ claim: { by: 'user:ana', at }, version: 2 });
    expect((await drafts.get(fresh.holdId, 'user:ana'))?.values).toEqual({ a: 1 });
    expect((await drafts.get(fresh.holdId, 'user:cem'))?.values).toEqual({ a: 3 });
    expect(await drafts.get(old.holdId, 'user:ana')).toBeNull();
    const asked = await holds.list({ agent: fresh.agent, askedOf: { id: 'user:ana', entries: [] } });
    expect(asked.items.map((row) => row.holdId)).toContain(fresh.holdId);
  });
});
