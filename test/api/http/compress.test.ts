import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { encodingOf } from '../../../src/api/http/compress.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { aHold, aTask, bearer, freshThread, keyConfig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({ config: { auth: { keys: keyConfig } } });
beforeAll(async () => {
  const tasks = await Promise.all(Array.from({ length: 8 }, () => aTask(rig.store, freshThread(), { owner: 'anna' })));
  for (const task of tasks) await aHold(rig.store, task, { audience: ['role:finance'] });
});

const ask = (url: string, accepted: string) =>
  rig.app.inject({ method: 'GET', url, headers: { ...bearer('fin'), 'accept-encoding': accepted } });

describe('an answer in JSON', () => {
  // Promise S57
  test('an answer in JSON of more than a packet leaves compressed as its client takes it, and says so', async () => {
    const plain = await ask('/api/holds', 'identity');
    const [br, gz] = [await ask('/api/holds', 'gzip, deflate, br'), await ask('/api/holds', 'gzip')];
    expect([br, gz, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    for (const { headers } of [br, gz, plain]) expect(headers['vary']).toContain('accept-encoding');
    const items = (text: Buffer | string): HoldView[] => JSON.parse(text.toString()).items;
    expect(items(brotliDecompressSync(br.rawPayload))).toEqual(items(plain.payload));
    expect(items(gunzipSync(gz.rawPayload))).toEqual(items(plain.payload));
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    expect(Number(br.headers['content-length'])).toBe(br.rawPayload.length);
  });

  test('an answer in JSON that is small stays as it is', async () => {
    expect((await ask('/healthz', 'br')).headers['content-encoding']).toBeUndefined();
  });

  // Promise S57
  test('an answer in JSON as lines of the list is a fraction of the questions themselves, and says the same of each', async () => {
    const [rows, whole] = [await ask('/api/inbox/rows', 'identity'), await ask('/api/holds', 'identity')];
    expect(rows.payload.length).toBeLessThan(whole.payload.length / 2);
    const of = rows.json<{ items: HoldRowView[]; totals: object; nextCursor: null }>();
    const all = whole.json<{ items: HoldView[]; totals: object; nextCursor: null }>();
    expect(of).toMatchObject({ totals: all.totals, nextCursor: all.nextCursor });
    expect(of.items.map(({ id, headline, digest, version }) => ({ id, headline, digest, version }))).toEqual(
      all.items.map(({ id, headline, digest, version }) => ({ id, headline, digest, version })),
    );
  });
});

test.each([
  ['br, gzip', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip, br;q=0', 'gzip'],
  ['*', 'br'],
  ['deflate', null],
  ['', null],
  ['identity, *;q=0', null],
])('a client that accepts “%s” is sent %s', (accepted, encoding) => {
  expect(encodingOf(accepted)).toBe(encoding);
});
