import { expect, test } from '@jest/globals';
import { peopleFor } from '../../../src/activities/notices/notice-people.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { aHold } from '../../store/stores.ts';

// Promise Y63
test('a question that no one can decide is notified to operators', () => {
  const key = (user: string, ...roles: string[]) => ({ user, roles, key: `${user}-has-a-long-key-of-their-own` });
  const config = ConfigSchema.parse({ auth: { keys: [key('finn', 'finance'), key('otto', 'operator')] } });
  const row = aHold({ audience: ['user:yuri'] });
  const input = { event: 'undecidable' as const, holdId: row.holdId, k: 0 };
  expect(peopleFor(config, input, row, new Date())).toEqual(['otto']);
});
