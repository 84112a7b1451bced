import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { openStore } from '../../../src/store/open-store.ts';
import type { EvidenceLine } from '../../../src/store/ports/evidence.ts';
import { aHold, aKey, aRun, decidedBy, eventually, onEachDatabase, onTheSide, upTo } from '../stores.ts';
import { aVote, liveShortly, liveThrough } from './lives.ts';

type Entry = { kind: string } & Record<string, unknown>;

onEachDatabase(({ store }) => {
  async function entriesOf(holdId: string): Promise<Entry[]> {
    const lines: EvidenceLine[] = [];
    await store().evidence.export({ holdId }, (line) => lines.push(line));
    return lines.flatMap((line) => (line.type === 'record' ? [JSON.parse(line.record) as Entry] : []));
  }

  // Promise E1
  test('every change of a question has a record of its own', async () => {
    const holdId = await liveThrough(store());
    const entries = await entriesOf(holdId);
    expect(entries.map(({ kind }) => kind)).toEqual([
      'opened',
      'vote',
      'reassigned',
      'reminded',
      'escalated',
      'decided',
    ]);
    const decided = entries.at(-1);
    expect(decided).toMatchObject({
      hold: holdId,
      agent: 'expenses',
      requester: 'user:bob',
      audience: ['role:lead'],
      policy: 'default',
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      decision: { by: 'bea', source: 'page', digest: 'sha256:00', answerHash: expect.stringMatching(/^sha256:/) },
    });
    expect(JSON.stringify(entries)).not.toMatch(/not mine|cost centre|a\\u0000b/);
  });

  // Promise E1
  test('questions that expire or are withdrawn are recorded as such', async () => {
    expect((await entriesOf(await liveShortly(store(), 'expired'))).at(-1)).toMatchObject({ kind: 'expired' });
    const ended = (await entriesOf(await liveShortly(store(), 'withdrawn'))).at(-1);
    expect(ended).toMatchObject({ kind: 'ended', ended: { why: 'withdrawn' } });
  });

  // Promise E1
  test('an answer that a policy took when its time was over is recorded as assumed, and a person’s is not', async () => {
    const holdId = await liveShortly(store());
    const given = decidedBy('policy:default');
    if (given.decision === null) throw new Error('no decision');
    await store().holds.close(holdId, {
      ...given,
      status: 'expired',
      decision: { ...given.decision, source: 'clock' },
      ended: { by: 'policy:default', at: given.decision.at, why: 'expired' },
    });
    const expired = (await entriesOf(holdId)).at(-1);
    expect(expired).toMatchObject({ kind: 'expired', decision: { source: 'clock', assumed: true } });
    const other = await liveShortly(store());
    await store().holds.close(other, decidedBy('ann'));
    expect((await entriesOf(other)).at(-1)?.['decision']).not.toHaveProperty('assumed');
  });

  // Promise E1
  test('a vote that is taken back is recorded', async () => {
    const holdId = await liveShortly(store());
    await store().holds.amend(holdId, { votes: [aVote('ann')] });
    await store().holds.amend(holdId, { votes: [] });
    expect((await entriesOf(holdId)).map(({ kind }) => kind)).toEqual(['opened', 'vote', 'vote-withdrawn']);
  });

  // Promise E1
  test('a decision that waits for its grace, and its undo by another person, are recorded by name, once', async () => {
    const holdId = await liveShortly(store());
    const { decision } = decidedBy('ann');
    if (decision === null) throw new Error('no decision');
    const outgoing = {
      decision: { ...decision, seenDigest: 'sha256:00' },
      fingerprint: 'p',
      at: '2029-01-01T02:00:00.000Z',
    };
    const undone = { by: 'otto', at: '2029-01-01T01:30:00.000Z', credential: 'key:ops', actor: null, decidedBy: 'ann' };
    for (let attempt = 0; attempt < 2; attempt += 1) await store().holds.amend(holdId, { outgoing });
    for (let attempt = 0; attempt < 2; attempt += 1) await store().holds.amend(holdId, { outgoing: null, undone });
    const entries = (await entriesOf(holdId)).filter(({ kind }) => kind !== 'changed');
    const answerHash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(entries).toMatchObject([
      { kind: 'opened' },
      {
        kind: 'staged',
        by: 'ann',
        credential: decision.credential,
        seenDigest: 'sha256:00',
        source: decision.source,
        answerHash,
        sendAt: outgoing.at,
      },
      { kind: 'undone', by: 'otto', credential: 'key:ops', decidedBy: 'ann', answerHash },
    ]);
    expect(entries[2]?.['answerHash']).toBe(entries[1]?.['answerHash']);
  });

  // Promise Q77
  test('a reapplied policy is recorded once, with who did it and what the question is under since then', async () => {
    const row = aHold({ holdId: randomUUID() });
    await store().holds.putOnce([row]);
    const entry = {
      at: '2029-01-01T01:00:00.000Z',
      by: 'opal',
      from: 'old',
      fromExpiresAt: null,
      credential: 'key:ops',
    };
    const expiresAt = '2029-01-02T00:00:00.000Z';
    const plan = { ...row.plan, policy: 'new', quorum: 2, expiresAt, reapplied: [entry] };
    for (let attempt = 0; attempt < 2; attempt += 1)
      await store().holds.amend(row.holdId, { audience: ['role:lead'], plan, stepsTaken: 0, nextStep: null });
    const entries = (await entriesOf(row.holdId)).filter(({ kind }) => kind !== 'changed');
    expect(entries).toMatchObject([
      { kind: 'opened' },
      { ...entry, kind: 'reapplied', policy: 'new', audience: ['role:lead'], expiresAt, quorum: 2 },
    ]);
    expect(await store().holds.get(row.holdId)).toMatchObject({ expiresAt, audience: ['role:lead'] });
  });

  // Promise E2
  test('the same write again adds no second opening, step or decision to the chain', async () => {
    const row = aHold({ holdId: randomUUID() });
    const done = { at: '2029-01-01T00:30:00.000Z', do: 'remind' as const, to: [] };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await store().holds.putOnce([row]);
      await store().holds.step(row.holdId, { stepsTaken: 1, audience: row.audience, nextStep: null, done });
    }
    for (let attempt = 0; attempt < 2; attempt += 1) await store().holds.close(row.holdId, decidedBy('ann'));
    const kinds = (await entriesOf(row.holdId)).map(({ kind }) => kind).filter((kind) => kind !== 'changed');
    expect(kinds).toEqual(['opened', 'reminded', 'decided']);
  });

  // Promise E2
  test('a change that is rolled back leaves no record of it', async () => {
    const row = aHold({ holdId: randomUUID() });
    const failed = store().tx(async (tables) => {
      await tables.holds.putOnce([row]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await entriesOf(row.holdId)).toEqual([]);
  });

  // Promise E3
  test('an untouched database verifies, also one with several changes in one transaction', async () => {
    const rows = upTo(3).map((n) => aHold({ holdId: randomUUID(), n }));
    await store().tx(async (tables) => {
      await tables.holds.putOnce(rows);
      for (const { holdId } of rows) await tables.holds.amend(holdId, { votes: [aVote('ann')] });
      await tables.holds.close(rows[0]?.holdId ?? '', decidedBy('ann'));
    });
    const first = rows[0]?.holdId ?? '';
    await store().holds.claim(first, { by: 'ann', at: '2029-01-01T00:00:00.000Z' });
    await store().holds.setCarrier(first, 'run');
    await store().holds.setCard(first, { stage: 'working' });
    await store().holds.linkSuperseded(first, 'another');
    await store().holds.inherit(rows[1]?.holdId ?? '', first);
    const { faults, records } = await store().evidence.verify({});
    expect(faults).toEqual([]);
    expect(records).toBeGreaterThan(6);
  });

  // Promise E5
  test('a range of the chain verifies alone, whatever was done to its questions later', async () => {
    const holdId = await liveShortly(store());
    const to = new Date().toISOString();
    await eventually(() => new Date().toISOString() > to);
    await store().holds.close(holdId, decidedBy('ann'));
    expect((await store().evidence.verify({ to })).faults).toEqual([]);
    expect((await store().evidence.verify({ from: to })).faults).toEqual([]);
  });

  test('writes that have nothing to do with a question add nothing to the chain', async () => {
    const before = (await store().evidence.verify({})).head;
    await aRun(store(), aKey());
    expect((await store().evidence.verify({})).head).toEqual(before);
  });
});

onEachDatabase(
  ({ store, url }) => {
    // Promise E3
    test('two processes that write at once make one chain', async () => {
      const other = await openStore({ databaseUrl: url() });
      try {
        await Promise.all(upTo(24).map((n) => liveThrough(n % 2 === 0 ? store() : other)));
        const { faults, records } = await store().evidence.verify({});
        expect(faults).toEqual([]);
        expect(records).toBe(24 * 6);
      } finally {
        await other.close();
      }
    });

    // Promise E2
    test('a change without the head of the chain is refused', async () => {
      await onTheSide(url(), 'delete from chain_head');
      await expect(liveShortly(store())).rejects.toThrow();
    });
  },
  ['postgres'],
);
