// Whom a verified mail address of another system belongs to.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { principalByEmail } from '../../../src/api/auth/user-principal.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { Store } from '../../../src/store/store.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { asOpened, prover } from '../../rigs/proofs.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const oidc = { issuer: 'https://id.example', clientId: 'standfast', clientSecret: 'a secret of the client' };
const config = ConfigSchema.parse({
  auth: { oidc, keys: [{ user: 'bot', kind: 'agent', key: 'the key of the bot, long enough' }] },
  users: { fin: { email: 'fin@example.org' }, dora: { away: { delegate: 'user:ivy' } } },
});
const find = async (email: string): Promise<unknown> =>
  principalByEmail({ config, store, prover, now: () => new Date() }, email);

async function signIn(
  id: string,
  email: string,
  roles: string[],
  lasts = { idle: 60_000, all: 120_000 },
  by = prover,
): Promise<void> {
  const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
  const principal = { id, roles, isSuper: false, email };
  const row = { tokenHash: randomUUID(), principal, keyHash: null, subject: id, sid: null };
  await store.sessions.open({ ...asOpened({ ...row, endsBy: at(lasts.all) }, by), expiresAt: at(lasts.idle) });
}

test('A mail address is that of a user of the configuration', async () => {
  expect(await find('Fin@Example.org')).toMatchObject({ id: 'fin', roles: [] });
  expect(await find('nobody@example.org')).toBeNull();
});

test('A mail address is that of who is signed in by the identity provider, with their newest roles and delegations', async () => {
  await signIn('ivy', 'Ivy@example.org', ['finance']);
  await signIn('ivy', 'Ivy@example.org', ['lead'], { idle: 60_000, all: 240_000 });
  expect(await find('ivy@example.org')).toMatchObject({ id: 'ivy', roles: ['lead'], alsoFor: ['user:dora'] });
});

test('A mail address names no user if their sign-in is over, if two users have it, or if it is a program’s', async () => {
  await signIn('late', 'late@example.org', [], { idle: -1_000, all: 60_000 });
  await signIn('one', 'both@example.org', []);
  await signIn('two', 'both@example.org', []);
  await signIn('bot', 'bot@example.org', []);
  for (const name of ['late', 'both', 'bot']) expect(await find(`${name}@example.org`)).toBeNull();
});

// Promise T27
test('A mail address names no one by a sign-in that a writer of the database made', async () => {
  const stranger = createProver('another key of at least thirty-two characters');
  await signIn('eve', 'dora@example.org', ['director'], undefined, stranger);
  expect(await find('dora@example.org')).toBeNull();
});
