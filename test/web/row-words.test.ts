import { describe, expect, test } from '@jest/globals';
import { endWords, spokenRest, titleOf, wasGranted } from '../../web/src/inbox/row-words.ts';
import { aRow, decided } from './rows.ts';

const end = (why: 'decided' | 'declined' | 'expired' | 'withdrawn' | 'superseded' | 'cancelled', by = 'cem') => ({
  by,
  at: '2026-11-20T13:03:00.000Z',
  why,
});

describe('a line', () => {
  test('bears a tick where somebody said yes, and none where he said no', () => {
    expect(wasGranted(decided(aRow()))).toBe(true);
    expect(wasGranted({ ...decided(aRow()), ended: end('declined') })).toBe(false);
    expect(wasGranted(aRow({ status: 'expired', ended: end('expired') }))).toBe(false);
  });

  test('is known by its title, and without one by what it asks', () => {
    expect(titleOf(aRow({ title: 'Pay?', lead: null }))).toBe('Pay?');
    expect(titleOf(aRow({ title: 'The agent asks', lead: 'Which cost centre?' }))).toBe('Which cost centre?');
    expect(titleOf(aRow({ title: ' ', lead: null }))).toBe('A question');
  });
});

describe('the end of a question', () => {
  test.each([
    ['Approved by Cem', decided(aRow(), 'Cem'), 'ana'],
    ['Approved by you', decided(aRow(), 'ana'), 'ana'],
    ['Answered by cem', decided(aRow({ kind: 'form' })), 'ana'],
    [
      'Rejected by cem',
      aRow({ status: 'cancelled', decidedBy: 'cem', decidedStatus: 'cancelled', ended: end('declined') }),
      'ana',
    ],
    ['Rejected by cem', { ...decided(aRow({ kind: 'form' })), ended: end('declined') }, 'ana'],
    ['Declined by cem', aRow({ kind: 'text', status: 'cancelled', decidedBy: 'cem', ended: end('declined') }), 'ana'],
    ['Expired (policy finance)', aRow({ status: 'expired', ended: end('expired', 'policy:finance') }), 'ana'],
    ['Withdrawn by the agent', aRow({ status: 'withdrawn', ended: end('withdrawn', 'agent:expenses') }), 'ana'],
    ['The agent asked again', aRow({ status: 'withdrawn', supersededBy: 'h-2', ended: end('superseded') }), 'ana'],
    ['Task cancelled by cem', aRow({ status: 'cancelled', ended: end('cancelled') }), 'ana'],
  ])('reads "%s" and nothing that could be mistaken for another end', (words, row, me) => {
    expect(endWords(row, me)).toBe(words);
  });
});

describe('a line for ears', () => {
  test('says agent, kind and time left after its title', () => {
    expect(spokenRest(aRow(), '9 minutes left', 'ana')).toBe(', expenses, tool call, 9 minutes left');
  });

  test('adds votes, who works on it, and escalations', () => {
    const row = aRow({ votes: { have: 1, need: 2 }, claim: { by: 'ana', at: '' }, escalations: 1 });
    expect(spokenRest(row, 'no end', 'ana')).toContain('1 of 2 votes, you work on it, escalated');
  });

  test('says how it ended, and when', () => {
    expect(spokenRest(decided(aRow()), '2 min ago', 'ana')).toBe(', expenses, tool call, Approved by cem, 2 min ago');
  });
});
