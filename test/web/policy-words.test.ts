import { describe, expect, test } from '@jest/globals';
import type { PolicyDetail } from '../../src/contract/views/operate.ts';
import { knowNames } from '../../web/src/base/account/names.ts';
import { askedWords, ladderLine, ladderWords, spanWords } from '../../web/src/operate/policy-words.ts';
import { whenWords } from '../../web/src/hold/words/rule-words.ts';
import { noTaskQuery, readTaskQuery, taskApiPath, tasksPath } from '../../web/src/operate/task-query.ts';

const hourMs = 3_600_000;
const asked = (...entries: string[]) => entries.map((entry) => ({ entry, people: [] }));
// Parsed, since the linter takes an object with `then` for a promise.
const expire = JSON.parse('{"after":"24h","atMs":86400000,"then":"fail","clock":"wall"}') as PolicyDetail['expire'];
const ladder: PolicyDetail['ladder'] = [
  { after: '30m', atMs: hourMs / 2, do: 'remind', to: [], replace: false, every: '4h' },
  { after: '4h', atMs: 4 * hourMs, do: 'escalate', to: asked('role:lead', 'user:ben'), replace: false, every: null },
  { after: 'PT6H', atMs: 6 * hourMs, do: 'escalate', to: asked('agent:checker'), replace: true, every: null },
];

describe('the ladder of a policy', () => {
  // Promise S53
  test('the ladder of a policy is described in sentences, in order of time', () => {
    knowNames({ ben: 'Ben' });
    expect(ladderWords({ ladder, expire })).toEqual([
      'After 30 min: they are reminded, and again every 4 h.',
      'After 4 h: anyone in lead or Ben may decide as well.',
      'After PT6H: checker (an agent) decides in their place.',
      'After 24 h: the task fails.',
    ]);
    knowNames({});
  });

  test('the ladder of a policy lies on a line from the asking to the end, in order, and no two places on one another', () => {
    const crowded = Array.from({ length: 6 }, (_, n) => ({ ...ladder[0], atMs: 1_000 + n }) as (typeof ladder)[number]);
    for (const steps of [ladder, crowded, []]) {
      const at = ladderLine({ ladder: steps, expire }).map((point) => point.at);
      expect(at[0]).toBe(0);
      expect(at.at(-1)).toBe(1);
      for (const [index, place] of at.entries())
        if (index > 0) expect(place - (at[index - 1] ?? 0)).toBeGreaterThan(0.08);
    }
  });

  test('the ladder of a policy says times as the pages do, and leaves others as they are written', () => {
    expect(['45s', '30m', '2d', '1.5h', 'PT4H'].map(spanWords)).toEqual(['45 s', '30 min', '2 d', '1.5h', 'PT4H']);
  });
});

test('whom a policy asks is named by what they are', () => {
  expect(askedWords(asked('owner', 'role:ops'))).toBe('the requester or anyone in ops');
  expect(whenWords({ kind: 'tool_call', title: 'Pay *', data: ['amount > 10', 'to == "x"'] })).toBe(
    'tool call, “Pay *”, amount > 10, to == "x"',
  );
});

test('the search of tasks lies in the address, and what means nothing is left out', () => {
  const query = { q: 'a b', status: 'FAILED', agent: 'expenses' };
  expect(tasksPath(query)).toBe('/tasks?q=a+b&status=FAILED&agent=expenses');
  expect(readTaskQuery('?q=a+b&status=FAILED&agent=expenses')).toEqual(query);
  expect(readTaskQuery('?status=LOST')).toEqual(noTaskQuery);
  expect(taskApiPath(noTaskQuery)).toBe('/api/tasks?sort=deadline');
});
