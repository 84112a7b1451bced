import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Decision } from '../../../src/contract/holds/decision.ts';
import type { ClosedHold } from '../../../src/contract/holds/hold.ts';
import type { LadderPlan } from '../../../src/contract/configuration/policy.ts';
import { askedAs, receiptClaims, type ReceiptClaims } from '../../../src/core/consent/receipt.ts';
import { canonicalJson } from '../../../src/core/base/json.ts';
import { reduce } from '../../../src/core/task/task.ts';
import { aDecideCommand, aHold, anAnswer, aPrincipal, aQuestion, aTask, after } from '../../rigs/factories.ts';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const args = { amount: 4210, to: 'Miller' };
const question = aQuestion({
  kind: 'tool_call',
  schema: { type: 'object', properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } } },
  decisionField: 'approved',
  tool: { name: 'wire', callId: 'c1', args, isEditable: true },
});
const bare = aHold({ question });
const hold = { ...bare, plan: { ...bare.plan, receipt: { forMs: 600_000, version: 'sha256:v' } } };
const decision: Decision = {
  by: 'fin',
  at: after('2m'),
  status: 'resolved',
  values: { approved: true },
  reason: null,
  source: 'page',
  seenDigest: hold.digest,
  credential: 'key:fin',
  actor: null,
  digest: hold.digest,
  as: ['role:finance'],
};

function claimsOf(
  given: Partial<Decision> = {},
  {
    status = 'decided',
    votes = [],
    plan = hold.plan,
    secrets = [] as string[],
  }: Partial<ClosedHold> & {
    plan?: LadderPlan;
    secrets?: string[];
  } = {},
): ReceiptClaims | null {
  const ended = { by: 'fin', at: after('12m'), why: 'approved' as const };
  const closed = { status, votes, decision: { ...decision, ...given }, ended };
  const asked = { ...hold, plan, question: { ...question, secrets } };
  return receiptClaims({ issuer: 'https://h.example', agent: 'pay', a2aTaskId: 'a1', hold: asked, closed }, sha256);
}

describe('the receipt of an approval', () => {
  // Promise RC1
  test('the receipt of an approval says which call, who approved it with which role, under which policy, what was shown, and until when', () => {
    expect(claimsOf()).toMatchObject({
      iss: 'https://h.example',
      sub: hold.holdId,
      agent: 'pay',
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
  test('the receipt of an approval is the same each time it is made, and another for another decision', () => {
    expect(claimsOf()).toEqual(claimsOf());
    expect(claimsOf()?.jti).not.toBe(claimsOf({ at: after('3m') })?.jti);
  });

  // Promise RC1
  test('the receipt of an approval has the arguments as people edited them', () => {
    const editedArgs = { ...args, amount: 1 };
    expect(claimsOf({ values: { approved: true, editedArgs } })?.tool?.argsHash).toBe(
      sha256(canonicalJson(editedArgs)),
    );
  });

  // Promise RC1
  test('the receipt of an approval names all who agreed where several must', () => {
    const vote = (by: string) => ({ ...decision, by, fingerprint: 'p' });
    const claims = claimsOf({ by: 'leg' }, { votes: [vote('fin'), vote('leg')], plan: { ...hold.plan, quorum: 2 } });
    expect(claims).toMatchObject({ quorum: 2, by: [{ id: 'fin' }, { id: 'leg' }] });
  });

  test('the receipt of an approval has no hash of what is secret in the answer', () => {
    expect(claimsOf({ values: { approved: true, pin: '1234' } }, { secrets: ['pin'] })?.answerHash).toBe(
      sha256('{"approved":true}'),
    );
  });

  // Promise RC1
  // Promise Y52
  test.each([
    ['a no', () => claimsOf({ values: { approved: false } })],
    ['an answer that is neither a yes nor a no', () => claimsOf({ values: { note: 'No! I do not allow this.' } })],
    ['a refusal', () => claimsOf({ status: 'cancelled' }, { status: 'cancelled' })],
    ['an answer that the clock gave', () => claimsOf({ source: 'clock', by: 'policy:x' })],
    ['a question that expired', () => claimsOf({}, { status: 'expired' })],
    ['a policy that gives none', () => claimsOf({}, { plan: bare.plan })],
  ])('the receipt of an approval does not exist for %s', (_what, claims) => {
    expect(claims()).toBeNull();
  });
});

describe('a decision', () => {
  // Promise RC1
  test('a decision keeps by which entries of the audience its author was asked', () => {
    expect(askedAs(['role:finance', 'user:fin', 'role:lead'], aPrincipal('fin', 'finance'))).toEqual([
      'role:finance',
      'user:fin',
    ]);
    expect(askedAs(['role:finance', 'owner'], aPrincipal('olga'))).toEqual(['owner']);
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
