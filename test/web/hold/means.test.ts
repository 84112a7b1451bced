// What each button says that it will do: every way to say yes and no, at once and with a grace, alone and with others.
import { expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { answerMeans, noMeans, type No, yesMeans } from '../../../web/src/hold/decide/means.ts';
import { approveMeans } from '../../../web/src/inbox/bulk/bulk-state.ts';
import { aHold } from '../../rigs/pages/page-server.ts';

const grace = { graceMs: 15_000 };
const ofTwo = { votes: { have: 0, need: 2, by: [] } };
const oneOfTwo = { pause: { index: 1, count: 2, holdIds: [] } };

test.each<[Partial<HoldView>, string]>([
  [{}, 'Does it. This is final.'],
  [grace, 'Does it. You can take it back for 15 s.'],
  [{ sendsAtOnce: true }, 'Does it. You took one back: this one is sent at once.'],
  [ofTwo, 'Counts as one of 2 needed. You can withdraw it until then.'],
  [oneOfTwo, 'The task goes on when all its questions are answered.'],
  [{ ...oneOfTwo, ...grace }, 'The task goes on when all its questions are answered. You can take it back for 15 s.'],
])('a yes to %j means: %s', (change, words) => {
  expect(yesMeans(aHold(1, change), 'Does it.')).toBe(words);
});

const takesNo = { onReject: 'answers' } as const;
const cancels = { onReject: 'cancels' } as const;
test.each<[No, Partial<HoldView>, string]>([
  ['reject', takesNo, 'Rejecting tells expenses no; it goes on without.'],
  [
    'reject',
    { ...takesNo, ...grace },
    'Rejecting tells expenses no; it goes on without. You can take it back for 15 s.',
  ],
  ['reject', cancels, 'Rejecting cancels the task.'],
  ['reject', { ...cancels, ...grace }, 'Rejecting cancels the task. You can take it back for 15 s.'],
  ['reject', { ...cancels, ...ofTwo }, 'Rejecting cancels the task. One rejection is enough.'],
  ['decline', takesNo, 'Declining tells expenses no; it goes on.'],
  ['decline', { ...takesNo, ...grace }, 'Declining tells expenses no; it goes on. You can take it back for 15 s.'],
  [
    'decline',
    { ...takesNo, ...oneOfTwo },
    'Declining tells expenses so, with the answers to the other questions; if all are declined, the task is cancelled.',
  ],
  ['decline', cancels, 'Declining cancels the task.'],
  ['decline', { ...cancels, ...grace }, 'Declining cancels the task. You can take it back for 15 s.'],
  ['refuse', takesNo, 'Refusing tells expenses no; it goes on.'],
  ['refuse', { ...takesNo, ...grace }, 'Refusing tells expenses no; it goes on. You can take it back for 15 s.'],
  ['refuse', cancels, 'Refusing cancels the task.'],
])('a no by %s, with %j, means: %s', (no, change, words) => {
  expect(noMeans(aHold(1, change), no)).toBe(words);
});

test('what sends an answer says first how many required fields are left', () => {
  expect(answerMeans(aHold(1), 0)).toBe('The agent gets it and goes on. This is final.');
  expect(answerMeans(aHold(1), 1)).toBe('1 required field left. The agent gets it and goes on. This is final.');
  expect(answerMeans(aHold(1, ofTwo), 2)).toBe(
    '2 required fields left. Counts as one of 2 needed. You can withdraw it until then.',
  );
});

test('of several at once it says for how long each can be taken back, and no more than is true of all', () => {
  const proposal = 'Each agent goes on with what it proposed.';
  expect(approveMeans([aHold(1)])).toBe(`${proposal} This is final.`);
  expect(approveMeans([aHold(1, grace), aHold(2, { graceMs: 9_000 })])).toBe(
    `${proposal} Each can be taken back for 9 s.`,
  );
  expect(approveMeans([aHold(1, grace), aHold(2)])).toBe(`${proposal} Only some can be taken back for a moment.`);
});
