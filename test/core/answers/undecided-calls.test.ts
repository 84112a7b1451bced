// Which results of tools that have to be asked about came without anybody's decision.
import { expect, test } from '@jest/globals';
import type { Decision } from '../../../src/contract/holds/decision.ts';
import { type AskedCall, undecidedCalls } from '../../../src/core/answers/undecided-calls.ts';

const decision: Decision = {
  by: 'ana',
  at: '2026-03-02T09:00:00.000Z',
  status: 'resolved',
  values: { approved: true },
  reason: null,
  source: 'rest',
  seenDigest: null,
  credential: null,
  actor: null,
  digest: 'sha256:00',
};
const asked = (shownCallId: string, decided: Decision | null = decision): AskedCall => ({
  shownCallId,
  decision: decided,
});
const words: AskedCall = { shownCallId: null, decision };

// Promise D17
test.each<[string, string[], AskedCall[], string[]]>([
  ['a call that was decided', ['pay 1'], [asked('1')], []],
  ['a call that was refused', ['pay 1'], [asked('1', { ...decision, status: 'cancelled' })], []],
  ['a call without a question', ['pay 1'], [], ['1']],
  ['a call whose question ended without a decision', ['pay 1'], [asked('1', null)], ['1']],
  ['a decision on another call', ['pay 1', 'pay 2'], [asked('1')], ['2']],
  ['the same id again', ['pay 1', 'pay 1~2'], [asked('1')], ['1~2']],
  ['the same id again, asked about both times', ['pay 1', 'pay 1~2'], [asked('1'), asked('1~2')], []],
  ['a decision in words', ['pay 1'], [words], ['1']],
  ['a tool that need not ask', ['look 1'], [], []],
])('a result needs a decision on its own call: %s', (_what, given, holds, expected) => {
  const results = given.map((one) => {
    const [tool = '', callId = ''] = one.split(' ');
    return { callId, tool };
  });
  expect(undecidedCalls(['pay'], results, holds).map(({ callId }) => callId)).toEqual(expected);
});
