// Who may write all of the database rewrites rows and the chain alike; what they have no key for is found.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asSent, unprovedIn } from '../../../src/core/consent/proof.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aPrincipal, after, aQuestion } from '../../rigs/factories.ts';
import { aDigestedRow, aProvedDecision, prover } from '../../rigs/proofs.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';

let store: Store;
let pglite: Awaited<ReturnType<typeof openMemoryDatabase>>;
beforeAll(async () => {
  pglite = await openMemoryDatabase();
  store = await openStore({ pglite });
});
afterAll(() => store.close());

const fin = aPrincipal('fin', 'finance');
const tool = { name: 'wire', callId: 'c', args: { amount: 4210 }, isEditable: false };
const question = aQuestion({ kind: 'tool_call', decisionField: 'approved', tool });

/** Proved where it is given by `prover`. */
async function anEnded(
  holdId: string,
  change: (decision: NonNullable<HoldRow['decision']>) => object = (one) => one,
  isSent = true,
) {
  const row = aDigestedRow({
    holdId,
    taskId: `t-${holdId}`,
    interruptId: holdId,
    question,
    audience: ['role:finance'],
  });
  await store.holds.putOnce([row]);
  const given = change(aProvedDecision(row, { by: fin, at: after('1m') })) as NonNullable<HoldRow['decision']>;
  const ended = { by: 'fin', at: after('1m'), why: 'approved' as const };
  const end = { decision: given, answerFingerprint: null, votes: [], supersededBy: null, ended };
  const closed = { status: 'decided' as const, ...end };
  await store.holds.close(holdId, isSent ? asSent(prover.macOf, holdId, closed) : closed);
}

const faultsOf = async (): Promise<[string | null, string][]> => {
  const { faults } = await store.evidence.verify({}, [], (row) => unprovedIn(prover, row));
  return faults.map(({ holdId, what }) => [holdId, what]);
};

// Promise Y75
test('verify names each row whose question or answer was forged, where the chain was rewritten with it, and no other', async () => {
  await anEnded('genuine');
  expect(await faultsOf()).toEqual([]);
  // As a process of Standfast writes it: the chain agrees with what was made up.
  await anEnded('made-up', ({ proof: _proof, ...one }) => one);
  await anEnded('another', (one) => ({ ...one, by: 'ceo' }));
  await anEnded('other-answer', (one) => ({ ...one, values: { approved: true, note: 'x' } }));
  await anEnded('other-role', (one) => ({ ...one, as: ['role:ceo'] }));
  // Promise Y77
  await anEnded('taken-back', (one) => one, false);
  const found = await faultsOf();
  const forged = ['taken-back', 'another', 'made-up', 'other-answer', 'other-role'];
  expect(new Set(found.map(([holdId]) => holdId))).toEqual(new Set(forged));
  expect(found.every(([, what]) => /is not proved|was not sent/.test(what))).toBe(true);
});

// Promise Y75
test('verify recomputes the digest of each question from its row', async () => {
  await anEnded('digested');
  const before = (await faultsOf()).length;
  await pglite.exec(`update holds set question = replace(question, '4210', '9999') where hold_id = 'digested'`);
  const faults = (await faultsOf()).filter(([holdId]) => holdId === 'digested');
  expect(faults.map(([, what]) => what)).toContain('the question is not the one that its digest covers');
  expect((await faultsOf()).length).toBeGreaterThan(before);
});
