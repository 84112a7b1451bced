// What a question says to those who may read it and not decide it.
import { expect, test } from '@jest/globals';
import { waitingWords } from '../../../web/src/hold/words/waiting-words.ts';
import { aHold } from '../../rigs/pages/page-server.ts';

const now = Date.parse('2026-03-02T09:30:00.000Z');
const reader = { locale: 'en-GB', zone: 'UTC' };
const hold = aHold(1, {
  audience: ['role:finance'],
  exclude: [],
  requester: 'bob',
  openedAt: '2026-03-02T09:00:00.000Z',
  expiresAt: '2026-03-02T12:00:00.000Z',
  ladder: [
    { at: '2026-03-02T09:15:00.000Z', do: 'remind', to: [], replace: false, doneAt: '2026-03-02T09:15:00.000Z' },
    { at: '2026-03-02T10:00:00.000Z', do: 'escalate', to: ['role:lead'], replace: false, doneAt: null },
  ],
});

test('a person who may not decide reads whom it waits for, since when, what was done and what comes', () => {
  expect(waitingWords(hold, 'bob', now, reader)).toEqual([
    'Waits for finance, asked 30 min ago.',
    expect.stringMatching(/^Last step: reminder, .*0?9:15\.$/),
    expect.stringMatching(/^Next: ask lead too, .*10:00\.$/),
    expect.stringMatching(/^Its time ends at .*12:00\.$/),
  ]);
});

test('a person who may not decide reads of claims, votes and nudges, and that a question has no end', () => {
  const claimed = {
    ...hold,
    ladder: [],
    nextStep: null,
    expiresAt: null,
    claim: { by: 'cara', at: '2026-03-02T09:20:00.000Z' },
    nudges: [{ by: 'bob', at: '2026-03-02T09:25:00.000Z' }],
    votes: { have: 1, need: 2, by: [] },
  };
  expect(waitingWords(claimed, 'bob', now, reader).slice(1)).toEqual([
    '1 of 2 agreed so far.',
    expect.stringMatching(/^Claimed by cara at .*0?9:20\.$/),
    expect.stringMatching(/^Nudged by you at .*0?9:25\.$/),
    'It has no end.',
  ]);
});
