// Encryption of Temporal payloads and table columns: AES-256-GCM, with the key's id next to each box, and the place that
// it belongs to as associated data.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts with the current key, and decrypts with any. */
export interface CodecKeys {
  /** Ids of all keys; the first is that of the key that encrypts. */
  ids: readonly [string, ...string[]];
  /** `place`: where the box is kept; it opens nowhere else. */
  seal(bytes: Uint8Array, place: string): { keyId: string; box: Uint8Array };
  /** Throws if the key is unknown, or the box was altered or sealed for another place. */
  open(keyId: string, box: Uint8Array, place: string): Uint8Array;
}

const ivBytes = 12;
const tagBytes = 16;

/** Id of a key, which reveals nothing of it. */
const idOf = (key: string): string =>
  createHash('sha256').update(`standfast codec key ${key}`).digest('hex').slice(0, 8);

/** Something is sealed with a key that this process was not given. */
export class MissingKeyError extends Error {
  override name = 'MissingKeyError';
  constructor(keyId: string) {
    super(`sealed with the key ${keyId}: give it as STANDFAST_CODEC_KEY or in STANDFAST_CODEC_KEY_OLD`);
  }
}

/** Creates the codec from keys of 64 hex digits; `current` encrypts. */
export function createCodecKeys(current: string, old: readonly string[] = []): CodecKeys {
  const keys = new Map([...old, current].map((key) => [idOf(key), Buffer.from(key, 'hex')]));
  const keyId = idOf(current);
  const own = Buffer.from(current, 'hex');
  return {
    ids: [keyId, ...[...keys.keys()].filter((id) => id !== keyId)],
    seal(bytes, place) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', own, iv).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return { keyId, box: Buffer.concat([iv, cipher.getAuthTag(), text]) };
    },
    open(sealedBy, box, place) {
      const key = keys.get(sealedBy);
      if (key === undefined) throw new MissingKeyError(sealedBy);
      const bytes = Buffer.from(box);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    },
  };
}
