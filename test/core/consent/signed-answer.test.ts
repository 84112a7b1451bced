// What a policy with `sign: passkey` takes of each source: the one rule that all of them pass.
import { describe, expect, test } from '@jest/globals';
import type { PasskeyProof } from '../../../src/contract/holds/passkey.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import { judgeAnswer } from '../../../src/core/answers/decision.ts';
import { temporalOperatorId } from '../../../src/core/policy/audience.ts';
import { isLinkable } from '../../../src/core/questions/link-page.ts';
import { offerOf } from '../../../src/core/questions/surface-question.ts';
import { expiryActionOf } from '../../../src/core/task/hold-time.ts';
import { whyPeopleOnly } from '../../../src/core/task/supervisors.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { TaskEvent } from '../../../src/core/task/task-state.ts';
import {
  aDecideCommand,
  after,
  aHold,
  anAnswer,
  aPrincipal,
  aQuestion,
  aResume,
  aSuper,
  aTask,
  aWord,
  owner,
} from '../../rigs/factories.ts';

const policy = { sign: 'passkey' as const };
const hold = aHold({ policy });
const proof: PasskeyProof = {
  hold: hold.holdId,
  by: owner,
  digest: hold.digest,
  answer: 'sha256:answer',
  agrees: 'sha256:agreed',
  nonce: 'n',
  at: after('1m'),
  id: 'a-passkey',
  publicKey: 'MFkw',
  authenticatorData: 'AA',
  clientData: 'AA',
  signature: 'AA',
};
const signedEntry = anAnswer(hold, { digest: hold.digest, passkey: proof });
const codeOf = (event: TaskEvent, holds = [hold]): string => {
  const { reply } = reduce(aTask({ phase: 'holding', holds }), event, after('2m'));
  return reply.ok === false ? reply.code : 'taken';
};
const decide = (principal: Principal, entry = anAnswer(hold, { digest: hold.digest })): TaskEvent => ({
  type: 'decide',
  command: aDecideCommand(entry, { principal }),
});

// Promise PK4
describe('where answers are signed, an answer without a passkey is refused', () => {
  const agent: Principal = { id: 'agent:judge', roles: [], isSuper: true };
  const text = aHold({ policy, question: aQuestion({ kind: 'text' }) });
  test.each<[string, TaskEvent, (typeof hold)[]]>([
    ['of those who are asked, by any route, link, Slack, Teams or push', decide(aPrincipal()), [hold]],
    ['of the keyless caller, who owns everything', decide(aSuper), [hold]],
    ['by the signal formResponse', decide({ ...aSuper, id: temporalOperatorId }), [hold]],
    ['of a supervisor agent', decide(agent), [hold]],
    [
      'of a deputy',
      decide({ ...aPrincipal('ben'), alsoFor: [`user:${owner}`] }),
      [aHold({ policy: { ...policy, audience: [`user:${owner}`] } })],
    ],
    [
      'by a run with resume, as AG-UI, A2A and MCP bring it',
      { type: 'run', command: aResume([anAnswer(hold)]) },
      [hold],
    ],
    ['by words in the conversation', { type: 'message', command: aWord('Paris') }, [text]],
  ])('where answers are signed, an answer without a passkey is refused %s', (_, event, holds) => {
    expect(codeOf(event, holds)).toBe('passkey_required');
  });
});

test('A signed answer is taken, and the decision carries the proof', () => {
  const state = aTask({ phase: 'holding', holds: [hold] });
  const { state: next } = reduce(state, decide(aPrincipal(), signedEntry), after('2m'));
  expect(next.holds[0]?.decision ?? next.past[0]?.decision).toMatchObject({ passkey: proof });
});

test('Each vote carries its own proof', () => {
  const two = aHold({ policy: { ...policy, quorum: 2, audience: ['role:x'] } });
  const state = aTask({ phase: 'holding', holds: [two] });
  const ben = { ...proof, by: 'ben' };
  const entry = anAnswer(two, { digest: two.digest, passkey: ben });
  const { state: next } = reduce(state, decide(aPrincipal('ben', 'x'), entry), after('2m'));
  expect(next.holds[0]?.votes).toMatchObject([{ by: 'ben', passkey: ben }]);
});

test.each([
  ['by somebody else', { by: 'ben' }],
  ['of another question', { digest: 'sha256:other' }],
])('A proof %s is not taken for this answer', (_, over) => {
  const entry = { ...signedEntry, passkey: { ...proof, ...over } };
  const judged = judgeAnswer(hold, entry, { principal: aPrincipal(), receivedAt: after('1m') }, owner, after('1m'));
  expect(judged).toMatchObject({ ok: false, code: 'passkey_invalid' });
});

test('Nothing answers in the place of a person: neither agents, nor defaults when the time is over, nor a message', () => {
  const yesNo = { type: 'object', properties: { go: { type: 'boolean' } }, required: ['go'] };
  const question = aQuestion({ kind: 'confirmation', schema: yesNo, defaults: {} });
  const asked = aHold({ policy: { ...policy, expire: { after: '1h', then: 'default' } }, question });
  expect(whyPeopleOnly(asked)).toContain('passkey');
  expect(expiryActionOf({ ...asked, canRefuse: true })).toBe('fail');
  expect(isLinkable(asked)).toBe(false);
  const limits = { fields: 9, choices: 9, title: 999, message: 999, args: 999 };
  const shown = { ...asked, artifacts: [], attachments: [] };
  expect(offerOf(shown, limits)).toEqual({ kind: 'page' });
  expect(offerOf({ ...shown, plan: { danger: false } }, limits)).toMatchObject({ kind: 'yes-no' });
});
