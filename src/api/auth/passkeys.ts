// The passkeys of people: kept one row each, registered, and asked to sign a challenge that is taken once.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { Assertion } from '../../contract/holds/passkey.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { stringOf } from '../../core/base/json.ts';
import { isProvedRow, type RowMacs, rowMac } from '../../core/base/proved-row.ts';
import {
  asserted,
  challengeIn,
  challengeOf,
  relyingPartyOf,
  requestOptions,
  type Passkey,
  type RelyingParty,
} from '../../host/secrets/passkeys.ts';
import type { Store } from '../../store/store.ts';
import { errorText } from '../../host/process/errno.ts';

export interface PasskeyReads {
  store: Pick<Store, 'personal'>;
  prover: RowMacs;
}

export interface PasskeyDeps extends PasskeyReads {
  publicUrl: string;
  now: () => Date;
}

const KeptSchema = z.object({
  name: z.string(),
  cose: z.string(),
  publicKey: z.string(),
  counter: z.number(),
  transports: z.array(z.string()),
  lastUsedAt: z.string().nullable(),
});
export interface KeptPasskey extends Passkey, z.infer<typeof KeptSchema> {
  user: string;
  since: string;
}

const ChallengeSchema = z.object({ at: z.string(), nonce: z.string(), about: z.string() });

/** How long what is to be signed may wait for its person. */
const challengeMs = 5 * 60_000;

export const invalid = (message: string): StandfastError => new StandfastError('passkey_invalid', message);

/** Throws where browsers allow no passkeys. */
export function partyOf({ publicUrl }: Pick<PasskeyDeps, 'publicUrl'>): RelyingParty {
  const party = relyingPartyOf(publicUrl);
  if (party !== null) return party;
  throw new StandfastError(
    'forbidden',
    'passkeys need `server.publicUrl` to be https with a host name, or http://localhost',
  );
}

/** Of one person, or of all; oldest first. Those that no api registered, or for another person, are none. */
export async function passkeysOf({ store, prover }: PasskeyReads, user?: string): Promise<KeptPasskey[]> {
  const rows = await store.personal.list('passkey', user);
  return rows.flatMap(({ user: owner, name: id, value, savedAt: since }) => {
    const { mac, ...rest } = value;
    const kept = KeptSchema.safeParse(rest).data;
    if (kept === undefined) return [];
    const passkey = { ...kept, id, user: owner, since };
    return isProvedRow(prover, 'passkey of a person', provedPart(passkey), stringOf(mac)) ? [passkey] : [];
  });
}

/** How it is kept: its id and person are its row's. */
export function valueOf({ prover }: Pick<PasskeyReads, 'prover'>, passkey: KeptPasskey): JsonObject {
  const { user: _user, id: _id, since: _since, ...kept } = passkey;
  return { ...kept, mac: rowMac(prover, 'passkey of a person', provedPart(passkey)) };
}

const provedPart = ({ user, id, publicKey, cose }: KeptPasskey) => ({ user, id, publicKey, cose });

/** Only people, themselves: an agent signs nothing, nor does a back end for a person. */
export function refusePrograms({ kind, actor }: Principal): void {
  if (kind !== undefined || actor !== undefined)
    throw new StandfastError('forbidden', 'only people have passkeys, and sign with them themselves');
}

/** A new challenge of a person: `text` is what it is the hash of, `about` what it signs. Their old ones are dropped. */
export async function newChallenge(
  { store, now }: PasskeyDeps,
  user: string,
  about: string,
  text: (nonce: string, at: string) => string,
): Promise<{ challenge: string; nonce: string; at: string }> {
  const [nonce, at] = [randomBytes(16).toString('base64url'), now().toISOString()];
  const challenge = challengeOf(text(nonce, at));
  const earlier = await store.personal.list('passkey-challenge', user);
  const over = earlier.filter(({ value }) => Date.parse(String(value['at'])) + challengeMs < now().getTime());
  for (const { name } of over) await store.personal.remove({ user, kind: 'passkey-challenge', name });
  await store.personal.put({ user, kind: 'passkey-challenge', name: challenge, value: { at, nonce, about } });
  return { challenge, nonce, at };
}

/** Takes a challenge that a person was given, once; throws for one that is not theirs, was used, is old, or is about something else. */
export async function takeChallenge(
  { store, now }: PasskeyDeps,
  user: string,
  about: string,
  clientDataJSON: string,
): Promise<{ challenge: string; nonce: string; at: string }> {
  const challenge = challengeIn(clientDataJSON);
  const rows = await store.personal.list('passkey-challenge', user);
  const row = rows.find(({ name }) => name === challenge);
  const isTaken =
    row !== undefined && (await store.personal.remove({ user, kind: 'passkey-challenge', name: row.name }));
  if (!isTaken) throw invalid('what was signed was used before, is too old, or was never asked for; sign again');
  const given = ChallengeSchema.parse(row.value);
  if (Date.parse(given.at) + challengeMs < now().getTime())
    throw invalid('what was signed is too old: it waits five minutes at most; sign again');
  if (given.about !== about) throw invalid('what was signed is another answer, or an answer to another question');
  return { challenge: row.name, nonce: given.nonce, at: given.at };
}

/** What to hand to `navigator.credentials.get`; throws `passkey_required` for a person without one. */
export async function optionsToSign(deps: PasskeyDeps, user: string, challenge: string): Promise<object> {
  const own = await passkeysOf(deps, user);
  if (own.length === 0) throw new StandfastError('passkey_required', 'you have no passkey: register one in Settings');
  return requestOptions(partyOf(deps), challenge, own);
}

/** The passkey of this person that signed the challenge; throws `passkey_invalid`. */
export async function signedBy(
  deps: PasskeyDeps,
  user: string,
  challenge: string,
  given: Assertion,
): Promise<KeptPasskey> {
  const party = partyOf(deps);
  const passkey = (await passkeysOf(deps, user)).find(({ id }) => id === given.id);
  if (passkey === undefined) throw invalid(`${user} has no such passkey, or it was revoked`);
  const counter = await asserted(party, challenge, passkey, given).catch((error: unknown) => {
    throw invalid(errorText(error));
  });
  const lastUsedAt = deps.now().toISOString();
  const value = valueOf(deps, { ...passkey, counter, lastUsedAt });
  // Revoked meanwhile: what it signed counts no more.
  if (!(await deps.store.personal.change({ user, kind: 'passkey', name: passkey.id, value })))
    throw invalid(`this passkey of ${user} was revoked`);
  return passkey;
}
