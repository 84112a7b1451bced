// Renaming and removing one's own passkeys.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { softPasskey, type SoftPasskey } from '../../rigs/surfaces/soft-passkey.ts';
import type { Rig } from '../rig.ts';
import {
  optionsFor,
  listOf,
  origin,
  records,
  register,
  signedIn,
  startPasskeyRig,
  withPasskey,
} from './passkeys-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startPasskeyRig();
});
afterAll(() => rig?.close());

const post = (headers: Record<string, string>, url: string, payload: object) =>
  rig.app.inject({ method: 'POST', url: `/api/me/passkeys/${url}`, headers, payload });

// Promise PK6
test('A person renames a passkey of theirs, and of nobody else', async () => {
  const { headers, passkey } = await withPasskey(rig, 'ben');
  const renamed = await post(headers, 'names', { id: passkey.id, name: 'A laptop' });
  expect(renamed.json()).toMatchObject({ id: passkey.id, name: 'A laptop' });
  expect(await listOf(rig, headers)).toMatchObject([{ id: passkey.id, name: 'A laptop' }]);
  const other = await signedIn(rig, 'op');
  expect((await post(other, 'names', { id: passkey.id, name: 'Mine' })).json()).toMatchObject({ code: 'not_found' });
});

async function remove(headers: Record<string, string>, id: string, by: SoftPasskey): Promise<Record<string, unknown>> {
  const asked = await post(headers, 'removals/options', { id });
  if (asked.statusCode !== 200) return asked.json();
  const { vouching } = asked.json<{ vouching: { challenge: string } }>();
  return (await post(headers, 'removals', { id, vouching: by.get(vouching) })).json();
}

// Promise PK6
test('A person removes a passkey of theirs by the signature of one that they have, on the record', async () => {
  const { headers, passkey } = await withPasskey(rig, 'anna');
  const second = softPasskey(origin);
  expect((await register(rig, headers, second, passkey)).statusCode).toBe(200);
  expect((await post(headers, 'removals', { id: passkey.id })).json()).toMatchObject({ code: 'passkey_required' });
  expect(await remove(headers, passkey.id, softPasskey(origin))).toMatchObject({ code: 'passkey_invalid' });
  // What vouches for a new one removes none.
  const { vouching } = await optionsFor(rig, headers);
  const given = { id: passkey.id, vouching: second.get(vouching ?? {}) };
  expect((await post(headers, 'removals', given)).json()).toMatchObject({ code: 'passkey_invalid' });
  expect(await remove(headers, passkey.id, second)).toMatchObject({ id: passkey.id });
  expect((await listOf(rig, headers)).map(({ id }) => id)).toEqual([second.id]);
  expect(await remove(headers, passkey.id, second)).toMatchObject({ code: 'not_found' });
  const record = (await records(rig)).find(({ event }) => event === 'removed');
  expect(record).toMatchObject({ passkey: passkey.id, user: 'anna', by: 'anna', vouchedBy: second.id });
});

// Promise PK6
test('The last passkey of a person is removed only where no policy asks for a signature', async () => {
  const { headers, passkey } = await withPasskey(rig, 'fin');
  const strict = await startPasskeyRig({
    config: { policies: { wires: { audience: ['role:finance'], sign: 'passkey' } } },
  });
  try {
    const { headers: there, passkey: only } = await withPasskey(strict, 'fin');
    const asked = await strict.app.inject({
      method: 'POST',
      url: '/api/me/passkeys/removals/options',
      headers: there,
      payload: { id: only.id },
    });
    expect(asked.json()).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('last passkey') });
  } finally {
    await strict.close();
  }
  expect(await remove(headers, passkey.id, passkey)).toMatchObject({ id: passkey.id });
  expect(await listOf(rig, headers)).toEqual([]);
});
