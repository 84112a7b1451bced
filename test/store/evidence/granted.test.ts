// Who gave a standing grant, and who ended it, in the evidence.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Granter, GrantTerms } from '../../../src/contract/base/grant.ts';
import { prover } from '../../rigs/proofs.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { EvidenceLine } from '../../../src/store/ports/evidence.ts';
import type { Store } from '../../../src/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

async function records(): Promise<Record<string, unknown>[]> {
  const lines: EvidenceLine[] = [];
  await store.evidence.export({}, (line) => void lines.push(line));
  return lines.flatMap((line) => (line.type === 'record' ? [JSON.parse(line.record) as Record<string, unknown>] : []));
}

const terms: GrantTerms = {
  agent: 'a2a:payments',
  tool: 'pay',
  policy: 'refunds',
  args: { to: 'Acme, who is not to be named' },
  ranges: [],
  times: 5,
  sum: null,
  until: '2026-12-01T00:00:00.000Z',
  recheck: 20,
  need: 2,
};
const by = (name: string): Granter => ({
  by: name,
  as: ['role:finance'],
  at: '2026-11-01T00:00:00.000Z',
  credential: null,
  actor: 'shop',
  mac: 'not-for-the-record',
});

// Promise Y59a
test('the evidence has once each who gave a standing grant and who ended it, and none of the words of its call', async () => {
  const grant = { id: 'grant-1', hold: 'hold-1', terms, given: [by('anna')] } as never;
  await store.grants.put(grant, prover);
  await store.grants.put(grant, prover);
  await store.grants.give('grant-1', by('ben'));
  await store.grants.give('grant-1', by('ben'));
  const ended = { by: 'ops', at: '2026-11-02T00:00:00.000Z', why: 'revoked' as const };
  await store.grants.end('grant-1', ended);
  await store.grants.end('grant-1', { ...ended, by: 'another' });
  const found = await records();
  const granted = { kind: 'granted', grant: 'grant-1', of: 'hold-1', tool: 'pay', policy: 'refunds', need: 2 };
  expect(found).toMatchObject([
    { ...granted, by: 'anna', actor: 'shop' },
    { ...granted, by: 'ben' },
    { kind: 'grant-ended', grant: 'grant-1', ...ended },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/Acme|not-for-the-record/);
  expect((await store.evidence.verify({})).faults).toEqual([]);
});

// Promise Y59a
test('a standing grant and its record are written together, or neither', async () => {
  const before = (await records()).length;
  const failing = store.tx(async (tables) => {
    await tables.grants.put({ id: 'grant-2', hold: 'hold-2', terms, given: [by('anna')] }, prover);
    throw new Error('the transaction fails');
  });
  await expect(failing).rejects.toThrow('the transaction fails');
  expect(await store.grants.get('grant-2')).toBeNull();
  expect(await records()).toHaveLength(before);
});
