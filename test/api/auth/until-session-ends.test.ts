import { describe, expect, test } from '@jest/globals';
import { createKeyRing } from '../../../src/api/auth/keys.ts';
import { untilSessionEnds } from '../../../src/api/auth/until-session-ends.ts';
import type { Sessions } from '../../../src/api/auth/sessions.ts';
import { ConfigSchema } from '../../../src/contract/config.ts';

const key = 'k'.repeat(32);
const keysOf = (...roles: string[][]) =>
  ConfigSchema.parse({ auth: { keys: roles.map((own) => ({ user: 'anna', key, roles: own })) } }).auth.keys;

async function* counting(): AsyncGenerator<number> {
  for (let n = 1; ; n += 1) yield n;
}

describe('a stream of a key', () => {
  test.each([
    ['is taken away', keysOf()],
    ['has other roles', keysOf(['travel'])],
  ])('ends before its next item once the key %s, and not for being read anew as it was', async (_how, next) => {
    const config = ConfigSchema.parse({ auth: { keys: [{ user: 'anna', key, roles: ['finance'] }] } });
    const keys = createKeyRing(config, () => new Date());
    // Safe: a stream of a key asks for no session.
    const sessions = {} as Sessions;
    const caller = { session: null, knownKey: keys.byKey(key) };
    const read: number[] = [];
    for await (const one of untilSessionEnds({ sessions, keys, now: () => new Date() }, caller, counting())) {
      read.push(one);
      if (one === 1) config.auth.keys = keysOf(['finance']);
      if (one === 2) config.auth.keys = next;
    }
    expect(read).toEqual([1, 2]);
  });
});
