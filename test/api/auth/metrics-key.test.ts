// A scraper's key opens the metrics and nothing else.
import { expect, test } from '@jest/globals';
import { ApiKeySchema } from '../../../src/contract/configuration/auth.ts';
import { bearer, keyConfig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const scraper = 'a-scraper-has-a-key-of-its-own';
const keys = [...keyConfig, { user: 'prometheus', key: scraper, kind: 'metrics' as const }];
const rig = describeApi({ config: { auth: { keys } } });

const status = async (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: object) =>
  (await rig.app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode;

test('a key of kind metrics reads the metrics and is refused everywhere else', async () => {
  const headers = { authorization: `Bearer ${scraper}` };
  expect(await status('GET', '/metrics', headers)).toBe(200);
  for (const url of ['/api/holds', '/api/tasks', '/api/me', '/api/agents', '/api/policies', '/agents'])
    expect([url, await status('GET', url, headers)]).toEqual([url, 403]);
  const run = { threadId: 't', runId: 'r', messages: [], state: {}, tools: [], context: [] };
  expect(await status('POST', '/agents/expenses/run', headers, run)).toBe(403);
  expect(await status('POST', '/api/login', {}, { key: scraper })).toBe(403);
});

test('metrics are for operators and such keys alone', async () => {
  expect(await status('GET', '/metrics', bearer('op'))).toBe(200);
  expect(await status('GET', '/metrics', bearer('fin'))).toBe(403);
  expect(await status('GET', '/metrics', {})).toBe(401);
});

test('a key of kind metrics with roles is refused by the configuration', () => {
  const parsed = ApiKeySchema.safeParse({ user: 'prometheus', key: scraper, kind: 'metrics', roles: ['operator'] });
  expect(parsed.error?.issues[0]?.message).toContain('has no roles');
});
