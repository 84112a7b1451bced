import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { secretsFor } from '../../../src/cli/run/seal-key.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';

/** The settings of one database. */
function settingsOf(): Pick<Store, 'settings'> {
  const known = new Map<string, string>();
  return {
    settings: {
      get: async (name) => known.get(name) ?? null,
      namesWith: async (prefix) => [...known.keys()].filter((name) => name.startsWith(prefix)),
      take: async () => true,
      put: async (name, value) => void known.set(name, value),
      putOnce: async (name, value) => {
        known.set(name, known.get(name) ?? value);
        return known.get(name) ?? value;
      },
    },
  };
}
const one = 'one key of at least thirty-two characters';
const other = 'other key of at least thirty-two characters';

describe('the key that seals secrets', () => {
  test('the key that seals secrets is one for every api and worker on a database, also when it is made by the first of them', async () => {
    for (const key of [one, undefined]) {
      const store = settingsOf();
      const [{ sealer: api }, { sealer: worker }] = [await secretsFor(key, store), await secretsFor(key, store)];
      expect(worker.open('id', api.seal('id', 'secret'))).toBe('secret');
    }
  });

  test('the key that seals secrets is refused at the start when it is not the one this database knows, and the words hold no key', async () => {
    const given = settingsOf();
    await secretsFor(one, given);
    for (const key of [other, undefined]) {
      const refused = await secretsFor(key, given).catch((error: unknown) => error);
      expect(String(refused)).toContain('STANDFAST_SEAL_KEY');
      expect(String(refused)).not.toContain('thirty-two');
    }
  });

  test('the key that seals secrets, given for the first time, is refused with where the database keeps the one of before, and taken together with that', async () => {
    const made = settingsOf();
    const before = await secretsFor(undefined, made);
    const mac = before.prover.macOf('text');
    await expect(secretsFor(one, made)).rejects.toThrow(
      /given for the first time.*STANDFAST_SEAL_KEY_OLD too.*select value from settings where name = 'seal-key'/,
    );
    const kept = (await made.settings.get('seal-key')) ?? '';
    expect((await secretsFor(one, made, [kept])).prover.isMacOf('text', mac)).toBe(true);
    await expect(secretsFor(one, made)).resolves.toBeDefined();
  });

  // Promise Y72
  test('the key that seals secrets changes where the earlier one is given as an old one, and what that sealed and proved is read', async () => {
    const store = settingsOf();
    const before = await secretsFor(one, store);
    const [sealId, mac] = [before.sealer.idOf('pin', '1234'), before.prover.macOf('text')];
    const box = before.sealer.seal(sealId, '1234');
    const now = await secretsFor(other, store, [one]);
    expect(now.sealer.open(sealId, box)).toBe('1234');
    expect([now.sealer.isIdOf(sealId, 'pin', '1234'), now.sealer.isIdOf(sealId, 'pin', '1235')]).toEqual([true, false]);
    expect(now.prover.isMacOf('text', mac)).toBe(true);
    await expect(secretsFor(other, store)).resolves.toBeDefined();
    await expect(secretsFor(one, store)).rejects.toThrow('another one');
  });

  test('the key that seals secrets changes by the statement that the refusal and docs/operate/encryption.md name, run on the real database', async () => {
    const pglite = await openMemoryDatabase();
    const store = await openStore({ pglite });
    await secretsFor(one, store);
    const refused = String(await secretsFor(other, store).catch((error: unknown) => error));
    const statement = /`(delete from [^`]+)`/.exec(refused)?.[1] ?? '';
    const guide = new URL('../../../docs/operate/encryption.md', import.meta.url);
    expect(readFileSync(guide, 'utf8')).toContain(statement);
    await pglite.exec(statement);
    await expect(secretsFor(other, store)).resolves.toBeDefined();
    await store.close();
  });
});
