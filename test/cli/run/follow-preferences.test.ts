import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { followPreferences } from '../../../src/cli/run/follow-preferences.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { keptPreferences } from '../../../src/host/secrets/kept-preferences.ts';
import { prover } from '../../rigs/proofs.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';

const everyMs = 20;
let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const prefer = (value: { events: string[] }): Promise<void> =>
  store.tx(({ personal }) => personal.prefer('fin', value, { by: 'fin', credential: null }));

test('A running process takes over what people choose, over a configuration file that is read again', async () => {
  const running = ConfigSchema.parse({ users: { fin: { name: 'Fin' } } });
  await prefer({ events: ['decided'] });
  const end = await followPreferences({ store, prover, running, log: { warn: () => undefined }, everyMs });
  expect(running.users['fin']).toMatchObject({ name: 'Fin', events: ['decided'] });
  running.users = { fin: { name: 'Fin of Finance', notify: [] } };
  await prefer({ events: ['expired'] });
  await eventually(async () =>
    expect(running.users['fin']).toMatchObject({ name: 'Fin of Finance', events: ['expired'] }),
  );
  await store.personal.remove({ user: 'fin', kind: 'preferences', name: '' });
  await eventually(async () => expect(running.users['fin']).not.toHaveProperty('events'));
  end();
});

test('Preferences that cannot be read are reported once, and again after they were read', async () => {
  const running = ConfigSchema.parse({ users: {} });
  const given: { reads: number; isAway: boolean } = { reads: 0, isAway: false };
  const personal: Store['personal'] = {
    ...store.personal,
    list: async (kind) => {
      given.reads += 1;
      if (given.isAway) throw new Error('away');
      return store.personal.list(kind);
    },
  };
  const warnings: string[] = [];
  const log = { warn: (_values: object, message: string) => void warnings.push(message) };
  const end = await followPreferences({ store: { personal }, prover, running, log, everyMs });
  for (const times of [1, 2]) {
    for (const isAway of [true, false]) {
      given.isAway = isAway;
      const before = given.reads;
      await waitFor(() => given.reads >= before + 3, 20_000, 'three more reads');
    }
    expect(warnings).toHaveLength(times);
  }
  end();
});

// Promise T27
test('A deputy counts as their person named them, and none whom a writer of the database named', async () => {
  const away = { until: '2999-01-01T00:00:00.000Z', delegate: 'user:dora' };
  const stranger = createProver('another key of at least thirty-two characters');
  const running = ConfigSchema.parse({ users: { fin: {}, ana: {}, dora: {} } });
  const write = async (user: string, value: object): Promise<void> =>
    store.personal.put({ user, kind: 'preferences', name: '', value: { ...value } });
  const end = await followPreferences({ store, prover, running, log: { warn: () => undefined } });
  const named = keptPreferences(prover, 'ana', { events: ['decided'], away });
  await write('ana', named);
  await eventually(async () => expect(running.users['ana']).toMatchObject({ away }));
  for (const [n, value] of [
    { events: ['decided'], away },
    keptPreferences(stranger, 'fin', { away }),
    named,
    { ...keptPreferences(prover, 'fin', {}), away },
    { ...keptPreferences(prover, 'fin', { away }), away: { ...away, delegate: 'user:ana' } },
  ].entries()) {
    await write('fin', { ...value, events: [n % 2 === 0 ? 'expired' : 'opened'] });
    await eventually(async () =>
      expect(running.users['fin']).toMatchObject({ events: [n % 2 === 0 ? 'expired' : 'opened'] }),
    );
    expect(running.users['fin']?.away).toBeUndefined();
  }
  expect(running.users['ana']).toMatchObject({ away });
  end();
});
