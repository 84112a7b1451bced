import { describe, expect, test } from '@jest/globals';
import { sealerFor } from '../../../src/cli/run/seal-key.ts';
import type { Store } from '../../../src/store/store.ts';

/** The facts of one database. */
function factsOf(): Pick<Store, 'settings'> {
  const known = new Map<string, string>();
  return {
    settings: {
      get: async (name) => known.get(name) ?? null,
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
  test('is one for every api and worker on a database, also when it is made by the first of them', async () => {
    for (const key of [one, undefined]) {
      const store = factsOf();
      const [api, worker] = [await sealerFor(key, store), await sealerFor(key, store)];
      expect(worker.open('id', api.seal('id', 'secret'))).toBe('secret');
    }
  });

  test('is refused at the start when it is not the one this database knows, and the words hold no key', async () => {
    const given = factsOf();
    await sealerFor(one, given);
    for (const key of [other, undefined]) {
      const refused = await sealerFor(key, given).catch((error: unknown) => error);
      expect(String(refused)).toContain('HOLDPOINT_SEAL_KEY');
      expect(String(refused)).not.toContain('thirty-two');
    }
    const made = factsOf();
    await sealerFor(undefined, made);
    await expect(sealerFor(one, made)).rejects.toThrow('another one');
  });
});
