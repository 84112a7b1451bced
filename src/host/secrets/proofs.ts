// Makes and checks the MACs of what is believed: with keys derived from STANDFAST_SEAL_KEY, so that neither the database nor Temporal
// suffices to forge one. The first key makes them; the others were it before, and still count.
import { createHash, createHmac, createPublicKey, hkdfSync, timingSafeEqual, verify } from 'node:crypto';
import type { PasskeyProof, SignedAnswer } from '../../contract/holds/passkey.ts';
import type { ProofChecks } from '../../core/consent/proof.ts';
import { challengeText } from '../../core/consent/signed-answer.ts';
import { fingerprintOf } from './hash.ts';

export interface Prover extends ProofChecks {
  /** HMAC-SHA-256 of a text, base64url. */
  macOf(text: string): string;
  /** HMAC-SHA-256 of a payload: `owner` is the workflow or activity that it is of. */
  payloadMacOf(owner: string, encoding: string, data: Uint8Array): Buffer;
  isPayloadMac(mac: Uint8Array, owner: string, encoding: string, data: Uint8Array): boolean;
}

export function createProver(key: string, old: readonly string[] = []): Prover {
  const derive = (one: string, use: string): Buffer => Buffer.from(hkdfSync('sha256', one, 'standfast', use, 32));
  const keysOf = (use: string): [Buffer, ...Buffer[]] => [derive(key, use), ...old.map((one) => derive(one, use))];
  const [forDecisions, forPayloads] = [keysOf('decision'), keysOf('payload')];
  const macBy = (own: Buffer, text: string): Buffer => createHmac('sha256', own).update(text).digest();
  const payloadMacBy = (own: Buffer, owner: string, encoding: string, data: Uint8Array): Buffer =>
    createHmac('sha256', own)
      .update(`${JSON.stringify([owner, encoding])}\n`)
      .update(data)
      .digest();
  return {
    fingerprintOf,
    isSigned,
    macOf: (text) => macBy(forDecisions[0], text).toString('base64url'),
    isMacOf(text, mac) {
      const given = typeof mac === 'string' ? Buffer.from(mac, 'base64url') : Buffer.alloc(0);
      return forDecisions.some((own) => isSame(given, macBy(own, text)));
    },
    payloadMacOf: (...of) => payloadMacBy(forPayloads[0], ...of),
    isPayloadMac: (mac, ...of) => forPayloads.some((own) => isSame(mac, payloadMacBy(own, ...of))),
  };
}

const isSame = (given: Uint8Array, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);

const hashOf = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const bytesOf = (base64url: string): Buffer => Buffer.from(base64url, 'base64url');

/** Whether an assertion (WebAuthn) is one of exactly this answer, as docs/verify-evidence.mjs checks it. */
function isSigned(
  { nonce, at, publicKey, authenticatorData, clientData, signature }: PasskeyProof,
  answer: Pick<SignedAnswer, 'hold' | 'by' | 'digest' | 'answer' | 'agrees'>,
): boolean {
  try {
    const { type, challenge, origin } = JSON.parse(bytesOf(clientData).toString()) as Record<string, string>;
    const expected = hashOf(challengeText({ ...answer, nonce, at })).toString('base64url');
    const data = bytesOf(authenticatorData);
    const isForHost = hashOf(new URL(origin ?? '').hostname).equals(data.subarray(0, 32));
    // Somebody was there (1), and was verified (4).
    const isPerson = ((data[32] ?? 0) & 5) === 5;
    if (type !== 'webauthn.get' || challenge !== expected || !isForHost || !isPerson) return false;
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify('sha256', Buffer.concat([data, hashOf(bytesOf(clientData))]), key, bytesOf(signature));
  } catch {
    return false;
  }
}
