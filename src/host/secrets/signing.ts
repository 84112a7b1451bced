// Signs receipts and Standfast's own agent cards: Ed25519, with a key derived from STANDFAST_SEAL_KEY, so that neither the
// database nor Temporal suffices to forge one.
import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign, type KeyObject } from 'node:crypto';
import { canonicalJson } from '../../core/base/json.ts';

/** An Ed25519 public key as JWKS has it (RFC 8037). */
export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

export interface Signer {
  jwk: PublicJwk;
  /** A compact JWS over canonical JSON; deterministic. */
  jwsOf(type: string, claims: object, header?: object): string;
}

/** DER prefix of an Ed25519 private key in PKCS #8. */
const keyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** `sealKey`: STANDFAST_SEAL_KEY, 64 hex digits. */
export function createSigner(sealKey: string): Signer {
  if (!/^[0-9a-f]{64}$/i.test(sealKey)) throw new Error('expected 64 hex digits');
  const seed = Buffer.from(hkdfSync('sha256', Buffer.from(sealKey, 'hex'), 'standfast', 'receipts', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([keyPrefix, seed]), format: 'der', type: 'pkcs8' });
  const jwk = jwkOf(privateKey);
  return {
    jwk,
    jwsOf(type, claims, header = {}) {
      const protectedHeader = { alg: 'EdDSA', typ: type, kid: jwk.kid, ...header };
      const input = `${base64url(canonicalJson(protectedHeader))}.${base64url(canonicalJson(claims))}`;
      return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
    },
  };
}

/** The public key, named by its thumbprint (RFC 7638). */
function jwkOf(privateKey: KeyObject): PublicJwk {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
}
