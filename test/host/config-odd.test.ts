// Files that are written in anger, if at all: each error names what is wrong and where, and none stops the reader.
import { describe, expect, test } from '@jest/globals';
import { formatProblems, loadConfig } from '../../src/config/config.ts';

const read = (text: string): string => {
  const loaded = loadConfig({ text, env: {} });
  return loaded.ok ? '' : formatProblems(loaded.problems);
};
const policy = (yaml: string): string => `agents:\n  a: { url: http://a, policy: p }\npolicies:\n  p: ${yaml}\n`;
const hours = (more: string): string => policy(`{ calendar: { zone: Europe/Berlin, ${more} } }`);
const line = 'standfast.yaml:4:';

describe('an odd policy is refused in words, with its line', () => {
  test.each([
    ['', policy('{ expire: { after: 99999999999999999999d } }'), `${line}25 policies.p.expire.after: found 9999`],
    ['', policy('{ expire: { after: -5m } }'), `${line}25 policies.p.expire.after: found "-5m": expected a duration`],
    [
      '',
      policy('{ expire: { after: 30 } }'),
      `${line}25 policies.p.expire.after: found 30: expected a duration such as`,
    ],
    ['', policy('{ expire: { after: .nan } }'), 'found NaN: expected a duration such as'],
    ['', policy('{ expire: {} }'), '"after" is missing: expected a duration such as'],
    ['', policy('{ quorum: .inf }'), `${line}16 policies.p.quorum: found Infinity: expected`],
    ['', policy('{ quorum: 1.5 }'), 'found 1.5: expected a whole number'],
    ['', policy('{ ladder: [ { after: 1s, remind: true, every: 1ms } ] }'), 'found 1ms: expected at least 100ms'],
    ['', policy('{ ladder: [ null ] }'), 'policies.p.ladder[0]: found nothing: expected a mapping'],
    ['', policy('[]'), `${line}6 policies.p: found a list: expected a mapping`],
    ['', hours("hours: ''"), `${line}48 policies.p.calendar.hours: found "": expected at least 1 character`],
    ['', hours(`hours: '${'Mon, '.repeat(60)}'`), 'policies.p.calendar.hours: found'],
    ['', hours("hours: 'Mon-Fri 09:00-17:00', holidays: __proto__"), 'found "__proto__": expected a country'],
    ['', hours("hours: 'Mon-Fri 09:00-17:00', holidays: DE-constructor"), 'DE has no such part'],
    ['', hours("hours: 'toString 09:00-17:00'"), '"toString" is not a day'],
    ['', policy('{ calendar: { zone: __proto__, hours: "Mon 09:00-10:00" } }'), 'expected an IANA time zone'],
    ['', policy('{ notify: [constructor] }'), 'found "constructor", which is not a channel of this file'],
    ['', policy('{ audience: ["agent:__proto__"] }'), 'found "__proto__", which is not an agent of this file'],
    [
      'a name that would be lost',
      policy('{}').concat('  __proto__: { quorum: 9 }\n'),
      'standfast.yaml:5:3 policies.__proto__',
    ],
    [
      'a quorum of one in a mapping',
      policy('{ quorum: { count: 1 } }'),
      'policies.p.quorum.count: found 1: expected at least 2',
    ],
    [
      'a quorum by another measure',
      policy('{ quorum: { distinct: key } }'),
      'policies.p.quorum.distinct: found "key": expected one of',
    ],
    ['a quorum with an unknown key', policy('{ quorum: { of: 2 } }'), 'policies.p.quorum.of: unknown key "of"'],
    [
      'two of one name',
      policy('{}').concat('  p: { quorum: 2 }\n'),
      'standfast.yaml:5:3 not valid YAML: Map keys must be unique, and p is there twice',
    ],
    ['tabs', 'agents:\n\ta: { url: http://a }\n', 'standfast.yaml:2:1 not valid YAML: Tabs are not allowed'],
    [
      'a channel of an unknown type',
      'notifications: { channels: { a: { type: teems } } }\n',
      'notifications.channels.a.type: found "teems": expected one of slack, slack-app, teams-bot, push, teams, mail, webhook',
    ],
    [
      'a day as people write it',
      `auth:\n  keys:\n    - { user: a, keySha256: ${'a'.repeat(64)}, expires: 31.12.2027 }\n`,
      'auth.keys[0].expires: found "31.12.2027": expected a date such as 2027-12-31',
    ],
    [
      'a provider without TLS',
      "auth: { oidc: { issuer: 'http://login.example', clientId: a, clientSecret: hush } }\n",
      'auth.oidc.issuer: found "http://login.example": expected an address that begins with https://',
    ],
    ['an alias of nothing', 'agents: *nope\n', 'standfast.yaml:1:1 not valid YAML: Unresolved alias'],
    ['an alias of itself', 'policies: &p\n  p: *p\n', 'standfast.yaml:2:3 policies.p.p: unknown key "p"'],
    ['two documents', policy('{}').concat('---\npolicies: {}\n'), 'there are several documents, expected one'],
    ['a code tag', policy("!!js/function 'x'"), `${line}6 not valid YAML: Unresolved tag`],
    ['bytes', '\u0000\u0001', 'standfast.yaml:1:1 found "\\u0000\\u0001": expected a mapping'],
  ])('an odd policy is refused in words, with its line: %s %s', (_, text, expected) => {
    expect(read(text)).toContain(expected);
  });

  test('an odd policy is refused in words once, with its line, where each of its lines begins with a tab', () => {
    const lines = read(`agents:\n${'\ta: { url: http://a }\n'.repeat(10)}`).split('\n');
    expect(lines.filter((one) => one.includes('Tabs are not allowed'))).toHaveLength(1);
  });

  test('aliases of aliases that would fill the memory are refused in words, with their line', () => {
    const names = 'abcdefgh'.split('');
    const bomb = names.map((name, index) => {
      const before = names[index - 1];
      return `${name}: &${name} [${Array.from({ length: 10 }, () => (before === undefined ? 'x' : `*${before}`)).join(',')}]`;
    });
    expect(read(`${bomb.join('\n')}\nagents: *h\n`)).toContain('its aliases would make it too large');
  });

  // Promise P21
  test('lists in lists without end are refused in words, with their line', () => {
    expect(read(`agents: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`)).toContain('it is nested too deeply');
  });
});

test('what is odd but means something is read: aliases, merged keys, a byte order mark, lines ended as on Windows', () => {
  expect(read('\ufeff' + policy('{ quorum: 1 }').replaceAll('\n', '\r\n'))).toBe('');
  expect(read(policy('{}').concat('  x: &x { audience: ["role:x"] }\n  y: *x\n  z: { <<: *x, danger: true }\n'))).toBe(
    '',
  );
  // Twice a year no such hour, or two of them.
  expect(read(hours("hours: 'Sun 02:00-03:00'").replace('} }', '}, expire: { after: 30m } }'))).toBe('');
});

// Promise T22
describe('a name that resembles another one', () => {
  const key = 'a-key-that-is-long-enough-to-be-one';
  test.each([
    ['a key’s user', `auth:\n  keys:\n    - { user: "an\\u200Bna", key: ${key} }\n`],
    ['a key’s role', `auth:\n  keys:\n    - { user: anna, roles: ["fin\\u00ADance"], key: ${key} }\n`],
    ['a user', 'users:\n  "anna\\u2066": {}\n'],
    ['a display name that turns the line', 'users:\n  anna: { name: "Anna \\u202Eaneb" }\n'],
    ['a display name with a wide space', 'users:\n  anna: { name: "Anna\\u3000Meier" }\n'],
    ['an audience', policy('{ audience: ["role:finance\\u2060"] }')],
    ['who has access', 'agents:\n  a: { url: http://a, access: ["user:anna\\u115F"] }\n'],
    ['a user with an accent of its own', 'users:\n  "Rene\\u0301": {}\n'],
    ['a role in wide letters', `auth:\n  keys:\n    - { user: anna, roles: ["\uff46in"], key: ${key} }\n`],
    ['an audience with a Cyrillic letter', policy('{ audience: ["role:fin\\u0430nce"] }')],
    ['who has access, with a Greek letter', 'agents:\n  a: { url: http://a, access: ["user:\\u03B1nna"] }\n'],
    [
      'a user like another user',
      `auth:\n  keys:\n    - { user: cop, key: ${key} }\nusers:\n  "\\u0441\\u043E\\u0440": {}\n`,
    ],
    ['a user like one that is asked', 'users:\n  "\\u0441\\u043E\\u0440": {}\n' + policy('{ audience: ["user:cop"] }')],
    ['a user in capitals', `auth:\n  keys:\n    - { user: fin, key: ${key} }\nusers:\n  Fin: {}\n`],
    ['a user with a digit for a letter', `auth:\n  keys:\n    - { user: otto, key: ${key} }\nusers:\n  ott0: {}\n`],
    ['a role like another role', `auth:\n  keys:\n    - { user: anna, roles: [IT, lT], key: ${key} }\n`],
  ])('a name that resembles another one is refused, with its line: %s', (_whose, text) => {
    expect(read(text)).toMatch(/^.*standfast\.yaml:\d+/);
  });

  test('a name in the letters of any script is no look-alike', () => {
    expect(
      read(
        `users:\n  'søren.kierkegaard@example.org': { name: "Søren 'SK' Kierkegaard" }\n  王芳: { name: 王 芳 }\n  Анна-dev: {}\n  Γιώργος: {}\n  ünal: {}\n`,
      ),
    ).toBe('');
  });
});
