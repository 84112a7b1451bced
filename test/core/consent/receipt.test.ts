import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { AnswerEntry, Decision, DecisionSource } from '../../../src/contract/holds/decision.ts';
import type { ClosedHold } from '../../../src/contract/holds/hold.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import { temporalOperatorId } from '../../../src/core/policy/audience.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { receiptClaims, type ReceiptClaims } from '../../../src/core/consent/receipt.ts';
import { askedAs } from '../../../src/core/policy/audience.ts';
import { canonicalJson } from '../../../src/core/base/json.ts';
import { reduce } from '../../../src/core/task/task.ts';
import { aDigestedRow, aProvedDecision, aProvedVote, prover } from '../../rigs/proofs.ts';
import { aDecideCommand, aHold, anAnswer, aPrincipal, aQuestion, aTask, after } from '../../rigs/factories.ts';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const args = { amount: 4210, to: 'Miller' };
const question = aQuestion({
  kind: 'tool_call',
  schema: { type: 'object', properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } } },
  decisionField: 'approved',
  tool: { name: 'wire', callId: 'c1', args, isEditable: true },
});
const fin = aPrincipal('fin', 'finance');
const leg = aPrincipal('leg', 'finance');
const bare = aDigestedRow({ question, audience: ['role:finance'] });
const terms = { receipt: { forMs: 600_000, version: 'sha256:v' }, graceMs: 600_000 };
const hold: HoldRow = { ...bare, plan: { ...bare.plan, ...terms } };
const yes = { values: { approved: true } };

function claimsOf(
  { row = hold, decision = aProvedDecision(row, { by: fin, at: after('2m'), entry: yes }) } = {},
  { status = 'decided', votes = [] }: Partial<ClosedHold> = {},
): ReceiptClaims | null {
  const ended = { by: 'fin', at: after('12m'), why: 'approved' as const };
  const closed = { status, votes, decision, ended };
  return receiptClaims(
    { issuer: 'https://h.example', agent: 'a2a:pay', a2aTaskId: 'a1', hold: row, closed, from: 'workflow' },
    sha256,
    prover,
  );
}

const givenBy = (row: HoldRow, given: Partial<AnswerEntry>, at = after('2m')) =>
  claimsOf({ row, decision: aProvedDecision(row, { by: fin, at, entry: given }) });

/** As proved as a process with the key can make it. */
const givenWith = (given: { by?: Principal; source?: DecisionSource }): Decision =>
  aProvedDecision(hold, { by: fin, at: after('2m'), entry: yes, ...given });
const operator = aPrincipal(temporalOperatorId, 'finance');
const { proof: _proof, ...unproved } = givenWith({});
const otherQuestion = aQuestion({
  ...question,
  tool: { name: 'wire', callId: 'c1', args: { amount: 1 }, isEditable: true },
});
const signedRow: HoldRow = { ...hold, plan: { ...hold.plan, sign: 'passkey' } };

describe('the receipt of an approval', () => {
  // Promise RC1
  test('the receipt of an approval says which call, who approved it with which role, under which policy, what was shown, and until when', () => {
    expect(claimsOf()).toMatchObject({
      iss: 'https://h.example',
      sub: hold.holdId,
      agent: 'a2a:pay',
      kind: 'people',
      task: 'a1',
      tool: { name: 'wire', callId: 'c1', argsHash: sha256(canonicalJson(args)) },
      answerHash: sha256('{"approved":true}'),
      by: [{ id: 'fin', as: ['role:finance'], at: after('2m') }],
      quorum: 1,
      policy: { name: hold.plan.policy, version: 'sha256:v' },
      digest: hold.digest,
      iat: Date.parse(after('12m')) / 1000,
      exp: Date.parse(after('22m')) / 1000,
    });
  });

  // Promise RC1
  test('the receipt of an approval is the same each time it is made, and another for another question', () => {
    expect(claimsOf()).toEqual(claimsOf());
    expect(claimsOf()?.jti).not.toBe(givenBy(aDigestedRow({ ...hold, holdId: 'h-2' }), yes)?.jti);
  });

  // Promise RC1
  test('the receipt of an approval has the arguments as people edited them', () => {
    const editedArgs = { ...args, amount: 1 };
    expect(givenBy(hold, { values: { approved: true, editedArgs } })?.tool?.argsHash).toBe(
      sha256(canonicalJson(editedArgs)),
    );
  });

  // Promise RC1
  test('the receipt of an approval names all who agreed where several must', () => {
    const row = { ...hold, plan: { ...hold.plan, quorum: 2 } };
    const votes = [fin, leg].map((by) => aProvedVote(row, { by, at: after('2m'), entry: yes }));
    const decision = aProvedDecision(row, { by: leg, at: after('2m'), entry: yes });
    const claims = claimsOf({ row, decision }, { votes });
    expect(claims).toMatchObject({ quorum: 2, by: [{ id: 'fin' }, { id: 'leg' }] });
  });

  test('the receipt of an approval has no hash of what is secret in the answer', () => {
    const asked = aDigestedRow({ ...hold, question: { ...question, secrets: ['pin'] } });
    expect(givenBy(asked, { values: { approved: true, pin: '1234' } })?.answerHash).toBe(sha256('{"approved":true}'));
  });

  // Promise RC1
  // Promise Y52
  test.each([
    ['a no', () => givenBy(hold, { values: { approved: false } })],
    ['an answer that is neither a yes nor a no', () => givenBy(hold, { values: { note: 'No! I do not allow this.' } })],
    ['a refusal', () => claimsOf({}, { status: 'cancelled' })],
    ['an answer that the clock gave', () => claimsOf({ decision: givenWith({ source: 'clock' }) })],
    ['an answer by the signal of Temporal’s tools', () => claimsOf({ decision: givenWith({ source: 'signal' }) })],
    [
      'an answer of somebody whom Temporal’s tools do not name',
      () => claimsOf({ decision: givenWith({ by: operator }) }),
    ],
    ['a question that expired', () => claimsOf({}, { status: 'expired' })],
    ['a policy that gives none', () => claimsOf({ row: bare })],
    ['a decision that nobody proved', () => claimsOf({ decision: unproved })],
    ['a question that is not the one of its digest', () => claimsOf({ row: { ...hold, question: otherQuestion } })],
    ['fewer people than its policy wants', () => claimsOf({ row: { ...hold, plan: { ...hold.plan, quorum: 2 } } })],
    ['a policy that wants a passkey, and an answer without', () => claimsOf({ row: signedRow })],
  ])('the receipt of an approval does not exist for %s', (_what, claims) => {
    expect(claims()).toBeNull();
  });
});

describe('a decision', () => {
  // Promise RC1
  test('a decision keeps by which entries of the audience its author was asked', () => {
    const asked = (...audience: string[]) => aHold({ policy: { audience } });
    expect(askedAs(asked('role:finance', 'user:fin', 'role:lead'), fin, 'olga')).toEqual(['role:finance', 'user:fin']);
    expect(askedAs(asked('role:finance', 'owner'), aPrincipal('olga'), 'olga')).toEqual(['owner']);
    const open = aHold({ n: 1, policy: { audience: ['role:finance'] } });
    const state = aTask({ phase: 'holding', holds: [open] });
    const command = aDecideCommand(anAnswer(open), {
      principal: aPrincipal('fin', 'finance'),
      receivedAt: after('2m'),
    });
    const { reply } = reduce(state, { type: 'decide', command }, after('2m'));
    expect(reply).toMatchObject({ ok: true, decide: { decision: { by: 'fin', as: ['role:finance'] } } });
  });
});
