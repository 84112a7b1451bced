import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import { giveGrant, grantedWith, joinGrant } from '../../../src/api/holds/grants.ts';
import { givenBy } from '../../../src/core/consent/grants.ts';
import { asSent } from '../../../src/core/consent/proof.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aHold, anAnswer, aPrincipal, aQuestion } from '../../rigs/factories.ts';
import { aDigestedRow, aProvedDecision, prover } from '../../rigs/proofs.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { aHold as aRow } from '../../store/stores.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const at = new Date().toISOString();
const person = (id: string): Principal => aPrincipal(id, 'finance');
const policyOf = (grants: object) =>
  PolicySchema.parse({ audience: ['role:finance'], grants: { within: ['amount <= 500'], ...grants } });
const apiOf = (grants: object) => ({
  config: { ...ConfigSchema.parse({}), policies: { finance: policyOf(grants) } },
  now: () => new Date(),
  prover,
  store,
});

let count = 0;
function asked(grants: object, policy: object = {}): HoldRow {
  count += 1;
  const tool = { callId: `c${count}`, name: 'refund', args: { amount: 100, to: 'M' }, isEditable: false };
  const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
  const hold = aHold({
    question: aQuestion({ kind: 'tool_call', schema, tool }),
    policy: { ...policyOf(grants), ...policy },
  });
  return aDigestedRow({ ...aRow({ agent: 'pay' }), ...hold, holdId: `given-${count}`, audience: ['role:finance'] });
}
/** As the row is once its approval was sent. */
const sent = (row: HoldRow, by: Principal): HoldRow => {
  const decision = aProvedDecision(row, { by, at });
  const ended = { by: by.id, at, why: 'approved' as const };
  return { ...row, ...asSent(prover.macOf, row.holdId, { decision, votes: row.votes, ended }), status: 'decided' };
};
const yes = (row: HoldRow) => ({ ...anAnswer(row), values: { approved: true } });

// Promise Y60
test('who gave a grant with others gets it again, also if another one was the first', async () => {
  const allowed = { by: 2 };
  const row = asked(allowed);
  await store.holds.putOnce([row]);
  const decided = sent(row, person('lena'));
  const first = await giveGrant(apiOf(allowed), decided, {}, person('finn'));
  const lena = givenBy(prover.macOf, first, { by: 'lena', as: [], at, credential: null, actor: null });
  await store.grants.give(first.id, lena);
  expect(await giveGrant(apiOf(allowed), decided, {}, person('lena'))).toMatchObject({ id: first.id });
  await expect(giveGrant(apiOf(allowed), decided, {}, person('mona'))).rejects.toMatchObject({
    code: 'changed_meanwhile',
  });
});

// Promise Y60c
test('a grant with a yes is as wide as was shown, and refused where the policy allows only less since', () => {
  const shown = { recheck: '1 in 20', sum: { of: 'amount', most: 900 } };
  const row = asked(shown);
  const given = (now: object) => {
    const entry = yes(row);
    const { proof } = aProvedDecision(row, { by: person('finn'), at });
    if (proof === undefined) throw new Error('the answer has no proof');
    return grantedWith(apiOf(now), row, entry, { sum: 900 }, person('finn'))({ ...entry, proof }).grant?.terms;
  };
  expect(given(shown)).toMatchObject({ recheck: 20, sum: { of: 'amount', most: 900 } });
  expect(given({ recheck: '1 in 100' })).toMatchObject({ recheck: 20, sum: { of: 'amount', most: 900 } });
  expect(() => given({ ...shown, recheck: '1 in 10' })).toThrow(/wider than the policy allows/);
  expect(() => given({ ...shown, by: 2 })).toThrow(/wider than the policy allows/);
});

// Promise Y60c
test('a sum that a policy does not add up is refused with the grant', async () => {
  const row = asked({});
  const decided = sent(row, person('finn'));
  await expect(giveGrant(apiOf({}), decided, { sum: 900 }, person('finn'))).rejects.toMatchObject({
    code: 'payload_invalid',
  });
});

// Promise Y60d
// Promise Y60f
test('persons who could not agree next to each other do not give a grant next to each other', async () => {
  const allowed = { by: 2 };
  const given = async (row: HoldRow, first: Principal, second: Principal): Promise<number> => {
    await store.holds.putOnce([row]);
    const decided = sent(row, first);
    const grant = await giveGrant(apiOf(allowed), decided, {}, first);
    return (await joinGrant(apiOf(allowed), grant, decided, second)).given.length;
  };
  const credential = 'key:desk';
  const [finn, lena] = [
    { ...person('finn'), credential },
    { ...person('lena'), credential },
  ];
  const apart = { quorum: { count: 2, distinct: 'credential' } };
  await expect(given(asked(allowed, apart), finn, lena)).rejects.toMatchObject({ code: 'already_voted' });
  expect(await given(asked(allowed, apart), finn, { ...lena, credential: 'key:lena' })).toBe(2);
  const ofShop = (one: Principal): Principal => ({ ...one, actor: 'shop' });
  const inLenasName = ofShop({ ...lena, credential: 'key:lena' });
  await expect(given(asked(allowed, apart), ofShop(finn), inLenasName)).rejects.toMatchObject({
    code: 'already_voted',
  });
  expect(await given(asked(allowed), finn, lena)).toBe(2);
  const ofFinn = { ...asked(allowed), audience: ['user:finn'] };
  const standIn = { ...aPrincipal('mona'), alsoFor: ['user:finn'] };
  await expect(given(ofFinn, person('finn'), standIn)).rejects.toMatchObject({ code: 'already_voted' });
});

// Promise Y60g
test('a grant is made of the call that was approved, and of none that a writer of the database put in its place', async () => {
  const allowed = { by: 2 };
  const row = asked(allowed);
  await store.holds.putOnce([row]);
  const decided = sent(row, person('finn'));
  const { question, decision } = decided;
  const other = {
    ...question,
    tool: { callId: 'c', name: 'refund', args: { amount: 400, to: 'Eve' }, isEditable: false },
  };
  const refused = { ...aProvedDecision(row, { by: person('finn'), at }), values: { approved: true } };
  const give = (hold: HoldRow): Promise<unknown> => giveGrant(apiOf(allowed), hold, {}, person('finn'));
  const written: HoldRow[] = [
    { ...decided, question: other, artifacts: null },
    { ...decided, question: other, digest: `sha256:${'0'.repeat(64)}` },
    { ...decided, decision: refused },
    { ...decided, decision: decision && { ...decision, by: 'lena' } },
    { ...decided, fault: 'altered' },
  ];
  for (const [n, one] of written.entries())
    expect([n, await give(one).catch(({ code }: { code: string }) => code)]).toEqual([n, 'hold_damaged']);
  const grant = await giveGrant(apiOf(allowed), decided, {}, person('finn'));
  expect(grant.terms.args).toEqual({ amount: 100, to: 'M' });
  const joined = joinGrant(apiOf(allowed), grant, { ...decided, fault: 'altered' }, person('lena'));
  await expect(joined).rejects.toMatchObject({ code: 'hold_damaged' });
});
