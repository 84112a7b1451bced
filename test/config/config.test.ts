import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { formatProblems, loadConfig } from '../../src/config/config.ts';
import { TimeoutActionSchema } from '../../src/contract/configuration/policy.ts';

const dir = mkdtempSync(join(tmpdir(), 'standfast-config-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const problemsOf = (text: string, env: NodeJS.ProcessEnv = {}): string => {
  const loaded = loadConfig({ text, env });
  return loaded.ok ? '' : formatProblems(loaded.problems);
};
const policy = (rest: string): string => `policies:\n  p: ${rest}\n`;

describe('a configuration', () => {
  test('a configuration may be missing when it is not named', () => {
    const back = process.cwd();
    process.chdir(dir);
    try {
      expect(loadConfig({ env: {} })).toMatchObject({
        ok: true,
        file: null,
        config: { agents: {}, server: { port: 8600 } },
      });
    } finally {
      process.chdir(back);
    }
  });

  test('a configuration must be there when it is named, by option or by STANDFAST_CONFIG', () => {
    const path = join(dir, 'none.yaml');
    const expected = { ok: false, problems: [{ file: path, message: 'there is no such file' }] };
    expect(loadConfig({ path, env: {} })).toMatchObject(expected);
    expect(loadConfig({ env: { STANDFAST_CONFIG: path } })).toMatchObject(expected);
  });

  test('a configuration is read from a file', () => {
    const path = join(dir, 'good.yaml');
    writeFileSync(path, 'agents:\n  expenses: { url: "http://127.0.0.1:8701/" }\n');
    expect(loadConfig({ path, env: {} })).toMatchObject({
      ok: true,
      file: path,
      config: { agents: { expenses: { resend: 'ask' } } },
    });
  });

  test('a configuration takes secrets from the environment', () => {
    const text = 'agents:\n  a: { url: "http://a/", headers: { Authorization: "Bearer ${TOKEN}", X: "$${TOKEN}" } }\n';
    expect(loadConfig({ text, env: { TOKEN: 's3cret' } })).toMatchObject({
      ok: true,
      config: { agents: { a: { headers: { Authorization: 'Bearer s3cret', X: '${TOKEN}' } } } },
    });
  });

  test('a configuration takes a number from the environment where a number is due', () => {
    const text = 'server:\n  port: ${PORT}\n  host: ${HOST}\n';
    expect(loadConfig({ text, env: { PORT: '9000', HOST: '10' } })).toMatchObject({
      config: { server: { port: 9000, host: '10' } },
    });
  });

  test('a configuration may use anchors and merge keys', () => {
    const text = 'policies:\n  a: &a { audience: [owner] }\n  b: { <<: *a, expire: { after: 1h } }\n';
    expect(loadConfig({ text, env: {} })).toMatchObject({
      config: { policies: { b: { audience: ['owner'], expire: { after: '1h' } } } },
    });
  });
});

describe('a wrong configuration is refused, naming line, column and what is expected', () => {
  // Promise CO14
  test.each([
    ['a: [', 'not valid YAML'],
    [
      'agents:\n  a: { url: "http://a" }\n  a: { url: "http://a" }\n',
      'standfast.yaml:3:3 not valid YAML: Map keys must be unique',
    ],
    ['agents: [x]\n', 'standfast.yaml:1:9 agents: found a list: expected a mapping'],
    [
      'agents:\n  a:\n    url: ftp://a\n',
      'standfast.yaml:3:10 agents.a.url: found "ftp://a": expected an http(s) address',
    ],
    ['agents:\n  a: {}\n', 'agents.a.url: "url" is missing: expected an http(s) address'],
    [
      'server:\n  publicUrl: intra.example:8600\n',
      'standfast.yaml:2:14 server.publicUrl: found "intra.example:8600": expected an http(s) address',
    ],
    [
      'notifications: { channels: { s: { type: slack, url: hooks } } }\n',
      'notifications.channels.s.url: found another value: expected an http(s) address',
    ],
    ['agents:\n  A_B: { url: "http://a" }\n', 'standfast.yaml:2:3 agents.A_B: found the name "A_B"'],
    ['polices: {}\n', 'standfast.yaml:1:1 polices: unknown key "polices"; did you mean "policies"?'],
    ['server: { colour: red }\n', 'unknown key "colour", expected one of host, port'],
    ['server: { port: 99999 }\n', 'server.port: found 99999: expected at most 65535'],
    [
      'agents:\n  a: { url: "http://a", policy: nope }\n',
      'found "nope", which is not a policy of this file: no policies are defined',
    ],
    [
      'agents:\n  a: { url: "http://a", headers: { X: "${NONE}" } }\n',
      'agents.a.headers.X: the environment variable NONE is not set',
    ],
    ['agents:\n  a: { url: "http://a", headers: { X: "${NO NE}" } }\n', 'found ${NO NE}, expected a variable name'],
    [policy('{ ladder: [ { after: 4 hours, remind: true } ] }'), 'found "4 hours": expected a duration such as'],
    [
      policy('{ ladder: [ { after: 1h } ] }'),
      'policies.p.ladder[0]: a step is either `remind: true` or `escalate: [...]`',
    ],
    [
      policy('{ expire: { after: 1h, then: explode } }'),
      `found "explode": expected one of ${TimeoutActionSchema.options.join(', ')}`,
    ],
    [
      policy('{ ladder: [ { after: 4h, remind: true }, { after: 30m, remind: true } ] }'),
      'policies.p.ladder[1].after: found 30m after a step at 4h: expected a later time',
    ],
    [policy('{ ladder: [ { after: 24h, remind: true } ] }'), 'expected a time before the expiry after 24h'],
    [policy('{ expire: { after: 0s } }'), 'found 0s: expected a duration longer than nothing'],
    [policy('{ expire: { after: 99999w } }'), 'expected at most ten years'],
    [policy('{ ladder: [ { after: 1h, remind: true, every: 0s } ] }'), 'policies.p.ladder[0].every: found 0s'],
    [policy('{ ladder: [ { after: 1h, escalate: ["role:x"], every: 1h } ] }'), 'only a reminder repeats'],
    [policy('{ expire: { after: 1h, then: keep-open } }'), 'expected a ladder with a repeating reminder'],
    [policy('{ sign: passkey }'), '`server.publicUrl` is https with a host name, or http://localhost'],
    [`server: { publicUrl: 'http://10.1.2.3' }\n${policy('{ sign: passkey }')}`, 'https with a host name'],
    [policy('{ sign: passkey, expire: { after: 1h, then: default } }'), 'the clock signs nothing'],
    [policy('{ sign: passkey, ask: both }'), 'a caller over A2A has no page'],
    [policy("{ sign: passkey, audience: ['agent:judge'] }"), 'an agent has no passkey'],
  ])('a wrong configuration is refused, naming line, column and what is expected: %j', (text, expected) => {
    expect(problemsOf(text)).toContain(expected);
  });

  test('a step after the expiry is fine where the hold stays open', () => {
    const text = policy(
      '{ ladder: [ { after: 48h, remind: true, every: 1d } ], expire: { after: 24h, then: keep-open } }',
    );
    expect(problemsOf(text)).toBe('');
  });

  // Promise T5
  test('an agent’s key that could decide something is a fault', () => {
    const key = (user: string, rest: string): string =>
      `    - { user: ${user}, key: "${user}-${'k'.repeat(40)}", ${rest} }\n`;
    const keys = `auth:\n  keys:\n${key('bot', 'kind: agent, roles: [bots]')}${key('fin', 'roles: [finance]')}`;
    const problemsWith = (rest: string): string => problemsOf(`${keys}${rest}`);
    const policies = 'policies: { own: {}, bots: { audience: [role:bots] }, fine: { audience: [role:finance] } }\n';
    expect(problemsWith(`${policies}ask: { policy: fine, policies: [fine] }\n`)).toBe('');
    expect(problemsWith(`${policies}ask: { policy: own }\n`)).toContain(
      'ask.policy: found "own", which asks the owner alone',
    );
    expect(problemsWith(`${policies}ask: { policies: [fine, bots] }\n`)).toContain(
      'ask.policies[1]: found "bots", which asks',
    );
    expect(problemsWith(`${policies}ask: { policies: [none] }\n`)).toContain('ask.policies[0]');
    expect(problemsWith('policies: { p: { audience: [user:bot] } }\n')).toContain(
      'policies.p.audience[0]: found "user:bot"',
    );
    expect(problemsOf(`${keys}${key('bot', '')}`.replace('"bot-', '"bot2-'))).toContain('a user of its own');
    expect(problemsOf(`auth:\n  keys:\n${key('bot', 'kind: agent, roles: [operator]')}`)).toContain('"operator"');
  });

  // Promise Y74
  test('a program’s user is refused where an agent has its name', () => {
    const agents = "agents: { bot: { url: 'http://127.0.0.1:1' } }\n";
    const key = (kind: string): string => `auth:\n  keys:\n    - { user: bot, key: "bot-${'k'.repeat(40)}"${kind} }\n`;
    expect(problemsOf(`${agents}${key(', kind: agent')}`)).toContain('auth.keys[0].user: found "bot"');
    expect(problemsOf(`${agents}${key('')}`)).toBe('');
  });

  // Promise T3
  test('an API key has an id of its own, and a time to end that is one', () => {
    const key = (n: number, rest: string): string => `    - { user: a, key: "${'k'.repeat(40)}${n}", ${rest} }\n`;
    const problems = problemsOf(`auth:\n  keys:\n${key(1, 'id: x')}${key(2, 'id: x')}`);
    expect(problems).toContain('auth.keys[1].id: found "x", the id of auth.keys[0]');
    expect(problemsOf(`auth:\n  keys:\n${key(1, 'expires: soon')}`)).toContain('auth.keys[0].expires');
    expect(
      problemsOf(`auth:\n  keys:\n${key(1, 'expires: 2027-01-01')}${key(2, 'expires: 2027-01-01T10:00:00Z')}`),
    ).toBe('');
  });

  // Promise T19
  test('a key given in clear is kept as its hash alone', () => {
    const text = 'auth: { keys: [{ user: anna, id: a1, key: "${K}", roles: [finance] }] }\n';
    const key = 'a-key-of-more-than-thirty-two-characters';
    const loaded = loadConfig({ text, env: { K: key } });
    const keySha256 = createHash('sha256').update(key).digest('hex');
    const keys = [{ user: 'anna', id: 'a1', keySha256, roles: ['finance'], kind: 'person' }];
    expect(loaded).toMatchObject({ ok: true, config: { auth: { keys } } });
    expect(inspect(loaded, { depth: null })).not.toContain(key);
  });

  test('the same API key twice is found, also as its hash', () => {
    const hash = '4f8a0f4bdbec6ba5e2aa5cd37e5a1ef1dba1fe5d5c8b0b3d0e5a2e5b0f5a3a11';
    const text = `auth:\n  keys:\n    - { user: a, key: "\${K}" }\n    - { user: b, key: "\${K}" }\n    - { user: c, keySha256: ${hash} }\n    - { user: d, keySha256: ${hash} }\n`;
    const problems = problemsOf(text, { K: 'a-key-of-sixteen-characters' });
    expect(problems.split('\n')).toEqual([
      expect.stringContaining(':4:23 auth.keys[1].key: the same API key as auth.keys[0]'),
      expect.stringContaining('auth.keys[3].keySha256: the same API key as auth.keys[2]'),
    ]);
  });

  test('all faults are reported at once, in the order of their lines, and secrets are never quoted', () => {
    const text =
      'agents:\n  a: { url: "${SECRET}", headers: { A: "${NL}" } }\nauth: { keys: [ { user: u, key: hush } ] }\n';
    const problems = problemsOf(text, { SECRET: 'my-secret', NL: 'other-secret\n' });
    expect(problems).toMatch(/:2:13 agents\.a\.url.*\n.*:2:40 agents\.a\.headers\.A.*\n.*:3:33 auth\.keys\[0\]\.key/);
    expect(problems).not.toMatch(/my-secret|other-secret|hush/);
  });
});

// Promise U1
describe('an address that is never called', () => {
  const always = 'an address of cloud metadata services (link-local and alike), which are never called';
  const mail = (server: string): string =>
    `notifications: { channels: { m: { type: mail, server: '${server}', from: a@example.org } } }\n`;
  test.each([
    ["agents: { a: { url: 'http://169.254.169.254/' } }", `agents.a.url: 169.254.169.254 is ${always}`],
    ["agents: { a: { url: 'http://2852039166/' } }", `agents.a.url: 169.254.169.254 is ${always}`],
    ["agents: { a: { url: 'http://a/', allowOrigins: ['http://[fd00:ec2::254]'] } }", 'agents.a.allowOrigins[0]'],
    [
      "agents: { a: { url: 'http://a/', oauth2: { tokenUrl: 'http://[::ffff:a9fe:a9fe]/', clientId: c, clientSecret: s } } }",
      'agents.a.oauth2.tokenUrl',
    ],
    [
      "notifications: { channels: { w: { type: webhook, url: 'http://100.100.100.200/', secret: whsec_c2VjcmV0c2VjcmV0c2VjcmV0 } } }",
      'notifications.channels.w.url',
    ],
    [mail('smtp://0xa9fea9fe:25'), 'notifications.channels.m.server'],
    ["server: { publicUrl: 'http://168.63.129.16' }", 'server.publicUrl'],
    ["egress: { allow: ['169.254.169.254/32'] }", 'egress.allow[0]'],
    ["egress: { allow: ['10.0.0.0'] }", 'egress.allow[0]: found "10.0.0.0": expected a range'],
    ['egress: { deny: [all] }', 'egress.deny[0]'],
    [
      "egress: { deny: [private] }\nagents: { a: { url: 'http://10.0.0.5/' } }",
      'agents.a.url: 10.0.0.5 is a private address',
    ],
  ])('an address that is never called is a fault of the configuration that writes it out: %s', (text, expected) => {
    expect(problemsOf(text)).toContain(expected);
  });

  test('an address that is never called is none where a range of egress.allow has it, and names are judged when they are called', () => {
    const agents = "agents: { a: { url: 'http://10.0.0.5/' }, b: { url: 'http://localhost/' } }\n";
    expect(problemsOf(`egress: { deny: [private], allow: [10.0.0.0/8] }\n${agents}`)).toBe('');
  });
});

describe('a Slack app', () => {
  const channel = (rest: string): string => `notifications: { channels: { s: { type: slack-app, ${rest} } } }\n`;
  const tokens = 'botToken: xoxb-12345, appToken: xapp-12345';
  test.each([
    ['botToken: xoxb-12345', 'give `signingSecret` for callbacks over HTTP, or `appToken` for Socket Mode'],
    [
      'botToken: xapp-12345, appToken: xapp-12345',
      'botToken: found another value: expected the bot token of a Slack app, xoxb-…',
    ],
    [
      'botToken: xoxb-12345, appToken: xoxb-12345',
      'appToken: found another value: expected the app-level token of a Slack app, xapp-…',
    ],
    ["botToken: xoxb-12345, signingSecret: ''", 'notifications.channels.s.signingSecret'],
    [`${tokens}, users: { U1: anna }`, 's.users.U1: found "anna": expected a user of `users` or `auth.keys`'],
    [`${tokens}, apiUrl: 'http://169.254.169.254/'`, 'notifications.channels.s.apiUrl'],
  ])('a Slack app that could not work is a fault of the configuration: %s', (rest, expected) => {
    expect(problemsOf(channel(rest))).toContain(expected);
  });

  test('a Slack app is taken with a bot token, one way for callbacks, and people who are users', () => {
    expect(problemsOf(`users: { anna: {} }\n${channel(`${tokens}, users: { U1: anna }`)}`)).toBe('');
  });
});
