import { describe, expect, test } from '@jest/globals';
import {
  apiPath,
  daysOf,
  filtersOf,
  historyPath,
  isNarrowed,
  noQuery,
  periodOf,
  readQuery,
} from '../../web/src/history/history-query.ts';
import { readFilters, writeFilters } from '../../web/src/base/router/routes.ts';
import { awaitedWords, firstDue } from '../../web/src/hold/own/own-waiting.ts';

describe('the search of the history', () => {
  test('the search of the history comes back from the address as it went in', () => {
    const query = {
      ...noQuery,
      q: 'pay & go',
      requester: 'Rita',
      end: 'expired' as const,
      from: '2026-11-01',
      to: '2026-11-30',
    };
    const path = historyPath(query);
    expect(path).toBe('/history?q=pay+%26+go&requester=Rita&end=expired&from=2026-11-01&to=2026-11-30');
    expect(readQuery(path.slice('/history'.length))).toEqual(query);
    expect(historyPath(noQuery)).toBe('/history');
  });

  test('the search of the history leaves out of the address what means nothing', () => {
    const query = readQuery('?end=won&from=2026-02-30&to=soon&luck=1');
    expect(query).toEqual(noQuery);
    expect(isNarrowed(query)).toBe(false);
  });

  // Promise S52
  test('the search of the history asks for whole days of the reader, both included', () => {
    const asked = new URLSearchParams(apiPath({ ...noQuery, from: '2026-03-29', to: '2026-03-29' }).split('?')[1]);
    const [from, to] = [asked.get('endedFrom') ?? '', asked.get('endedTo') ?? ''].map((text) => new Date(text));
    expect([from?.getDate(), from?.getHours(), to?.getDate(), to?.getHours()]).toEqual([29, 0, 30, 0]);
  });

  // Promise S52
  test('the search of the history knows its usual days by their name, on the reader’s own calendar, and leaves other days as they are', () => {
    const now = new Date(2026, 2, 29, 23, 30).getTime();
    expect(daysOf('today', now)).toEqual({ from: '2026-03-29', to: '' });
    expect(daysOf('week', now)).toEqual({ from: '2026-03-23', to: '' });
    expect(daysOf('month', now)).toEqual({ from: '2026-02-28', to: '' });
    for (const name of ['today', 'week', 'month'] as const) expect(periodOf(daysOf(name, now), now)).toBe(name);
    expect(periodOf({ from: '2026-03-29', to: '2026-03-29' }, now)).toBeNull();
    expect(periodOf({ from: '2026-03-28', to: '' }, now)).toBeNull();
    expect(periodOf({ from: '', to: '' }, now)).toBeNull();
  });

  test('the search of the history is the same for the list and for the table', () => {
    const query = { ...noQuery, by: 'ben' };
    expect(apiPath(query)).toBe('/api/holds?view=decided&endedBy=ben');
    expect(apiPath(query, '.csv')).toBe('/api/holds.csv?view=decided&endedBy=ben');
  });

  test('the search of the history is the same for the list next to an opened result, whose address has all of it', () => {
    const query = {
      q: 'Vienna',
      requester: 'Rita',
      by: 'ben',
      agent: 'expenses',
      policy: 'finance',
      end: 'declined',
      from: '2026-11-01',
      to: '2026-11-30',
    } as const;
    const listed = readFilters(writeFilters(filtersOf(query)));
    expect(listed).toMatchObject(Object.fromEntries(new URLSearchParams(apiPath(query).split('?')[1])));
  });
});

describe('what a request waits for', () => {
  const waiting = (expiresAt: string | null, claimedBy: string | null = null) => ({
    holdId: 'h',
    headline: 'Pay?',
    audience: ['role:finance', 'owner'],
    claimedBy,
    openedAt: '2026-11-22T00:00:00.000Z',
    expiresAt,
    then: 'fail' as const,
    exclude: [],
    ladder: [],
    nudges: [],
    mayNudge: false,
  });

  // Promise S51
  test('what a request waits for is who works on it, else who is asked, with the reader as “you”', () => {
    expect(awaitedWords(waiting(null), 'rita', 'rita')).toBe('waits for finance, you');
    expect(awaitedWords(waiting(null, 'ben'), 'rita', 'rita')).toBe('ben works on it');
    expect(awaitedWords({ ...waiting(null), audience: [] }, 'rita', null)).toBe('no one is asked');
    // A requester whom the policy leaves out is not waited for.
    expect(awaitedWords({ ...waiting(null), exclude: ['requester'] }, 'rita', 'rita')).toBe('waits for finance');
  });

  test('what a request waits for is the question whose time is up first; one without an end comes last', () => {
    const soon = waiting('2026-11-22T10:00:00.000Z');
    expect(firstDue([waiting(null), waiting('2026-11-23T10:00:00.000Z'), soon])).toBe(soon);
    expect(firstDue([])).toBeUndefined();
  });
});
