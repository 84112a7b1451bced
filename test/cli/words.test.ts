import { describe, expect, test } from '@jest/globals';
import { fieldLines, formatHold } from '../../src/cli/operate/show-text.ts';
import { holdViewOf } from '../../src/api/holds/hold-view.ts';
import { formatDone } from '../../src/cli/operate/outcome-text.ts';
import { plain, table, widthOf, type Column } from '../../src/cli/operate/tables.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { aHoldRow, aSuper, openedAt } from '../rigs/factories.ts';
import { aboutTextOf, holdTable } from '../../src/cli/operate/operator-commands.ts';
import { statusWords } from '../../src/core/base/status-words.ts';
import { wrapLine } from '../../src/cli/operate/text-lines.ts';
import { requests } from '../../web/src/i18n/en/requests.ts';
import { clockTime, formatTimeUntil, formatSpan, formatTime, minuteTime } from '../../src/cli/operate/format-time.ts';
import { aHold as aShownHold } from '../rigs/pages/page-server.ts';

describe('the fields of a question at a terminal', () => {
  const bare = { schema: {}, defaults: {}, errors: {}, secretPaths: [] };

  test('the fields of a question at a terminal are a line each: type or choices, whether needed, label, proposal, and what the agent says against it', () => {
    const schema = {
      type: 'object',
      required: ['amount'],
      properties: {
        amount: { type: 'number', title: 'Amount (EUR)' },
        centre: { type: 'string', oneOf: [{ const: 'sales', title: 'Sales' }, { const: 'ops' }] },
        tags: { type: 'array', items: { enum: ['a', 'b'] } },
        key: { type: 'string', title: 'key', format: 'password' },
        odd: {},
      },
    };
    const asked = { schema, defaults: { amount: 84.5 }, errors: { centre: 'is closed' }, secretPaths: ['/key'] };
    expect(fieldLines(asked)).toEqual([
      'amount (number, needed): Amount (EUR) [84.5]',
      'centre ("sales" | "ops") (the agent says: is closed)',
      'tags (list of "a" | "b")',
      'key (string, secret)',
      'odd (any)',
    ]);
  });

  test('the fields of a question at a terminal are none for a schema that names none, whatever it is', () => {
    for (const schema of [{}, { properties: null }, { properties: [] }, { properties: { a: null } }]) {
      expect(fieldLines({ ...bare, schema }).length).toBeLessThanOrEqual(1);
    }
  });
});

describe('a question at a terminal', () => {
  const at = '2026-03-02T09:00:00.000Z';
  const call = { agent: 'judge', at, until: at, doneAt: null, why: null };
  const words = (change: Parameters<typeof aShownHold>[1]): string[] => formatHold(aShownHold(1, change)).split('\n');

  test('a question at a terminal says who decides and who is left out, who has agreed, and what asks others in their place', () => {
    const text = words({
      audience: ['role:finance', 'owner'],
      exclude: ['requester'],
      requester: 'bob',
      votes: { have: 1, need: 2, by: [{ by: 'ana', at, values: null }] },
      reassignAsks: [{ by: 'bob', at, note: 'away' }],
      nextStep: { at, do: 'escalate', to: ['role:lead'] },
      ladder: [{ at, do: 'escalate', to: ['role:lead'], replace: true, doneAt: null }],
    });
    expect(text).toContain('asked:        role:finance, owner, but not bob, for whom it is asked');
    expect(text).toContain('votes:        1 of 2 (ana)');
    expect(text).toContain('asks:         bob asks for others: away');
    expect(text).toContainEqual(expect.stringMatching(/^next step: {4}escalate to role:lead instead at 2026/));
  });

  test('a question at a terminal says which agents are asked, and why one did not decide, without control characters', () => {
    const supervisors = [call, { ...call, agent: 'boss', doneAt: at, why: 'no\u001b[2J idea' }];
    const text = words({ supervisors });
    expect(text).toContainEqual(expect.stringMatching(/^agents: {7}judge is being asked until 2026-03-02/));
    expect(text).toContain(`${' '.repeat(14)}boss did not decide: no [2J idea`);
    expect(words({ supervisors: [call], status: 'decided' })).toContain(
      'agents:       judge is not waited for any more',
    );
  });
});

describe('a text of an agent at a terminal', () => {
  test('a text of an agent at a terminal keeps its spaces and empty lines, since YAML and diffs mean something by them', () => {
    const message = 'Scale it:\n\n  spec:\n+   replicas: 5\n   container_2';
    const pad = ' '.repeat(14);
    expect(formatHold(aShownHold(1, { message }))).toContain(
      `message:      Scale it:\n\n${pad}  spec:\n${pad}+   replicas: 5\n${pad}   container_2\n`,
    );
  });

  test('a text of an agent at a terminal is broken at its spaces where the terminal ends, never within a word, and code not at all', () => {
    const message = 'Take a backup of the database before the migration begins, and keep it for a week';
    const shown = formatHold(aShownHold(1, { message }), undefined, { columns: 50 });
    expect(shown.split('\n').map((line) => line.slice(14))).toEqual(
      expect.arrayContaining([
        'Take a backup of the database before',
        'the migration begins, and keep it',
        'for a week',
      ]),
    );
    const code = `+   ${'word '.repeat(20)}end`;
    expect(wrapLine(code, 40)).toEqual([code]);
    expect(wrapLine(`a ${'x'.repeat(60)} b`, 40)).toEqual(['a', 'x'.repeat(60), 'b']);
  });

  test('a text of an agent at a terminal cannot steer the terminal', () => {
    expect(formatHold(aShownHold(1, { message: 'no\u001b[2J\u202e idea' }))).toContain(
      'message:      no [2J[U+202E] idea',
    );
  });

  test('the list at a terminal tells questions with one headline apart: by a value, an argument, its tool, or what the agent says', () => {
    const asked = (n: number, change: Parameters<typeof aShownHold>[1]): ReturnType<typeof aShownHold> =>
      aShownHold(n, { headline: 'Go ahead?', values: [{ name: 'host', value: 'db' }], message: 'Please.', ...change });
    const { context } = aShownHold(1);
    const holds = [
      asked(1, {
        values: [
          { name: 'host', value: 'db' },
          { name: 'pods', value: 6 },
        ],
      }),
      asked(2, { context: { ...context, toolArgs: { host: 'db', dry: false, region: 'eu-3' } } }),
      asked(3, { tool: { callId: 'c', name: 'restart_pods', isEditable: false } }),
      asked(4, { message: 'Please.\nThe index is broken.' }),
      aShownHold(5, { headline: 'Alone?', message: 'The index is broken.' }),
    ];
    expect(holds.map(aboutTextOf(holds, null))).toEqual([
      'Go ahead? 6',
      'Go ahead? false, eu-3',
      'Go ahead? restart_pods',
      'Go ahead? The index is broken.',
      'Alone?',
    ]);
  });

  test.each([80, 140])(
    'the list at a terminal tells fifteen questions with one headline apart in %i columns, however long it is',
    async (columns) => {
      const headline = 'Go ahead with the deployment of the search service to production?';
      const holds = Array.from({ length: 15 }, (_, n) =>
        aShownHold(n, {
          headline,
          message: `Go ahead?\nIt was built today.\nBuild ${400 + n} passed all of its tests.`,
          requester: 'somebody.with.a.long.name',
        }),
      );
      const client = { get: async () => ({ agents: [], names: {} }) } as unknown as Parameters<typeof holdTable>[0];
      const terminal = { columns, style: (_: string, text: string) => text } as Parameters<typeof holdTable>[2];
      const lines = (await holdTable(client, holds, terminal)).trimEnd().split('\n').slice(1);
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
      expect(lines.map((line) => /Build (\d+)/.exec(line)?.[1])).toEqual(holds.map((_, n) => `${400 + n}`));
    },
  );

  // Promise TE1
  test('the list at a terminal of 80 columns says who is asked, before it says for whom', async () => {
    const client = { get: async () => ({ agents: [], names: {} }) } as unknown as Parameters<typeof holdTable>[0];
    const terminal = { columns: 80, style: (_: string, text: string) => text } as Parameters<typeof holdTable>[2];
    const holds = [aShownHold(1, { headline: 'Approve the expense of 4,210 EUR for the fair in Hanover?' })];
    const [head = '', line = ''] = (await holdTable(client, holds, terminal)).split('\n');
    expect(head).toMatch(/^ID +ABOUT +AGENT +ASKED +.*EXPIRES$/);
    expect(line).toContain('role:finance');
  });

  test('a task’s status at a terminal has the names that the pages have', () => {
    expect(statusWords).toEqual(requests.statuses);
  });
});

// Promise TE6
describe('an outcome at a terminal', () => {
  const at = '2026-03-02T09:00:00.000Z';
  const now = Date.parse(at);
  type Shown = ReturnType<typeof aShownHold>;
  const given: NonNullable<Shown['decision']> = {
    by: 'anna',
    at,
    status: 'resolved',
    values: { confirmed: true },
    reason: null,
    source: 'page',
    digest: 'sha256:1',
    seenDigest: null,
    credential: null,
    actor: null,
  };
  const no = { by: 'anna', at, why: 'declined' as const };
  const schema = (...fields: string[]): object => ({
    properties: Object.fromEntries(fields.map((name) => [name, { type: 'boolean' }])),
  });
  const hold = (change: Partial<Shown>): Shown => aShownHold(1, { status: 'decided', ...change });
  const done = (change: Partial<Shown>): string => formatDone(hold(change), '91b70a07', now).text;
  const names = { agent: (name: string) => name, person: (id: string) => (id === 'anna' ? 'Anna Arnold' : id) };
  const shown = (change: Partial<Shown>): string => formatHold(hold(change), names);

  test('an outcome at a terminal is named by what the answer says: approved, rejected, answered or declined', () => {
    const ends = (why: 'approved' | 'answered') => ({ ended: { by: 'anna', at, why } });
    expect(done({ decision: given, ...ends('approved') })).toBe('Approved: Pay invoice 1?');
    // What nothing says to be a yes is none.
    expect(done({ decision: given })).toBe('Answered: Pay invoice 1?');
    expect(done({ decision: { ...given, values: { confirmed: false } }, ended: no })).toBe('Rejected: Pay invoice 1?');
    expect(done({ kind: 'form', schema: { ...schema('note') }, decision: { ...given, values: { note: true } } })).toBe(
      'Answered: Pay invoice 1?',
    );
    const chosen = { kind: 'form' as const, chosen: 'Escalate to legal', decision: { ...given, values: {} } };
    expect(done(chosen)).toBe('Answered (Escalate to legal): Pay invoice 1?');
    expect(shown(chosen)).toContain('answered (Escalate to legal) by Anna Arnold (anna)');
    const refusal = { ...given, status: 'cancelled' as const, values: {} };
    expect(done({ kind: 'text', status: 'cancelled', decision: refusal, ended: no })).toBe('Declined: Pay invoice 1?');
    expect(done({ status: 'open', votes: { have: 1, need: 2, by: [] } })).toBe(
      'Your answer counts, 1 of 2: Pay invoice 1?',
    );
  });

  test('an outcome at a terminal says until when it can be taken back and by which command', () => {
    const outgoing = {
      ...given,
      decidedAt: at,
      at: '2026-03-02T09:00:07.400Z',
      name: 'approved',
      mayUndo: true,
    } as const;
    expect(done({ status: 'open', graceMs: 10_000, outgoing })).toBe(
      'Approved: Pay invoice 1?\nIt is sent in 8 s; take it back with: standfast undo 91b70a07',
    );
    expect(shown({ status: 'open', outgoing })).toMatch(
      /^decision: +approved by Anna Arnold \(anna\), to be sent at 2026/m,
    );
    const chosen = { status: 'open', chosen: 'Escalate', outgoing: { ...outgoing, name: 'answered' } } as const;
    expect(done(chosen)).toContain('Answered (Escalate): Pay invoice 1?');
    expect(shown(chosen)).toMatch(/^decision: +answered \(Escalate\) by Anna Arnold \(anna\), to be sent at/m);
  });

  test('an outcome at a terminal has the names of people and the way it was given, and ends without a decision have their own words', () => {
    expect(shown({ decision: given, ended: { by: 'anna', at, why: 'approved' } })).toMatch(
      /^decision: +approved by Anna Arnold \(anna\) at 2026-03-02 09:00:00 UTC \(.+\), by the page$/m,
    );
    expect(shown({ decision: given, ended: { by: 'anna', at, why: 'approved' } })).not.toMatch(/^ended:/m);
    const end = (why: NonNullable<Shown['ended']>['why'], by: string): string =>
      /^ended: +(.*) 2026/m.exec(shown({ status: 'cancelled', ended: { by, at, why } }))?.[1] ?? '';
    expect(end('expired', 'policy:finance')).toBe('no answer came in time (policy finance, then fail), at');
    expect(end('withdrawn', 'agent:expenses')).toBe('withdrawn by expenses at');
    expect(end('superseded', 'agent:expenses')).toBe('the agent asked again at');
    expect(end('cancelled', 'anna')).toBe('cancelled with its task by Anna Arnold (anna) at');
  });
});

describe('times at a terminal', () => {
  const now = Date.parse('2026-03-02T09:00:00.000Z');

  // Promise TE22
  test('times at a terminal are those of its clock, with their zone and how far away they are', () => {
    const at = '2026-03-02T12:30:00.123Z';
    expect(formatTime(at, now, 'UTC')).toBe('2026-03-02 12:30:00 UTC (in 3.5 h)');
    expect(formatTime(at, now, 'Europe/Berlin')).toBe('2026-03-02 13:30:00 CET (in 3.5 h)');
    expect(minuteTime(at, 'America/New_York')).toBe('2026-03-02 07:30 GMT-5');
    expect(clockTime(new Date(at), 'Asia/Kolkata')).toBe('18:00:00');
    expect(formatTimeUntil('2026-02-28T09:00:00.000Z', now)).toBe('2 d ago');
  });

  test('times at a terminal never leave more of a day or an hour than there is, as on the pages', () => {
    const left = (ms: number): string => formatTimeUntil(new Date(now + ms).toISOString(), now);
    expect([86_399_000, 3_599_000, 7_190_000, 59_000].map(left)).toEqual([
      'in 23 h',
      'in 59 min',
      'in 1.9 h',
      'in 59 s',
    ]);
  });

  test('times at a terminal are spans of one unit', () => {
    const spans = [0, 999, 1000, 59_999, 90_000, 3_600_000, 86_400_000 * 12.4];
    expect(spans.map(formatSpan)).toEqual(['0 ms', '999 ms', '1 s', '59 s', '1.5 min', '1 h', '12 d']);
  });
});

describe('a table at a terminal', () => {
  // Promise Q58
  test('a table at a terminal has no control characters, and turns nothing around', () => {
    expect(plain('pay\u001b[2J\u009b1m\nnow\u2028\u202egnp.exe\u2066')).toBe('pay [2J 1m now [U+202E]gnp.exe[U+2066]');
  });

  interface Row {
    id: string;
    title: string;
    agent: string;
  }
  const columns: Column<Row>[] = [
    { name: 'id', of: ({ id }) => id },
    { name: 'title', of: ({ title }) => title, flexible: { least: 10 } },
    { name: 'agent', of: ({ agent }) => agent, spare: 1 },
  ];
  const linesOf = (row: Row, width: number | null): string[] =>
    table([row], columns, { columns: width, style: (_style, text) => text }).split('\n');

  // Promise TE1
  test('a table at a terminal is cut to the width of the terminal, wide characters as two, and can be seen to go on', () => {
    const row = { id: 'x', title: '支払'.repeat(20), agent: 'bank' };
    for (const width of [80, 40, 30, 24]) {
      const lines = linesOf(row, width);
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
      expect(lines[1]).toMatch(width < 80 ? /^x {3}(支払)+支?… +bank$/ : /bank$/);
    }
    expect(linesOf(row, 24)[1]).toBe('x   支払支払支払…  bank');
  });

  // Promise TE1
  test('a table at a terminal loses its least needed columns where that is narrow, and nothing where a program reads it', () => {
    const row = { id: 'x', title: 'Pay the invoice of Miller Ltd', agent: 'bookkeeper' };
    expect(linesOf(row, 20)).toEqual(['ID  TITLE', 'x   Pay the invoice…']);
    expect(linesOf(row, null)[1]).toBe('x   Pay the invoice of Miller Ltd  bookkeeper');
    expect(table([], columns)).toBe('(none)');
  });
});

describe('a question at a terminal', () => {
  const move = { at: openedAt, by: 'finn', to: ['role:lead'], note: 'too much for me', credential: null };
  const row = aHoldRow({ moves: [move] });
  const textOf = (change: Partial<HoldRow> = {}): string =>
    formatHold(holdViewOf({ ...row, ...change }, aSuper, { request: '', now: '2026-03-05T09:00:00.000Z' }));

  test('a question at a terminal says who passed it on, to whom and why, and until when it waits', () => {
    expect(textOf()).toMatch(/^passed on: +to role:lead by finn at 2026-03-02 09:00:00 UTC .*: too much for me$/m);
    expect(textOf({ expiresAt: '2999-01-01T00:00:00.000Z' })).toMatch(/^expires: .*, then fail$/m);
    expect(textOf()).toMatch(/^expires: +time is up since 2026-03-03 09:00:00 UTC .*; then fail$/m);
  });

  test('a question at a terminal says once it is closed how it was decided and why, and no more when it would have expired', () => {
    const decision = {
      by: 'ana',
      at: openedAt,
      status: 'cancelled' as const,
      values: { amount: 84.5 },
      reason: 'no budget',
    };
    const closed = textOf({
      status: 'cancelled',
      decision: { ...decision, source: 'rest', seenDigest: null, credential: null, actor: null, digest: 'd' },
    });
    expect(closed).toMatch(/^reason: +no budget$/m);
    expect(closed).not.toContain('expires:');
    expect(closed).toMatch(/^values: +amount: 84.5$/m);
  });
});
