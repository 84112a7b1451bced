// Verifies what authenticators give (WebAuthn), by @simplewebauthn/server, loaded once there is a passkey: it takes a
// second.
import { createHash, createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import type { Assertion, Registration } from '../../contract/holds/passkey.ts';

/** As whom a browser knows this Standfast. */
export interface RelyingParty {
  /** Host name, without a port. */
  id: string;
  origin: string;
}

/** The one of an address; null where browsers allow no passkeys: an IP address, or plain http to another machine. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isNamed = isIP(hostname) === 0 && !hostname.startsWith('[');
  return isNamed && (protocol === 'https:' || isLocal) ? { id: hostname, origin } : null;
}

/** A passkey as it is kept. */
export interface Passkey {
  id: string;
  /** COSE, base64url. */
  cose: string;
  /** DER (SubjectPublicKeyInfo), base64. */
  publicKey: string;
  counter: number;
  transports: string[];
}

const library = async () => import('@simplewebauthn/server');
const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(base64url, 'base64url'));

export const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The challenge that an answer of an authenticator names; null if it cannot be read. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge }: { challenge?: unknown } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** ES256 and RS256: every platform has one of them, and the verifier of evidence knows both. */
const algorithms = [-7, -257];

type Rest = Pick<Passkey, 'id' | 'transports'>;

/** Options of `navigator.credentials.create`, as JSON. */
export async function creationOptions(
  party: RelyingParty,
  user: { id: string; name: string },
  challenge: string,
  own: readonly Rest[],
): Promise<object> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Standfast',
    rpID: party.id,
    userName: user.id,
    userDisplayName: user.name,
    userID: new Uint8Array(createHash('sha256').update(user.id).digest()),
    challenge: bytesOf(challenge),
    attestationType: 'none',
    excludeCredentials: own.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
}

/** Options of `navigator.credentials.get`, as JSON. */
export async function requestOptions(party: RelyingParty, challenge: string, own: readonly Rest[]): Promise<object> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    allowCredentials: own.map(({ id, transports }) => ({ id, transports })),
    userVerification: 'required',
  });
}

/** Whole as the library wants them; what is left out is of no use here. */
const whole = <T>(given: { id: string; response: T }): object => ({
  ...given,
  rawId: given.id,
  type: 'public-key',
  clientExtensionResults: {},
});

/** The new passkey; throws with the reason if the answer is not one to this challenge. */
export async function registered(party: RelyingParty, challenge: string, given: Registration): Promise<Passkey> {
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    // Safe: checked by its schema, and completed.
    response: whole(given) as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  });
  if (registrationInfo === undefined) throw new Error('the attestation does not verify');
  const { id, publicKey, counter } = registrationInfo.credential;
  return {
    id,
    cose: Buffer.from(publicKey).toString('base64url'),
    publicKey: await derOf(publicKey),
    counter,
    transports: given.response.transports ?? [],
  };
}

/** The counter after an assertion; throws with the reason if it is not one of this passkey to this challenge. */
export async function asserted(
  party: RelyingParty,
  challenge: string,
  passkey: Passkey,
  given: Assertion,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    // Safe: checked by its schema, and completed.
    response: whole(given) as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: { id: passkey.id, publicKey: bytesOf(passkey.cose), counter: passkey.counter },
  });
  if (!verified) throw new Error('the signature is not one of this passkey');
  return authenticationInfo.newCounter;
}

/** A COSE key (RFC 9053) as DER, base64. */
async function derOf(cose: Uint8Array<ArrayBuffer>): Promise<string> {
  const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  // Safe: labels are numbers in every COSE key.
  const key = decodeCredentialPublicKey(cose) as unknown as Map<number, unknown>;
  const text = (label: number): string => Buffer.from(key.get(label) as Uint8Array).toString('base64url');
  const jwk =
    key.get(1) === 3 ? { kty: 'RSA', n: text(-1), e: text(-2) } : { kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) };
  return createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'der', type: 'spki' }).toString('base64');
}
