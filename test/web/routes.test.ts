import { openable } from '../../web/src/base/router/openable.ts';
import { describe, expect, test } from '@jest/globals';
import { holdEndReasons } from '../../src/contract/holds/hold-names.ts';
import { metricNames } from '../../src/contract/views/inbox-names.ts';
import { holdKinds } from '../../src/contract/base/kind-names.ts';
import {
  dueHours,
  holdPath,
  inboxPath,
  nextRoute,
  noFilters,
  ownAddress,
  readFilters,
  readRoute,
  views,
  writeFilters,
  type Filters,
} from '../../web/src/base/router/routes.ts';
import { fc } from '../rigs/properties.ts';

const route = (path: string): ReturnType<typeof readRoute> => {
  const url = new URL(path, 'http://standfast.test');
  return readRoute(url.pathname, url.search);
};

describe('an address', () => {
  test('an address names a page', () => {
    expect(route('/')).toEqual({ page: 'inbox', holdId: null, filters: noFilters });
    expect(route('/holds/abc?view=team')).toEqual({
      page: 'inbox',
      holdId: 'abc',
      filters: { ...noFilters, view: 'team' },
    });
    expect(route('/tasks/t-1')).toEqual({ page: 'task', id: 't-1' });
    expect(route('/chat/expenses?thread=a%20b')).toEqual({ page: 'chat', agent: 'expenses', thread: 'a b' });
    expect(route('/chat')).toEqual({ page: 'chat', agent: null, thread: null });
    expect(route('/overview')).toEqual({ page: 'overview' });
    expect(route('/operate/agents')).toEqual({ page: 'agents' });
    expect(route('/operate/operations')).toEqual({ page: 'operations' });
  });

  test('an address that keeps the filters keeps the very ones that the rows were drawn by', () => {
    const list = route('/?view=team&q=rent');
    expect(nextRoute(list, '/holds/abc', '?q=rent&view=team')).toEqual({ ...list, holdId: 'abc' });
    const filtersOf = (next: typeof list) => (next.page === 'inbox' ? next.filters : null);
    expect(filtersOf(nextRoute(list, '/holds/abc', '?q=rent&view=team'))).toBe(filtersOf(list));
    expect(nextRoute(list, '/', '')).toEqual(route('/'));
    expect(nextRoute(route('/tasks/t-1'), '/', '')).toEqual(route('/'));
  });

  test('an address that is unknown, or broken, names the missing page', () => {
    for (const path of ['/nothing', '/figures', '/holds/a/b', '/holds/%E0%A4%A', '/operate', '/holds'])
      expect(route(path)).toEqual({ page: 'missing' });
  });

  test('an address carries any id unharmed', () => {
    const id = 'hitl-ä/b?c#d-1';
    expect(route(holdPath(id))).toMatchObject({ page: 'inbox', holdId: id });
  });

  test('an address after a sign-in is one of our own', () => {
    expect(ownAddress('/holds/x?view=team')).toBe('/holds/x?view=team');
    for (const foreign of ['//evil.example', 'https://evil.example', '/\\evil.example', null, 'javascript:alert(1)']) {
      expect(ownAddress(foreign)).toBe('/');
    }
  });
});

describe('filters', () => {
  test('live in the address, and only where they differ from the first page', () => {
    expect(inboxPath(noFilters)).toBe('/');
    expect(inboxPath({ ...noFilters, view: 'all', q: 'pay & go', kind: 'tool_call' })).toBe(
      '/?view=all&q=pay+%26+go&kind=tool_call',
    );
  });

  test('filters that are unknown are those of the first page', () => {
    expect(readFilters('?view=theirs&kind=x&sort=best&metric=luck&days=366&dueWithin=2')).toEqual(noFilters);
  });

  test('filters come back from the address as they went in', () => {
    const filters: fc.Arbitrary<Filters> = fc.record({
      view: fc.constantFrom(...views, 'every' as const),
      q: fc.string({ maxLength: 200 }),
      agent: fc.stringMatching(/^[a-z0-9-]{0,20}$/),
      kind: fc.constantFrom('' as const, ...holdKinds),
      policy: fc.string({ maxLength: 200 }),
      dueWithin: fc.constantFrom('' as const, ...dueHours),
      requester: fc.string({ maxLength: 200 }),
      metric: fc.constantFrom('' as const, ...metricNames),
      days: fc.constantFrom('', '1', '30', '99', '365'),
      end: fc.constantFrom('' as const, ...holdEndReasons),
      endedBy: fc.string({ maxLength: 200 }),
      endedFrom: fc.constantFrom('', '2026-11-01T00:00:00.000Z'),
      endedTo: fc.constantFrom('', '2026-11-30T23:00:00.000Z'),
      sort: fc.constantFrom('deadline' as const, 'newest' as const),
      asked: fc.constantFrom('' as const, 'name' as const, 'role' as const),
      group: fc.constantFrom('time' as const, 'sameness' as const),
    });
    fc.assert(fc.property(filters, (one) => expect(readFilters(writeFilters(one))).toEqual(one)));
  });
});

describe('the address of another program’s page', () => {
  test('the address of another program’s page is offered where it can be opened: one of this machine to readers on this machine alone', () => {
    const own = 'http://127.0.0.1:8233/namespaces/default';
    expect(openable(own, '127.0.0.1')).toBe(own);
    expect(openable('http://localhost:8233', '[::1]')).toBe('http://localhost:8233');
    expect(openable(own, 'standfast.example')).toBeNull();
    expect(openable('https://temporal.example/ui', 'standfast.example')).toBe('https://temporal.example/ui');
    expect(openable(null, '127.0.0.1')).toBeNull();
  });
});
