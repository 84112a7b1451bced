// Passkeys of people: who registers one, with what, and how one is revoked.
import { expect, test } from '@jest/globals';
import { softPasskey } from '../../rigs/surfaces/soft-passkey.ts';
import { describeApi } from '../describe-api.ts';
import {
  keyOf,
  optionsFor,
  listOf,
  origin,
  records,
  register,
  signedIn,
  passkeyApi,
  withPasskey,
  type Who,
} from './passkeys-rig.ts';

const rig = describeApi(passkeyApi());

const keyHeaders = (who: Who): Record<string, string> => ({ authorization: `Bearer ${keyOf[who]}` });
const revoke = (who: Who, user: string, id: string) =>
  rig.app.inject({
    method: 'POST',
    url: '/api/passkeys/revocations',
    headers: keyHeaders(who),
    payload: { user, id },
  });

// Promise PK1
test('A person who signed in registers a passkey, which is on the record with its public key', async () => {
  const { headers, passkey } = await withPasskey(rig, 'ben');
  expect(await listOf(rig, headers)).toMatchObject([{ id: passkey.id, name: 'A phone' }]);
  const record = (await records(rig)).find(({ kind, user }) => kind === 'passkey' && user === 'ben');
  expect(record).toMatchObject({ event: 'registered', passkey: passkey.id, by: 'ben', vouchedBy: null });
  expect(record?.['publicKey']).toMatch(/^MFkw/);
  expect(String(record?.['credential'])).toMatch(/^session:/);
  expect((await rig.store.evidence.verify({})).faults).toEqual([]);
});

test('A further passkey is registered only if one that the person has vouches for it', async () => {
  const { headers, passkey } = await withPasskey(rig, 'anna');
  expect((await register(rig, headers)).json()).toMatchObject({ code: 'passkey_required' });
  const stranger = softPasskey(origin);
  expect((await register(rig, headers, softPasskey(origin), stranger)).json()).toMatchObject({
    code: 'passkey_invalid',
  });
  const second = softPasskey(origin);
  expect((await register(rig, headers, second, passkey)).statusCode).toBe(200);
  expect((await listOf(rig, headers)).map(({ id }) => id)).toEqual([passkey.id, second.id]);
  const record = (await records(rig)).find((one) => one['passkey'] === second.id);
  expect(record).toMatchObject({ vouchedBy: passkey.id });
});

test('A key alone, an agent and a page elsewhere register nothing', async () => {
  const options = (headers: Record<string, string>) =>
    rig.app.inject({ method: 'POST', url: '/api/me/passkeys/options', headers });
  expect((await options(keyHeaders('fin'))).json()).toMatchObject({ code: 'forbidden' });
  expect((await options(keyHeaders('bot'))).json()).toMatchObject({ code: 'forbidden' });
  const elsewhere = await register(rig, await signedIn(rig, 'fin'), softPasskey('https://standfast.evil.example'));
  expect(elsewhere.json()).toMatchObject({ code: 'passkey_invalid' });
});

test('A challenge registers one passkey, and within five minutes', async () => {
  const headers = await signedIn(rig, 'fin');
  const send = (payload: object) => rig.app.inject({ method: 'POST', url: '/api/me/passkeys', headers, payload });
  const { creation } = await optionsFor(rig, headers);
  rig.setNow(new Date(Date.now() + 6 * 60_000).toISOString());
  const late = await send({ name: 'Late', registration: softPasskey(origin).create(creation) });
  rig.setNow(null);
  expect(late.json()).toMatchObject({ code: 'passkey_invalid', detail: expect.stringContaining('five minutes') });
  const once = softPasskey(origin).create((await optionsFor(rig, headers)).creation);
  expect((await send({ name: 'Once', registration: once })).statusCode).toBe(200);
  expect((await send({ name: 'Twice', registration: once })).json()).toMatchObject({ code: 'passkey_invalid' });
});

// Promise PK2
test('Two operators revoke a passkey, and never one alone or its own person', async () => {
  const { headers, passkey } = await withPasskey(rig, 'op');
  expect((await revoke('fin', 'op', passkey.id)).json()).toMatchObject({ code: 'forbidden' });
  expect((await revoke('op', 'op', passkey.id)).json()).toMatchObject({ code: 'forbidden' });
  const asked = { isRevoked: false, askedBy: 'op2' };
  expect((await revoke('op2', 'op', passkey.id)).json()).toEqual(asked);
  expect((await revoke('op2', 'op', passkey.id)).json()).toEqual(asked);
  expect((await listOf(rig, headers)).length).toBe(1);

  const { passkey: other } = await withPasskey(rig, 'op2');
  expect((await revoke('op', 'op2', other.id)).json()).toMatchObject({ isRevoked: false, askedBy: 'op' });
  const all = await rig.app.inject({ url: '/api/passkeys', headers: keyHeaders('op') });
  expect(all.json<{ items: object[] }>().items).toContainEqual(
    expect.objectContaining({ user: 'op2', id: other.id, revocationAskedBy: 'op' }),
  );
});

test('What two operators revoked is on the record, and a person without one registers their first again', async () => {
  const mine = (await rig.app.inject({ url: '/api/passkeys', headers: keyHeaders('op') })).json<{
    items: { user: string; id: string }[];
  }>();
  const theirs = mine.items.find(({ user }) => user === 'ben');
  expect(theirs).toBeDefined();
  const id = theirs?.id ?? '';
  await revoke('op', 'ben', id);
  expect((await revoke('op2', 'ben', id)).json()).toEqual({ isRevoked: true, askedBy: 'op' });
  const events = (await records(rig)).filter((one) => one['passkey'] === id).map(({ event }) => event);
  expect(events).toEqual(['registered', 'revocation asked', 'revoked']);
  expect((await records(rig)).at(-1)).toMatchObject({ by: 'op2', askedBy: 'op' });
  expect((await register(rig, await signedIn(rig, 'ben'))).statusCode).toBe(200);
});

test('Where the address is an IP address the page reports that passkeys are impossible', async () => {
  const local = await rig.another(passkeyApi({ publicUrl: 'http://127.0.0.1:8600' }));
  const headers = await signedIn(local, 'fin');
  expect((await local.app.inject({ url: '/api/me/passkeys', headers })).json()).toMatchObject({ isPossible: false });
  const { json } = await local.app.inject({ method: 'POST', url: '/api/me/passkeys/options', headers });
  expect(json()).toMatchObject({ code: 'forbidden' });
});
