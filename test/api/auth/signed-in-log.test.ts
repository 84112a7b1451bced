// Who came in, and who read people's words past Standfast's own rules, is in the log: by name, and without what they came with.
import { expect, test } from '@jest/globals';
import pino from 'pino';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { describeApi } from '../describe-api.ts';
import { keys } from '../rig.ts';

const api = describeApi();
const codecKey = 'the-key-of-the-codec-endpoint-alone';

async function logged() {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const config = { codec: { key: codecKey, origins: [] } };
  const rig = await api.another({ withKeys: true, config, codec: createCodecKeys('ab'.repeat(32)), log });
  const shown = (msg: string): unknown[] =>
    lines.map((line) => JSON.parse(line) as { msg: string }).filter((line) => line.msg === msg);
  return { rig, lines, shown };
}

test('a sign-in by a key is in the log with the person and the key’s name, and without the key', async () => {
  const { rig, lines, shown } = await logged();
  const headers = { 'sec-fetch-site': 'same-origin' };
  const login = (key: string) => rig.app.inject({ method: 'POST', url: '/api/login', headers, payload: { key } });
  expect((await login('a-key-that-nobody-has')).statusCode).toBe(401);
  expect(shown('signed in by a key')).toEqual([]);
  expect((await login(keys.anna)).statusCode).toBe(200);
  expect(shown('signed in by a key')).toMatchObject([{ by: 'anna', credential: expect.anything() }]);
  expect(lines.join('')).not.toContain(keys.anna);
  await rig.close();
});

test.each(['encode', 'decode'])('each use of the codec endpoint is in the log with who came: %s', async (way) => {
  const { rig, lines, shown } = await logged();
  const payload = { payloads: [{ metadata: {}, data: Buffer.from('secret words').toString('base64') }] };
  const use = (authorization: string) =>
    rig.app.inject({ method: 'POST', url: `/codec/${way}`, headers: { authorization }, payload });
  expect((await use('Bearer a-key-that-nobody-has')).statusCode).toBe(401);
  expect(shown('the codec endpoint was used')).toEqual([]);
  expect((await use(`Bearer ${codecKey}`)).statusCode).toBe(200);
  expect(shown('the codec endpoint was used')).toMatchObject([{ by: expect.anything(), way }]);
  expect(lines.join('')).not.toMatch(/secret words|the-key-of-the-codec/);
  await rig.close();
});
