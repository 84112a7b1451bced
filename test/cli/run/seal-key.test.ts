import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { sealerFor } from '../../../src/cli/run/seal-key.ts';
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
      const [api, worker] = [await sealerFor(key, store), await sealerFor(key, store)];
      expect(worker.open('id', api.seal('id', 'secret'))).toBe('secret');
    }
  });

  test('the key that seals secrets is refused at the start when it is not the one this database knows, and the words hold no key', async () => {
    const given = settingsOf();
    await sealerFor(one, given);
    for (const key of [other, undefined]) {
      const refused = await sealerFor(key, given).catch((error: unknown) => error);
      expect(String(refused)).toContain('HOLDPOINT_SEAL_KEY');
      expect(String(refused)).not.toContain('thirty-two');
    }
    const made = settingsOf();
    await sealerFor(undefined, made);
    await expect(sealerFor(one, made)).rejects.toThrow('another one');
  });

  test('the key that seals secrets changes by the statement that the refusal and docs/operate/encryption.md name, run on the real database', async () => {
    const pglite = await openMemoryDatabase();
    const store = await openStore({ pglite });
    await sealerFor(one, store);
    const refused = String(await sealerFor(other, store).catch((error: unknown) => error));
    const statement = /`(delete from [^`]+)`/.exec(refused)?.[1] ?? '';
    const guide = new URL('../../../docs/operate/encryption.md', import.meta.url);
    expect(readFileSync(guide, 'utf8')).toContain(statement);
    await pglite.exec(statement);
    await expect(sealerFor(other, store)).resolves.toBeDefined();
    await store.close();
  });
});
