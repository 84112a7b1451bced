// What people choose for themselves, and what is on the record of it.
import { expect, test } from '@jest/globals';
import { bearer, keyConfig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const backend = 'the-back-end-of-the-shop-has-a-key';
const keys = [...keyConfig, { user: 'shop', kind: 'backend' as const, key: backend }];
const rig = describeApi({ withKeys: true, config: { auth: { keys } } });

const url = '/api/me/preferences';
const put = async (payload: object, headers = bearer('fin')) =>
  rig.app.inject({ method: 'PUT', url, headers, payload });
const until = new Date(Date.now() + 86_400_000).toISOString();

test('Preferences are kept for each person, replaced as a whole, and read by them alone', async () => {
  const hours = { zone: 'Europe/Berlin', hours: 'Mon-Fri 08:00-18:00' };
  expect((await put({ events: ['opened'], hours })).statusCode).toBe(200);
  const read = async (who: 'fin' | 'anna') => (await rig.app.inject({ url, headers: bearer(who) })).json<object>();
  expect(await read('fin')).toEqual({ events: ['opened'], hours });
  expect(await read('anna')).toEqual({});
  const digest = { zone: 'Europe/Berlin', at: ['09:00', '16:30'], days: 'Mon-Fri' };
  await put({ events: ['decided'], digest });
  expect(await read('fin')).toEqual({ events: ['decided'], digest });
  await put({ digest: 'off' });
  expect(await read('fin')).toEqual({ digest: 'off' });
});

test('A deputy whom somebody names is on the record, with their credential', async () => {
  const away = { until, delegate: 'user:ben' };
  expect((await put({ away })).statusCode).toBe(200);
  const records: string[] = [];
  await rig.store.evidence.export({}, (line) => void records.push(JSON.stringify(line)));
  const text = records.join('\n').replaceAll('\\"', '"');
  expect(text).toContain('"kind":"deputy"');
  expect(text).toContain('"delegate":"user:ben"');
  expect(text).toContain('"by":"fin"');
  expect((await rig.store.evidence.verify({})).faults).toEqual([]);
});

test.each([
  [{ away: { until, delegate: 'user:fin' } }, 'another person'],
  [{ away: { until, delegate: 'user:mallory' } }, 'there is no user mallory'],
  [{ away: { until, delegate: 'role:finance' } }, 'user:'],
  [{ away: { until: '2020-01-01T00:00:00Z', delegate: 'user:ben' } }, 'to come'],
  [{ away: { until: '2999-01-01T00:00:00Z', delegate: 'user:ben' } }, 'a year'],
  [{ hours: { zone: 'Mars/Olympus', hours: 'Mon-Fri 08:00-18:00' } }, 'hours'],
  [{ events: ['nothing'] }, 'events'],
  [{ digest: { zone: 'Mars/Olympus', at: ['09:00'] } }, 'digest'],
  [{ digest: { zone: 'UTC', at: ['25:00'] } }, 'digest'],
  [{ digest: { zone: 'UTC', at: ['09:00'], days: 'Someday' } }, 'digest'],
])('The preferences %j are refused', async (payload, why) => {
  const response = await put(payload);
  expect(response.statusCode).toBe(400);
  expect(response.body).toContain(why);
});

test('A back end names no deputy for the person whom it acts for', async () => {
  const headers = { authorization: `Bearer ${backend}`, 'standfast-on-behalf-of': 'fin' };
  expect((await put({ away: { until, delegate: 'user:ben' } }, headers)).statusCode).toBe(403);
});

// Promise Y65
test('A deputy counts from when they were named, whatever is sent, and whatever else is chosen later', async () => {
  const named = async (payload: object) =>
    (await put(payload)).json<{ away?: { namedAt: string; delegate: string } }>().away?.namedAt;
  const early = '2020-01-01T00:00:00.000Z';
  const first = await named({ away: { until, delegate: 'user:anna', namedAt: early } });
  expect(Date.parse(first ?? '')).toBeGreaterThan(Date.now() - 60_000);
  expect(await named({ events: ['opened'], away: { until, delegate: 'user:anna', namedAt: early } })).toBe(first);
  const other = await named({ away: { until, delegate: 'user:ben', namedAt: first } });
  expect(Date.parse(other ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''));
  expect(await named({ events: ['opened'] })).toBeUndefined();
});
