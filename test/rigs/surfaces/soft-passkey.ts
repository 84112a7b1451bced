// A passkey in software: what an authenticator and a browser would make of the options that the server gives.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { Assertion, Registration } from '../../../src/contract/holds/passkey.ts';

/** The smallest of CBOR (RFC 8949) that an attestation and a key need. */
type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** User is present, and verified by fingerprint or PIN. */
const presentAndVerified = 0b101;
const hasKey = 0b1000000;

interface Options {
  challenge?: unknown;
}

export interface SoftPasskey {
  id: string;
  /** The authenticator's counter of signatures; the next one has this and one more. */
  counter: number;
  create(options: Options): Registration;
  /** `over` is what a forger or another page changes. */
  get(options: Options, over?: { origin?: string; key?: KeyObject; flags?: number; challenge?: string }): Assertion;
}

export function softPasskey(origin: string): SoftPasskey {
  const rpIdHash = sha256(new URL(origin).hostname);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const rawId = randomBytes(16);
  const clientData = (type: string, challenge: unknown, page: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: page, crossOrigin: false }));
  function dataOf(flags: number, counter: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count]);
  }
  return {
    id: rawId.toString('base64url'),
    counter: 0,
    create({ challenge }) {
      const entries: [number, Cbor][] = [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ];
      const idLength = Buffer.from([0, rawId.length]);
      const key = cbor(new Map(entries));
      const made = Buffer.concat([
        dataOf(presentAndVerified | hasKey, this.counter),
        Buffer.alloc(16),
        idLength,
        rawId,
        key,
      ]);
      const attestation: [string, Cbor][] = [
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', made],
      ];
      return {
        id: this.id,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
          attestationObject: cbor(new Map(attestation)).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    get({ challenge: asked }, over = {}) {
      const { origin: page = origin, key = privateKey, flags = presentAndVerified, challenge = asked } = over;
      this.counter += 1;
      const data = dataOf(flags, this.counter);
      const client = clientData('webauthn.get', challenge, page);
      return {
        id: this.id,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), key).toString('base64url'),
        },
      };
    },
  };
}
