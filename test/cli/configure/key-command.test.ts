import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../../src/config/config.ts';
import { runInProcess, type CommandRun } from '../../rigs/product/command.ts';

const run = (...args: string[]): Promise<CommandRun> => runInProcess(args);

const keysOf = (text: string) => {
  const loaded = loadConfig({ text, env: {} });
  return loaded.ok ? loaded.config.auth.keys : loaded.problems;
};

// Promise T19
describe('standfast key new', () => {
  test('standfast key new prints a key that cannot be guessed, another each time, and the lines that know it by its hash', async () => {
    const { code, out } = await run('key', 'new', '--user', 'anna', '--id', 'anna-2026');
    expect(code).toBeNull();
    const [key = ''] = /^hpk_[\w-]{43}$/m.exec(out) ?? [];
    const keySha256 = createHash('sha256').update(key).digest('hex');
    const lines = out.slice(out.indexOf('auth:'));
    expect(lines).not.toContain(key);
    expect(keysOf(lines)).toMatchObject([{ user: 'anna', id: 'anna-2026', keySha256 }]);
    expect((await run('key', 'new')).out).not.toContain(key);
  });

  test.each(['null', '1.20', '1e3', 'true'])(
    'standfast key new writes the id %s so that YAML reads it as it is',
    async (id) => {
      const { out } = await run('key', 'new', '--id', id);
      expect(keysOf(out.slice(out.indexOf('auth:')))).toMatchObject([{ user: 'NAME', id }]);
    },
  );

  test('standfast key new writes the roles and the kind of a key, and refuses those that there are not', async () => {
    const person = await run('key', 'new', '--user', 'anna', '--role', 'finance', '--role', 'operator');
    expect(keysOf(person.out.slice(person.out.indexOf('auth:')))).toMatchObject([
      { user: 'anna', roles: ['finance', 'operator'], kind: 'person' },
    ]);
    const bot = await run('key', 'new', '--user', 'bot', '--kind', 'agent');
    expect(keysOf(bot.out.slice(bot.out.indexOf('auth:')))).toMatchObject([{ user: 'bot', kind: 'agent' }]);
    expect(await run('key', 'new', '--kind', 'robot')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--kind robot'),
    });
    expect(await run('key', 'new', '--role', 'role:x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--role role:x'),
    });
  });

  test('standfast key new gives programs the key and its entry as JSON, and refuses names that no key may have', async () => {
    const { key, entry } = JSON.parse((await run('key', 'new', '--user', 'bot', '--json')).out) as {
      key: string;
      entry: object;
    };
    expect(entry).toEqual({ user: 'bot', keySha256: createHash('sha256').update(key).digest('hex') });
    expect(await run('key', 'new', '--id', 'a b')).toMatchObject({
      code: 2,
      err: expect.stringContaining('letters, digits'),
    });
    expect((await run('key', 'new', '--user', 'a:b')).code).toBe(2);
    expect((await run('key', 'old')).code).toBe(2);
  });
});
