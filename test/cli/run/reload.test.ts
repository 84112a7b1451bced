import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { addDemoGate } from '../../../src/cli/run/demo-agent.ts';
import { startReloading } from '../../../src/cli/run/reload.ts';
import type { Evidence } from '../../../src/store/ports/evidence.ts';
import { hashesOf, type ConfigHashes } from '../../../src/config/config-hashes.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { Config } from '../../../src/contract/configuration/config.ts';
import { createLogger } from '../../../src/host/process/log.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const dir = mkdtempSync(join(tmpdir(), 'standfast-reload-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const file = join(dir, 'standfast.yaml');
const log = createLogger({ level: 'silent', name: 'test', isPretty: false });
const logged: string[] = [];
for (const level of ['info', 'warn', 'error'] as const)
  jest
    .spyOn(log, level)
    .mockImplementation((...args: unknown[]) => void logged.push(`${level} ${String(args.at(-1))}`));
beforeEach(() => void logged.splice(0));

const key = (name: string): string => `key-of-${name}-${'x'.repeat(32)}`;
const entry = (name: string, more = ''): string => `    - { user: ${name}, key: ${key(name)}${more} }\n`;
const anna = `auth:\n  keys:\n${entry('anna', ', roles: [operator]')}`;
const both = `${anna}${entry('ben')}users: { ben: { name: Ben B. } }\n`;

interface Running {
  config: Config;
  write: (text: string) => void;
  signal: () => void;
  change: () => void;
  users: () => string[];
  end: () => void;
  ended: string[];
  taken: ConfigHashes[];
}

/** States what was taken over. */
const storeOf = (taken: ConfigHashes[]): { evidence: Evidence } => ({
  // Safe: nothing else of it is called here.
  evidence: {
    configured: async ({ file: of, sections }: ConfigHashes) => taken.push({ file: of, sections }) < 0,
  } as Partial<Evidence> as Evidence,
});

function start(text: string, mayBeShort = false, complete?: (read: Config) => void): Running {
  writeFileSync(file, text);
  const settings = loadConfig({ path: file, env: {} });
  if (!settings.ok) throw new Error('the configuration is not valid');
  complete?.(settings.config);
  // As `up` completes it.
  const config = { ...settings.config, evidence: { ...settings.config.evidence, file: 'heads' } };
  const handlers = { signal: (): void => undefined, change: (): void => undefined };
  const ended: string[] = [];
  const taken: ConfigHashes[] = [];
  const end = startReloading(
    {
      settings: { config: settings.config, configFile: file },
      deps: { config, log, store: storeOf(taken) },
      mayBeShort,
      ...(complete && { complete }),
    },
    {
      onSignal: (handler) => {
        handlers.signal = handler;
        return () => void ended.push('signal');
      },
      onFileChange: (of, handler) => {
        expect(of).toBe(file);
        handlers.change = handler;
        return () => void ended.push('file');
      },
    },
  );
  return {
    config,
    write: (next) => writeFileSync(file, next),
    signal: () => handlers.signal(),
    change: () => handlers.change(),
    users: () => config.auth.keys.map(({ user }) => user),
    end,
    ended,
    taken,
  };
}

// Promise T20
describe('a configuration that is read again', () => {
  test.each(['signal', 'change'] as const)(
    'a configuration that is read again by a %s gives its users and keys to what runs, and removes others',
    (by) => {
      const running = start(both);
      running.write(`${anna}${entry('carl')}users: { carl: { name: Carl C. } }\n`);
      running[by]();
      expect(running.users()).toEqual(['anna', 'carl']);
      expect(running.config.users).toEqual({ carl: { name: 'Carl C.', notify: [] } });
      expect(JSON.stringify(running.config)).not.toContain(key('carl'));
      expect(running.config.evidence.file).toBe('heads');
      expect(logged).toEqual([`info ${file}: taken over: 1 users and 2 keys`]);
      running[by]();
      expect(logged).toHaveLength(1);
    },
  );

  // Promise E10
  test('a configuration that is read again reports its hashes where it was taken over, and only there', () => {
    const running = start(both);
    running.signal();
    expect(running.taken).toEqual([]);
    const text = `${anna}${entry('carl')}`;
    running.write(text);
    running.signal();
    running.write('auth: 7');
    running.signal();
    expect(running.taken).toEqual([hashesOf(text)]);
  });

  test('a configuration that is read again keeps what the program added to it, until the file has its own', () => {
    const own =
      'policies: { finance: { audience: [owner] } }\nagents:\n  expenses: { url: http://127.0.0.1:8701/, policy: finance }\n';
    const running = start(own, true, (read) => void addDemoGate(read, dir));
    running.change();
    expect(Object.keys(running.config.gates)).toEqual(['demo']);
    expect(logged).toEqual([]);
    const gate = running.config.gates['demo'];
    running.write(`${own}users: { ben: { name: Ben B. } }\n`);
    running.change();
    expect(running.config.users).toHaveProperty('ben');
    expect(running.config.gates['demo']).toBe(gate);
    running.write(`${own}gates: { files: { command: [files], policy: finance } }\n`);
    running.change();
    expect(Object.keys(running.config.gates)).toEqual(['files']);
  });

  test('a configuration that is read again names what else has changed as needing a restart, each time, and takes none of it', () => {
    const running = start(both);
    running.write(`${both}server: { port: 9000 }\nagentOutage: 1m\n`);
    running.signal();
    running.signal();
    const needed = `warn ${file}: changes of server.port, agentOutage need a restart`;
    expect(logged).toEqual([needed, needed]);
    expect(running.config.server.port).toBe(8600);
  });

  test('a configuration that is read again gives its agents, policies and channels to what runs, and leaves those that are the same untouched', () => {
    const policy = (expire: string): string => `{ audience: [user:ben], expire: { after: ${expire} } }`;
    const text = (agents: string, policies: string, channels: string): string =>
      `${both}agents: { ${agents} }\npolicies: { ${policies} }\nnotifications: { channels: { ${channels} } }\n`;
    const hook = (name: string): string => `${name}: { type: slack, url: "https://${name}.example" }`;
    const same = 'same: { url: "http://127.0.0.1:1" }';
    const running = start(text(`${same}, old: { url: "http://127.0.0.1:2" }`, `p: ${policy('1h')}`, hook('a')));
    const before = running.config.agents['same'];
    running.write(
      text(
        `${same}, new: { url: "http://127.0.0.1:3", policy: q }`,
        `p: ${policy('2h')}, q: ${policy('1h')}`,
        hook('b'),
      ),
    );
    running.signal();
    expect(Object.keys(running.config.agents)).toEqual(['same', 'new']);
    expect(running.config.agents['same']).toBe(before);
    expect(running.config.policies['p']?.expire.after).toBe('2h');
    expect(Object.keys(running.config.notifications.channels)).toEqual(['b']);
    expect(logged.filter((line) => line.startsWith('info'))).toEqual([
      `info ${file}: taken over: agents +new -old, policies +q ~p, channels +b -a`,
    ]);
  });

  test('a configuration that is read again leaves Slack apps and the first links to decide by to a restart', () => {
    const app = (secret: string): string =>
      `${both}notifications: { channels: { s: { type: slack-app, botToken: xoxb-12345, channel: C1, signingSecret: ${secret} } } }\n`;
    const running = start(app('a'.repeat(32)));
    running.write(app('b'.repeat(32)));
    running.signal();
    expect(logged).toEqual([`warn ${file}: changes of notifications.channels need a restart`]);
    expect(running.config.notifications.channels['s']).toMatchObject({ signingSecret: 'a'.repeat(32) });
    logged.splice(0);
    const plain = start(both);
    plain.write(
      `${both}notifications: { channels: { w: { type: slack, url: "https://a.example", decideLinks: true } } }\n`,
    );
    plain.signal();
    expect(logged).toEqual([expect.stringContaining('the first channel with decideLinks needs a restart')]);
    expect(plain.config.notifications.channels).toEqual({});
  });

  test.each([
    ['is no YAML', `${anna}   - [`, /standfast\.yaml:\d+:\d+ .*not valid YAML/],
    ['has a fault', `${both}server:\n  port: many\n`, /standfast\.yaml:7:9 server\.port: /],
    [
      'has a key that can be guessed',
      `${anna}    - { user: eve, key: ${'e'.repeat(20)} }\n`,
      /:4:25 auth\.keys\[1\]\.key/,
    ],
    ['opens everything to all', '', /the end of the last, need a restart/],
    [
      'goes together only with other changes',
      `${both.replace('name: Ben B.', 'notify: [new]')}notifications: { channels: { new: { type: slack-app, botToken: xoxb-12345, channel: C1, signingSecret: ${'s'.repeat(32)} } } }\n`,
      /users\.ben\.notify\[0\]: found "new"/,
    ],
  ])(
    'a configuration that is read again and %s changes nothing, and the log says what is wrong and where',
    (_how, text, problem) => {
      const running = start(both);
      running.write(text);
      running.signal();
      expect(running.users()).toEqual(['anna', 'ben']);
      expect(running.config.users).toMatchObject({ ben: { name: 'Ben B.' } });
      expect(logged.filter((line) => line.startsWith('error '))).toEqual([expect.stringMatching(problem)]);
      expect(logged.join('\n')).not.toMatch(/key-of-|eeee/);
      running.write(anna);
      running.signal();
      expect(running.users()).toEqual(['anna']);
    },
  );

  test('a configuration that is read again and is not there any more changes nothing', () => {
    const running = start(both);
    renameSync(file, `${file}.old`);
    running.change();
    expect(running.users()).toEqual(['anna', 'ben']);
    expect(logged).toEqual([expect.stringContaining('there is no such file')]);
  });

  test('a configuration that is read again has its first key of all by a restart alone, and short ones on a machine of one’s own', () => {
    const open = start('');
    open.write(anna);
    open.signal();
    expect(open.users()).toEqual([]);
    const own = start(anna, true);
    own.write(`${anna}    - { user: eve, key: ${'e'.repeat(20)} }\n`);
    own.signal();
    expect(own.users()).toEqual(['anna', 'eve']);
  });

  test('a configuration that is read again is that of another file in its place too, as editors and volumes put one there', async () => {
    const path = join(dir, 'watched.yaml');
    writeFileSync(path, both);
    const loaded = loadConfig({ path, env: {} });
    if (!loaded.ok) throw new Error('the configuration is not valid');
    const { config } = loaded;
    const settings = { config, configFile: path };
    const onSignal = (): (() => void) => () => undefined;
    const end = startReloading(
      { settings, deps: { config, log, store: storeOf([]) }, mayBeShort: false },
      { onSignal },
    );
    try {
      writeFileSync(`${path}.next`, anna);
      renameSync(`${path}.next`, path);
      await waitFor(() => config.auth.keys.length === 1, 20_000, 'the keys of the new file');
    } finally {
      end();
    }
  });

  test('a configuration that is read again is not read any more once what ran is stopped', () => {
    const running = start(both);
    running.end();
    expect(running.ended).toEqual(['signal', 'file']);
  });
});
