import { describe, expect, test } from '@jest/globals';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { loadConfig, type ConfigProblem } from '../../src/config/config.ts';
import { fc, runs } from '../rigs/properties.ts';

const good = `
server: { port: 8600 }
auth:
  keys:
    - { user: anna, roles: [finance], keySha256: ${'a'.repeat(64)} }
    - { user: ben, roles: [operator], keySha256: ${'b'.repeat(64)} }
    - { user: bot, kind: agent, keySha256: ${'c'.repeat(64)} }
users:
  anna: { notify: [mail], away: { from: '2027-01-02T00:00:00Z', until: '2027-01-03T00:00:00Z', delegate: user:ben } }
agents:
  a: { url: 'http://a.example', policy: p, rules: [{ when: { title: x }, policy: q }, { when: { title: y }, policy: p }] }
  b: { url: 'http://b.example', policy: q, headers: { X: y } }
policies:
  p:
    audience: [role:finance]
    notify: [hook]
    ladder: [{ after: 1h, remind: true }, { after: 2h, escalate: [user:ben] }, { after: 3h, remind: true, every: 1h }]
    expire: { after: 8h, then: fail }
  q: { audience: [user:anna, user:ben], quorum: 2, expire: { after: 1h, then: fail } }
notifications:
  channels:
    hook: { type: webhook, url: 'https://hook.example', secret: whsec_hushhushhushhushhush, show: [message], template: { text: '{{message}}' } }
    mail: { type: mail, server: 'smtp://mail.example', from: a@example.org }
ask: { policy: p }
`;

/** One mistake each: where it is made, and what is there then. */
const mistakes: readonly { at: (string | number)[]; is: unknown }[] = [
  { at: ['server', 'port'], is: 99_999 },
  { at: ['server', 'colour'], is: 'red' },
  { at: ['auth', 'keys', 0, 'kind'], is: 'persn' },
  { at: ['auth', 'keys', 1, 'keySha256'], is: 'short' },
  { at: ['auth', 'keys', 2, 'roles'], is: ['operator'] },
  { at: ['users', 'anna', 'notify'], is: ['nowhere'] },
  { at: ['users', 'anna', 'away', 'until'], is: '2027-01-01T00:00:00Z' },
  { at: ['agents', 'a', 'url'], is: 'ftp://a' },
  { at: ['agents', 'a', 'policy'], is: 'none' },
  { at: ['agents', 'a', 'rules', 0, 'when'], is: {} },
  { at: ['agents', 'a', 'rules', 1, 'policy'], is: 'none' },
  { at: ['agents', 'b', 'ulr'], is: 'http://b' },
  { at: ['agents', 'b', 'headers', 'X'], is: 'a\nb' },
  { at: ['policies', 'p', 'notify'], is: ['nowhere'] },
  { at: ['policies', 'p', 'ladder', 0, 'after'], is: '1 hour' },
  { at: ['policies', 'p', 'ladder', 1, 'after'], is: '30m' },
  { at: ['policies', 'p', 'ladder', 2, 'every'], is: '0s' },
  { at: ['policies', 'p', 'expire', 'then'], is: 'explode' },
  { at: ['policies', 'p', 'grace'], is: '2h' },
  { at: ['policies', 'q', 'quorum'], is: 3 },
  { at: ['policies', 'q', 'audience'], is: ['anna'] },
  { at: ['policies', 'q', 'expire', 'after'], is: '0s' },
  { at: ['notifications', 'channels', 'hook', 'template', 'text'], is: '{{nothing}}' },
  { at: ['notifications', 'channels', 'hook', 'show'], is: ['all'] },
  { at: ['notifications', 'channels', 'mail', 'type'], is: 'post' },
  { at: ['notifications', 'giveUpAfter'], is: '0s' },
  { at: ['ask', 'policy'], is: 'none' },
];

/** What is found of the file with these mistakes, without lines, which later mistakes move. */
function foundOf(planted: readonly (typeof mistakes)[number][], text = good): string[] {
  const document = parseDocument(text);
  for (const { at, is } of planted) document.setIn(at, is);
  const loaded = loadConfig({ text: document.toString(), env: {} });
  return loaded.ok ? [] : loaded.problems.map(({ path, message }) => `${path}: ${message}`);
}

/** Places whose mistake is judged by the value at another one, and not known while that is wrong itself. */
const drawnOn: Record<string, string[]> = {
  'policies.p.ladder.0.after': ['policies.p.ladder[1].after'],
  'policies.q.audience': ['policies.q.quorum'],
  'notifications.channels.hook.show': ['notifications.channels.hook.template.text'],
};

const pathOf = (found: string): string => found.slice(0, found.indexOf(': '));

const problemsOf = (text: string): ConfigProblem[] => {
  const loaded = loadConfig({ text, env: {} });
  return loaded.ok ? [] : loaded.problems;
};

describe('all mistakes of a configuration', () => {
  test('each mistake of the property below is one when it is alone, in a file that has none', () => {
    expect(foundOf([])).toEqual([]);
    for (const mistake of mistakes) expect([mistake.at, foundOf([mistake])]).toEqual([mistake.at, [expect.anything()]]);
  });

  // Promise ST11
  test('mistakes made together are all named, and nothing that none of them is alone', () => {
    const alone = new Map(mistakes.map((mistake) => [mistake, foundOf([mistake])]));
    fc.assert(
      fc.property(fc.subarray([...mistakes]), (planted) => {
        const together = foundOf(planted);
        const apart = planted.flatMap((mistake) => alone.get(mistake) ?? []);
        const hidden = planted.flatMap(({ at }) => drawnOn[at.join('.')] ?? []);
        expect(apart).toEqual(expect.arrayContaining(together));
        expect(together).toEqual(expect.arrayContaining(apart.filter((found) => !hidden.includes(pathOf(found)))));
      }),
      { numRuns: runs(200) },
    );
  });

  test('references are judged before the schema is right, and a name whose entry is wrong is a name', () => {
    const text = `agents:
  a: { url: ftp://a, policy: p }
  b: { url: 'http://b', policy: q }
  C_C: { url: 'http://c' }
policies: { p: { expires: 1h, audience: [agent:b, agent:C_C] } }
auth: { keys: [{ user: bot, kind: agnt, keySha256: ${'a'.repeat(64)} }] }
`;
    expect(problemsOf(text).map(({ line, path, message }) => `${line} ${path}: ${message}`)).toEqual([
      '2 agents.a.url: found "ftp://a": expected an http(s) address',
      '3 agents.b.policy: found "q", which is not a policy of this file: expected one of p',
      expect.stringContaining('4 agents.C_C: found the name "C_C"'),
      expect.stringContaining('5 policies.p.expires: unknown key "expires"; did you mean "expire"?'),
      '6 auth.keys[0].kind: found "agnt": expected one of person, agent, backend, metrics',
    ]);
  });

  test('a file of which nothing can be read has one mistake, and an anchor within what it names is no end of it', () => {
    for (const text of ['[]\n', 'nothing\n', 'agents: 7\n']) expect(problemsOf(text)).toHaveLength(1);
    expect(problemsOf('agents: &a { a: *a }\n').map(({ path }) => path)).toEqual(['agents.a.url', 'agents.a.a']);
  });

  test('a file with any of its values put out of order is judged without an error of the judge', () => {
    const document = parseDocument(good);
    const places: (string | number)[][] = [];
    const walk = (node: unknown, at: (string | number)[]): void => {
      if (at.length > 0) places.push(at);
      if (isMap(node))
        for (const { key, value } of node.items) walk(value, [...at, isScalar(key) ? String(key.value) : '']);
      if (isSeq(node)) for (const [index, item] of node.items.entries()) walk(item, [...at, index]);
    };
    walk(document.contents, []);
    const odd = fc.constantFrom<unknown>(null, 7, 'x', [], {}, [null], { x: 1 }, true);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...places), odd), { minLength: 1, maxLength: 6 }), (changes) => {
        // Deep places first, as a shallow one takes them with it.
        const planted = changes.map(([at, is]) => ({ at, is })).toSorted((a, b) => b.at.length - a.at.length);
        for (const found of foundOf(planted)) expect(found).not.toContain('left-out');
      }),
      { numRuns: runs(200) },
    );
  });
});
