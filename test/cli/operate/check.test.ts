import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { check } from '../../../src/cli/doctor/doctor.ts';

const dir = mkdtempSync(join(tmpdir(), 'standfast-check-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What `standfast check` writes about a configuration. */
function checked(
  text: string,
  options: { withoutSecrets?: boolean; for?: 'up' | 'production' } = {},
): { out: string; err: string } {
  const path = join(dir, 'standfast.yaml');
  writeFileSync(path, text);
  const output = { out: '', err: '' };
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation((words) => ((output.out += String(words)), true)),
    jest.spyOn(process.stderr, 'write').mockImplementation((words) => ((output.err += String(words)), true)),
  ];
  try {
    check({ config: path, ...options });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return output;
}

/** The warnings with these words, without file and line. */
const linesOf = (err: string, words: string): string[] =>
  err
    .split('\n')
    .filter((line) => line.includes(words))
    .map((line) => line.replace(/^warning: \S+ /, ''));
const clear = (path: string): string => `${path}: this secret is written in clear: expected \${NAME}`;

describe('standfast check', () => {
  test('standfast check warns about a key of the evidence without a place outside the database for what it signs', () => {
    process.env['STANDFAST_EVIDENCE_KEY'] = 'ab'.repeat(32);
    try {
      expect(checked('{}\n').err).toContain('set evidence.file');
      expect(checked('evidence: { file: heads.jsonl }\n').err).toBe('');
    } finally {
      delete process.env['STANDFAST_EVIDENCE_KEY'];
    }
  });

  test('standfast check warns of a key that api and worker refuse, with its line', () => {
    const keys = (key: string): string => `auth:\n  keys:\n    - { user: anna, key: ${key} }\n`;
    process.env['SHORT'] = 'a-key-of-anna-123';
    const { out, err } = checked(keys("'${SHORT}'"));
    delete process.env['SHORT'];
    expect(out).toContain('valid');
    expect(err).toMatch(/^warning: .*:3:26 auth\.keys\[0\]\.key: .* fewer than 32 .*: api and worker refuse/);
    expect(checked(`auth:\n  keys:\n    - { user: anna, keySha256: ${'a'.repeat(64)} }\n`).err).toBe('');
  });

  test('standfast check warns of each secret that the file itself has, by its place and never by its value', () => {
    const { out, err } = checked(`
auth:
  keys:
    - { user: anna, key: ${'hush'.repeat(10)} }
codec: { key: ${'hush'.repeat(10)} }
agents:
  a: { url: 'http://a', headers: { Authorization: 'Bearer hush', X-Team: sales, X-Api-Key: hush } }
policies: { p: { notify: [slack, mail, hook] } }
notifications:
  channels:
    slack: { type: slack, url: 'https://hooks.slack.com/services/hush' }
    mail: { type: mail, server: 'smtp://me:hush@mail', from: a@example.org }
    hook: { type: webhook, url: 'https://ops.example/hook', secret: whsec_hushhushhushhushhush }
`);
    expect(out).toContain('valid');
    expect(err).not.toContain('hush');
    expect(linesOf(err, 'in clear')).toEqual([
      'auth.keys[0].key: this secret is written in clear: expected ${NAME}, or its hash as keySha256 (standfast key new)',
      'codec.key: this secret is written in clear: expected ${NAME}',
      ...['agents.a.headers.Authorization', 'agents.a.headers.X-Api-Key'].map(clear),
      ...['slack.url', 'mail.server', 'hook.secret'].map((at) => clear(`notifications.channels.${at}`)),
    ]);
  });

  test('standfast check warns of a file that is empty, and of a key that is not taken any more', () => {
    for (const text of ['', '# nothing yet\n']) expect(checked(text).err).toMatch(/:1:1 the file is empty/);
    const key = (expires: string): string =>
      `auth:\n  keys:\n    - { user: anna, keySha256: ${'a'.repeat(64)}, expires: ${expires} }\n`;
    expect(checked(key('2020-01-01')).err).toMatch(
      /:3:\d+ auth\.keys\[0\]\.expires: the key of anna .* since 2020-01-01/,
    );
    expect(checked(key('2999-01-01')).err).toBe('');
  });

  test('standfast check says that a configuration is valid, and nothing else where everything fits', () => {
    const { out, err } = checked('agents: { a: { url: http://a, policy: p } }\npolicies: { p: {} }\n');
    expect(out).toContain('standfast.yaml: valid (1 agent, 1 policy)');
    expect(err).toBe('');
  });

  test('standfast check says what is hardly meant on standard error, with its line, and calls the file valid', () => {
    const { out, err } = checked('agents: { a: { url: http://a } }\npolicies:\n  p: {}\n');
    expect(out).toContain('valid');
    expect(err).toMatch(/^warning: .*standfast\.yaml:3:3 policies\.p: no agent uses this policy/);
  });

  test('standfast check names every fault of a configuration that is not', () => {
    expect(() => checked('policies:\n  p: { notify: [x] }\n  q: { quorum: 2 }\n')).toThrow(
      /:2:17 policies\.p\.notify\[0\].*\n.*:3:16 policies\.q\.quorum/,
    );
  });
});

describe('standfast check --without-secrets', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const publicKey = Buffer.concat([
    Buffer.from([4]),
    ...[pair.x, pair.y].map((part) => Buffer.from(part ?? '', 'base64url')),
  ]);
  const text = `
server: { port: '\${UNSET_PORT}', publicUrl: '\${UNSET_URL}' }
auth:
  keys:
    - { user: anna, roles: [operator], key: '\${UNSET_ANNA}' }
    - { user: ben, keySha256: '\${UNSET_BEN}' }
  oidc: { issuer: '\${UNSET_ISSUER}', clientId: a, clientSecret: '\${UNSET_A}' }
codec: { key: '\${UNSET_CODEC}' }
agents:
  a: { url: '\${UNSET_AGENT}', policy: p, headers: { Authorization: 'Bearer \${UNSET_A}-\${UNSET_B}' } }
policies:
  p: { audience: ['\${UNSET_WHO}'], notify: [app, bot, mail, hook, push] }
notifications:
  channels:
    app: { type: slack-app, botToken: '\${UNSET_BOT}', appToken: '\${UNSET_APP}' }
    bot: { type: teams-bot, appId: '\${UNSET_ID}', appPassword: '\${UNSET_A}', tenant: '\${UNSET_TENANT}' }
    mail: { type: mail, server: '\${UNSET_SMTP}', from: '\${UNSET_FROM}' }
    hook: { type: webhook, url: '\${UNSET_HOOK}', secret: '\${UNSET_SECRET}' }
    push: { type: push, publicKey: ${publicKey.toString('base64url')}, privateKey: '\${UNSET_PUSH}', subject: mailto:a@example.org }
`;

  test('standfast check --without-secrets takes a file whose variables are not set, and names each value that could not be judged', () => {
    const { out, err } = checked(text, { withoutSecrets: true });
    expect(out).toContain('valid (1 agent, 1 policy)');
    const unset = [...text.matchAll(/UNSET_\w+/g)].map(([name]) => name);
    expect(new Set([...err.matchAll(/UNSET_\w+/g)].map(([name]) => name))).toEqual(new Set(unset));
    expect(err).toContain(':10:68 agents.a.headers.Authorization: not judged: it needs UNSET_A and UNSET_B');
    expect(() => checked(text)).toThrow(/auth\.keys\[0\]\.key: the environment variable UNSET_ANNA is not set/);
  });

  test('standfast check --without-secrets still names every other fault, and a value whose unset variable decides about the rest', () => {
    expect(() => checked(text.replace('notify: [app,', 'notify: [nope, app,'), { withoutSecrets: true })).toThrow(
      /^\S+:12:\d+ policies\.p\.notify\[0\]: found "nope"[^\n]*$/,
    );
    expect(() =>
      checked('policies: { p: { expire: { after: 1h, then: "${UNSET_THEN}" } } }\n', { withoutSecrets: true }),
    ).toThrow(/policies\.p\.expire\.then: it needs UNSET_THEN, and what that is decides about the rest: set it$/);
  });

  // Promise ST12
  test('standfast check warns of a seal key that links to decide by need, and refuses them without for production, but not where secrets are not given', () => {
    const links =
      "notifications: { channels: { s: { type: slack, url: '${UNSET_A}', decideLinks: true } } }\npolicies: { p: { notify: [s] } }\n";
    const warning = /^warning: .*STANDFAST_SEAL_KEY.*standfast up makes its own$/m;
    expect(checked(links, { withoutSecrets: true, for: 'production' }).err).toMatch(warning);
    process.env['UNSET_A'] = 'https://slack.example';
    try {
      expect(checked(links).err).toMatch(warning);
      expect(() => checked(links, { for: 'production' })).toThrow('STANDFAST_SEAL_KEY');
    } finally {
      delete process.env['UNSET_A'];
    }
  });
});
