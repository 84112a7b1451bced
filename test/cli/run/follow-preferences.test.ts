import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { followPreferences } from '../../../src/cli/run/follow-preferences.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { eventually } from '../../rigs/wait-for.ts';

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
  const end = await followPreferences({ store, running, log: { warn: () => undefined } });
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
