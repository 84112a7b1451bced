import { afterEach, describe, expect, test } from '@jest/globals';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { createPayloadCodec } from '../../../src/host/temporal/payload-codec.ts';
import { bearer, type Rig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const api = describeApi();
let rig: Rig | undefined;
afterEach(() => rig?.close());

const ui = 'http://127.0.0.1:8233';
const own = { authorization: 'Bearer the-key-of-the-codec-endpoint-alone' };
const codec = createCodecKeys('ab'.repeat(32), ['cd'.repeat(32)]);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const clear = { metadata: { encoding: base64('json/plain') }, data: base64('"a secret"') };

async function begin(withCodec = true): Promise<Rig> {
  const config = { codec: { key: 'the-key-of-the-codec-endpoint-alone', origins: [ui] } };
  rig = await api.another({ withKeys: true, config, ...(withCodec && { codec }) });
  return rig;
}

async function post(way: string, payloads: unknown[], headers: Record<string, string> = own) {
  const { app } = rig ?? (await begin());
  return app.inject({ method: 'POST', url: `/codec/${way}`, headers, payload: { payloads } });
}

describe('the codec endpoint', () => {
  // Promise PR4
  test('the codec endpoint encodes what it decodes again, and passes on what was not encoded', async () => {
    await begin();
    const encoded = (await post('encode', [clear, { metadata: {}, data: '' }])).json<{ payloads: unknown[] }>();
    expect(JSON.stringify(encoded)).not.toContain(clear.data);
    const decoded = (await post('decode', [...encoded.payloads, clear])).json<{ payloads: unknown[] }>();
    expect(decoded.payloads).toEqual([clear, { metadata: {}, data: '' }, clear]);
  });

  // Promise PR4
  test('the codec endpoint answers a request without payloads, as `temporal workflow query` sends it', async () => {
    const { app } = await begin();
    const encoded = await app.inject({ method: 'POST', url: '/codec/encode', headers: own, payload: {} });
    expect([encoded.statusCode, encoded.json()]).toEqual([200, { payloads: [] }]);
  });

  // Promise PR4
  test('the codec endpoint opens what an old key sealed, and says by which key what it cannot open was', async () => {
    await begin();
    const sealed = async (key: string): Promise<unknown> => {
      const [payload] = await createPayloadCodec(createCodecKeys(key)).encode([
        { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"a secret"') },
      ]);
      const metadata = Object.entries(payload?.metadata ?? {}).map(([name, value]) => [
        name,
        Buffer.from(value).toString('base64'),
      ]);
      return { metadata: Object.fromEntries(metadata), data: Buffer.from(payload?.data ?? []).toString('base64') };
    };
    expect((await post('decode', [await sealed('cd'.repeat(32))])).json()).toEqual({ payloads: [clear] });
    const foreign = await post('decode', [await sealed('ef'.repeat(32))]);
    expect(foreign.statusCode).toBe(400);
    expect(foreign.json()).toMatchObject({ detail: expect.stringContaining('STANDFAST_CODEC_KEY_OLD') });
  });

  // Promise PR4
  test.each([
    ['its own key', own, 200],
    ['an operator’s key', bearer('op'), 200],
    ['the key of somebody else', bearer('anna'), 403],
    ['a key that nobody has', { authorization: 'Bearer nobody-has-this-key' }, 401],
    ['no key', {}, 401],
    ['its own key, from a page that is not named', { ...own, origin: 'https://evil.example' }, 403],
    ['its own key, on behalf of another', { ...own, 'standfast-on-behalf-of': 'anna' }, 403],
    ['an operator’s key, on behalf of another', { ...bearer('op'), 'standfast-on-behalf-of': 'anna' }, 403],
    ['its own key, from Temporal’s page', { ...own, origin: ui }, 200],
  ])('the codec endpoint is asked with %s', async (_with, headers, status) => {
    await begin();
    expect((await post('decode', [clear], headers as Record<string, string>)).statusCode).toBe(status);
  });

  test('the codec endpoint is not used up by strangers', async () => {
    const server = { rateLimit: { max: 2 } };
    const config = { codec: { key: 'the-key-of-the-codec-endpoint-alone' } };
    rig = await api.another({ withKeys: true, config, server, codec });
    for (let n = 0; n < 3; n += 1) expect((await post('decode', [clear], {})).statusCode).toBe(401);
    expect((await post('decode', [clear])).statusCode).toBe(200);
  });

  // Promise PR4
  test('the codec endpoint has a key that opens nothing else', async () => {
    const { app } = await begin();
    expect((await app.inject({ method: 'GET', url: '/api/tasks', headers: own })).statusCode).toBe(401);
  });

  // Promise PR4
  test('the codec endpoint lets Temporal’s page ask from a browser, and no other page', async () => {
    const { app } = await begin();
    const preflight = (origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url: '/codec/decode',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-namespace',
        },
      });
    expect((await preflight(ui)).headers).toMatchObject({
      'access-control-allow-origin': ui,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': expect.stringContaining('x-namespace'),
    });
    expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
  });

  // Promise PR4
  test('the codec endpoint leaves out MACs, which the command line would not print as JSON, also where nothing is encrypted', async () => {
    const proved = { ...clear, metadata: { ...clear.metadata, 'standfast-mac': base64('x') } };
    for (const isEncrypted of [true, false]) {
      await rig?.close();
      await begin(isEncrypted);
      expect((await post('decode', [proved])).json()).toEqual({ payloads: [clear] });
    }
    expect((await post('encode', [clear])).json()).toEqual({ payloads: [clear] });
  });
});
