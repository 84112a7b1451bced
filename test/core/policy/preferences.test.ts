import { describe, expect, test } from '@jest/globals';
import { ConfigSchema, type Config } from '../../../src/contract/configuration/config.ts';
import type { Preferences } from '../../../src/contract/configuration/personal.ts';
import { mayDecide } from '../../../src/core/policy/audience.ts';
import { principalNow } from '../../../src/core/policy/delegates.ts';
import { withPreferences } from '../../../src/core/policy/preferences.ts';
import { aPrincipal } from '../../rigs/factories.ts';

const now = new Date('2030-01-01T12:00:00Z');
const away = (delegate: string): Preferences => ({ away: { until: '2030-01-02T00:00:00Z', delegate } });
const config = ConfigSchema.parse({
  users: { fin: { name: 'Fin', email: 'fin@example.org', events: ['opened'] } },
  auth: { keys: ['fin', 'ben', 'anna'].map((user) => ({ user, key: `the key of ${user}, long enough` })) },
});
const usersWith = (chosen: Record<string, Preferences>): Config['users'] =>
  withPreferences(config, new Map(Object.entries(chosen)));

describe('preferences of people', () => {
  test('preferences of people take the place of the same keys of the configuration, and leave its others', () => {
    const users = usersWith({ fin: { events: ['decided'] }, ben: { events: ['expired'] } });
    expect(users['fin']).toMatchObject({ name: 'Fin', email: 'fin@example.org', events: ['decided'] });
    expect(users['ben']).toEqual({ notify: [], events: ['expired'] });
    expect(config.users['fin']?.events).toEqual(['opened']);
  });

  test('preferences of somebody whom the configuration does not name have no effect', () => {
    expect(usersWith({ mallory: away('user:ben') })).toEqual(config.users);
  });

  test('preferences of people let a deputy decide what its person is asked by name, until it ends', () => {
    const users = usersWith({ fin: away('user:ben') });
    const hold = { audience: ['user:fin'], plan: { exclude: [] } };
    const ben = aPrincipal('ben');
    expect(mayDecide(hold, principalNow({ users }, ben, now), 'anna')).toBe(true);
    expect(mayDecide(hold, principalNow({ users }, ben, new Date('2030-01-02T00:00:01Z')), 'anna')).toBe(false);
  });

  test('preferences of people never break four eyes: neither the requester as a deputy decides, nor a deputy in the stead of the requester', () => {
    const anna = aPrincipal('anna');
    const ben = aPrincipal('ben');
    const plan = { exclude: ['requester' as const] };
    const asDeputy = principalNow({ users: usersWith({ fin: away('user:anna') }) }, anna, now);
    expect(mayDecide({ audience: ['user:fin'], plan }, asDeputy, 'anna')).toBe(false);
    const ofRequester = principalNow({ users: usersWith({ anna: away('user:ben') }) }, ben, now);
    expect(mayDecide({ audience: ['user:fin', 'user:anna'], plan }, ofRequester, 'anna')).toBe(false);
    expect(mayDecide({ audience: ['user:ben', 'user:anna'], plan }, ofRequester, 'anna')).toBe(true);
  });
});
