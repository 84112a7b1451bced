// Renaming and removing one's own passkeys.
import { expect, test } from '@jest/globals';
import type { PersonalRow } from '../../../src/store/ports/personal.ts';
import { softPasskey, type SoftPasskey } from '../../rigs/surfaces/soft-passkey.ts';
import { describeApi } from '../describe-api.ts';
import { optionsFor, listOf, origin, records, register, signedIn, passkeyApi, withPasskey } from './passkeys-rig.ts';

const rig = describeApi(passkeyApi());
/** Apis whose answers are signed, one for each test of them. */
const signing = passkeyApi({ config: { policies: { wires: { audience: ['role:finance'], sign: 'passkey' } } } });
const [strict, racing] = [describeApi(signing), describeApi(signing)];
const forged = describeApi(passkeyApi());

const post = (headers: Record<string, string>, url: string, payload: object) =>
  rig.app.inject({ method: 'POST', url: `/api/me/passkeys/${url}`, headers, payload });

// Promise PK6
test('A person renames passkeys of their own alone', async () => {
  const { headers, passkey } = await withPasskey(rig, 'ben');
  const renamed = await post(headers, 'names', { id: passkey.id, name: 'A laptop' });
  expect(renamed.json()).toMatchObject({ id: passkey.id, name: 'A laptop' });
  expect(await listOf(rig, headers)).toMatchObject([{ id: passkey.id, name: 'A laptop' }]);
  const other = await signedIn(rig, 'op');
  expect((await post(other, 'names', { id: passkey.id, name: 'Mine' })).json()).toMatchObject({ code: 'not_found' });
});

// Promise PK7
test.each<[string, (registered: PersonalRow, own: PersonalRow) => Omit<PersonalRow, 'savedAt'>]>([
  ['made up', (registered) => ({ ...registered, user: 'op2', name: 'new', value: { ...registered.value, mac: 'AA' } })],
  ['one without a MAC', ({ value: { mac: _mac, ...value }, ...row }) => ({ ...row, user: 'op2', value })],
  ['another person’s', (registered) => ({ ...registered, user: 'op2' })],
  [
    'their own with the key of another',
    ({ value: { cose = '', publicKey = '' } }, own) => ({ ...own, value: { ...own.value, cose, publicKey } }),
  ],
])('A row of a passkey that is %s is none of that person’s passkeys', async (_how, forge) => {
  const { store } = forged;
  const { headers } = await withPasskey(forged, 'anna');
  const own = await withPasskey(forged, 'op2');
  const [registered] = await store.personal.list('passkey', 'anna');
  const [kept] = await store.personal.list('passkey', 'op2');
  if (registered === undefined || kept === undefined) throw new Error('no passkeys');
  await store.personal.remove({ user: 'op2', kind: 'passkey', name: kept.name });
  await store.personal.put(forge(registered, kept));
  expect(await listOf(forged, own.headers)).toEqual([]);
  expect(await listOf(forged, headers)).toHaveLength(1);
  for (const user of ['anna', 'op2'])
    for (const { name } of await store.personal.list('passkey', user))
      await store.personal.remove({ user, kind: 'passkey', name });
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
  const { headers: there, passkey: only } = await withPasskey(strict, 'fin');
  const asked = await strict.app.inject({
    method: 'POST',
    url: '/api/me/passkeys/removals/options',
    headers: there,
    payload: { id: only.id },
  });
  expect(asked.json()).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('last passkey') });
  expect(await remove(headers, passkey.id, passkey)).toMatchObject({ id: passkey.id });
  expect(await listOf(rig, headers)).toEqual([]);
});

// Promise PK6
test('Of two passkeys that sign each other’s removal at once, one stays where answers are signed', async () => {
  const postThere = (headers: Record<string, string>, url: string, payload: object) =>
    racing.app.inject({ method: 'POST', url: `/api/me/passkeys/${url}`, headers, payload });
  for (const who of ['fin', 'anna', 'ben'] as const) {
    const { headers, passkey } = await withPasskey(racing, who);
    const second = softPasskey(origin);
    await register(racing, headers, second, passkey);
    const signed = [];
    for (const [gone, by] of [
      [passkey, second],
      [second, passkey],
    ] as const) {
      const { vouching } = (await postThere(headers, 'removals/options', { id: gone.id })).json<{
        vouching: { challenge: string };
      }>();
      signed.push({ id: gone.id, vouching: by.get(vouching) });
    }
    const answers = await Promise.all(signed.map((payload) => postThere(headers, 'removals', payload)));
    expect(answers.map(({ statusCode }) => statusCode).filter((code) => code === 200)).toEqual([200]);
    expect(await listOf(racing, headers)).toHaveLength(1);
  }
});

// Promise PK6
test('Of two passkeys that are registered as a person’s first at once, one is', async () => {
  const headers = await signedIn(rig, 'op');
  const made = [];
  for (const passkey of [softPasskey(origin), softPasskey(origin)]) {
    const { creation } = await optionsFor(rig, headers);
    made.push({ name: 'A phone', registration: passkey.create(creation) });
  }
  const answers = await Promise.all(
    made.map((payload) => rig.app.inject({ method: 'POST', url: '/api/me/passkeys', headers, payload })),
  );
  expect(answers.map(({ statusCode }) => statusCode).filter((code) => code === 200)).toEqual([200]);
  expect(await listOf(rig, headers)).toHaveLength(1);
});
