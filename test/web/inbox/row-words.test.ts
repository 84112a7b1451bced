import { describe, expect, test } from '@jest/globals';
import {
  detailWords,
  endedDetailWords,
  endGlyph,
  endWords,
  spokenRest,
  tabTitle,
} from '../../../web/src/hold/row/row-words.ts';
import { aRow, decided } from './rows.ts';

const end = (
  why: 'approved' | 'answered' | 'declined' | 'expired' | 'withdrawn' | 'superseded' | 'cancelled',
  by = 'cem',
) => ({
  by,
  at: '2026-11-20T13:03:00.000Z',
  why,
});

describe('a line', () => {
  // Promise S45
  test('a line bears a drawing and a colour of its own for each end', () => {
    const glyphs = [
      decided(aRow()),
      { ...decided(aRow({ kind: 'form' })), ended: end('answered') },
      { ...decided(aRow()), ended: end('declined') },
      aRow({ status: 'expired', ended: end('expired') }),
      aRow({ status: 'withdrawn', ended: end('withdrawn') }),
      aRow({ status: 'withdrawn', supersededBy: 'h-2', ended: end('superseded') }),
      aRow({ status: 'cancelled', ended: end('cancelled') }),
    ].map((row) => Object.values(endGlyph(row)).join(' '));
    expect(glyphs).toEqual([
      'granted ok',
      'granted accent',
      'refused danger',
      'clock warn',
      'slash muted',
      'rotate muted',
      'slash muted',
    ]);
  });

  test('a line of one that has ended says that other values were granted than were proposed', () => {
    const ended = aRow({ status: 'decided', values: [{ name: 'amount', value: 80 }], changed: true });
    expect(endedDetailWords(ended, 'ana')).toEqual(['Amount 80', 'changed', 'for bob']);
    expect(endedDetailWords({ ...ended, changed: false }, 'ana')).toEqual(['Amount 80', 'for bob']);
  });

  // Promise S44
  test('a line says below its headline what sort of question it is, what about, and for whom', () => {
    const row = aRow({
      kind: 'form',
      title: 'Approve an expense',
      headline: 'Lunch with the customer, 17.50 EUR',
      values: [
        { name: 'cost_centre', value: 4711 },
        { name: 'amount', value: '17.50 EUR' },
        { name: 'purpose', value: 'sales' },
        { name: 'urgent', value: true },
      ],
      requiredLeft: 3,
    });
    expect(detailWords(row, 'ana')).toEqual([
      'Approve an expense',
      `Cost centre ${new Intl.NumberFormat().format(4711)}`,
      'sales',
      '3 fields left',
      'for bob',
    ]);
    expect(detailWords(aRow(), 'bob')).toEqual(['tool call', 'for you']);
  });

  // Promise S44
  test('a line says an amount with its currency, and nothing that its headline says in other digits', () => {
    const args = {
      title: 'Genehmigen?',
      hasOwnTitle: false,
      tool: { callId: 'c', name: 'refund_payment', isEditable: false },
      values: [
        { name: 'to', value: 'Miller Ltd' },
        { name: 'sueldo', value: 4210.5, role: 'amount' as const },
        { name: 'moneda', value: 'EUR', role: 'currency' as const },
      ],
    };
    const own = aRow({ ...args, hasOwnTitle: true, title: 'Approve refund?', headline: 'Order 4711' });
    expect(detailWords(own, 'bob')[0]).toBe('Approve refund?');
    expect(detailWords(aRow({ ...args, headline: 'Order 4711' }), 'bob')).toEqual([
      'Miller Ltd',
      '€4,210.50',
      'for you',
    ]);
    for (const amountText of ['4,210.50', '4.210,50', '4210.5'])
      expect(detailWords(aRow({ ...args, headline: `Refund ${amountText} EUR to Miller Ltd` }), 'bob')).toEqual([
        'tool call',
        'for you',
      ]);
  });

  test('a line names what a day, a time or a code is of, and leaves words as they are', () => {
    const values = [
      { name: 'starts_at', value: '22:00' },
      { name: 'booking', value: '4711-2' },
      { name: 'city', value: 'Lyon' },
    ];
    expect(detailWords(aRow({ values }), 'bob')).toEqual(['Starts at 22:00', 'Booking 4711-2', 'Lyon', 'for you']);
  });

  // Promise S44
  test('a line says what the message begins with, where it has no values', () => {
    const row = aRow({ kind: 'confirmation', about: 'It takes 40 seconds.' });
    expect(detailWords(row, 'bob')).toEqual(['It takes 40 seconds.', 'for you']);
  });
});

describe('the end of a question', () => {
  test.each([
    ['Approved by Cem', decided(aRow(), 'Cem'), 'ana'],
    ['Approved by you', decided(aRow(), 'ana'), 'ana'],
    ['Answered by cem', { ...decided(aRow({ kind: 'form' })), ended: end('answered') }, 'ana'],
    [
      'Rejected by cem',
      aRow({ status: 'cancelled', decidedBy: 'cem', decidedStatus: 'cancelled', ended: end('declined') }),
      'ana',
    ],
    ['Rejected by cem', { ...decided(aRow({ kind: 'form' })), ended: end('declined') }, 'ana'],
    ['Declined by cem', aRow({ kind: 'text', status: 'cancelled', decidedBy: 'cem', ended: end('declined') }), 'ana'],
    ['Expired (policy finance)', aRow({ status: 'expired', ended: end('expired', 'policy:finance') }), 'ana'],
    ['Withdrawn by the agent', aRow({ status: 'withdrawn', ended: end('withdrawn', 'agent:expenses') }), 'ana'],
    [
      'Ended with the other question (policy ops)',
      aRow({ status: 'withdrawn', ended: end('withdrawn', 'policy:ops') }),
      'ana',
    ],
    ['The agent asked again', aRow({ status: 'withdrawn', supersededBy: 'h-2', ended: end('superseded') }), 'ana'],
    ['Task cancelled by cem', aRow({ status: 'cancelled', ended: end('cancelled') }), 'ana'],
  ])('the end of a question reads "%s" and nothing that could be mistaken for another end', (words, row, me) => {
    expect(endWords(row, me)).toBe(words);
  });
});

describe('a line for ears', () => {
  test('a line for ears says agent, kind and time left after its title', () => {
    expect(spokenRest(aRow(), '9 minutes left', 'ana')).toBe(', expenses, tool call, 9 minutes left, for bob');
  });

  test('a line for ears tells twenty questions with one title apart by their values and requesters', () => {
    const lines = Array.from({ length: 20 }, (_, n) =>
      aRow({ values: [{ name: 'amount', value: 100 + (n % 10) }], requester: n < 10 ? 'bob' : 'cem' }),
    );
    const spoken = lines.map((row) => spokenRest(row, '9 minutes left', 'ana'));
    expect(new Set(spoken).size).toBe(20);
    expect(spoken[0]).toBe(', expenses, tool call, 9 minutes left, Amount 100, for bob');
  });

  test('a line for ears adds escalations, votes and who works on it, as they are shown', () => {
    const row = aRow({ votes: { have: 1, need: 2 }, claim: { by: 'ana', at: '' }, escalations: 1 });
    expect(spokenRest(row, 'no end', 'ana')).toContain(', escalated, 1 of 2 votes, you work on it');
  });

  test('a line for ears says how it ended, and when', () => {
    expect(spokenRest(decided(aRow()), '2 min ago', 'ana')).toBe(
      ', expenses, tool call, Approved by cem, 2 min ago, for bob',
    );
  });
});

describe('the title of a tab', () => {
  const goAhead = (change: Parameters<typeof aRow>[0]) => tabTitle(aRow({ headline: 'Go ahead?', ...change }));

  test('the title of a tab says what a question with few words is about, so that no two are alike', () => {
    expect(goAhead({ values: [{ name: 'to', value: 'Miller Ltd' }] })).toBe('Go ahead? · Miller Ltd');
    expect(goAhead({ about: 'The web server is updated.' })).toBe('Go ahead? · The web server is updated.');
    expect(goAhead({ quotation: { by: 'user:bob', words: 'Update the web server' } })).toBe(
      'Go ahead? · Update the web server',
    );
  });

  test('the title of a tab names the agent where the question says all, or nothing more is known', () => {
    expect(goAhead({ agent: 'expenses' })).toBe('Go ahead? · expenses');
    expect(goAhead({ headline: 'Pay Miller Ltd?', values: [{ name: 'to', value: 'Miller Ltd' }] })).toBe(
      'Pay Miller Ltd? · expenses',
    );
  });
});
