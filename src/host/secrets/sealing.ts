// Secret fields of answers: encrypted in the store, and passed as references everywhere else.
import type { HoldId } from '../../contract/base/id-types.ts';
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { sealedKey, sealIdOf } from '../../core/answers/sealed.ts';

export interface Sealer {
  /** Returns the same id for the same name and secret, so that a repeated answer is recognised without decrypting. */
  idOf(name: string, secret: Json): string;
  /** Whether that is the id of this name and secret. */
  isIdOf(sealId: string, name: string, secret: Json): boolean;
  /** Encrypts with AES-256-GCM, bound to the id so that boxes cannot be swapped. */
  seal(sealId: string, secret: Json): string;
  /** Decrypts; throws if the box was altered or sealed with another key. */
  open(sealId: string, box: string): Json;
}

const ivBytes = 12;
const tagBytes = 16;

/** Derives a key for each use from `key`; throws if that is shorter than 32 characters. What `old` keys sealed is opened, too. */
export function createSealer(key: string, old: readonly string[] = []): Sealer {
  if (key.length < 32) throw new Error('STANDFAST_SEAL_KEY: expected at least 32 characters');
  const derive = (one: string, use: string): Buffer => Buffer.from(hkdfSync('sha256', one, 'standfast', use, 32));
  const cipherKey = derive(key, 'seal');
  const cipherKeys = [cipherKey, ...old.map((one) => derive(one, 'seal'))];
  const nameKey = derive(key, 'name');
  const nameKeys = [nameKey, ...old.map((one) => derive(one, 'name'))];
  const idBy = (own: Buffer, name: string, secret: Json): string =>
    createHmac('sha256', own)
      .update(JSON.stringify([name, secret]))
      .digest('hex')
      .slice(0, 40);
  return {
    idOf: (name, secret) => idBy(nameKey, name, secret),
    isIdOf: (sealId, name, secret) => nameKeys.some((own) => idBy(own, name, secret) === sealId),
    seal(sealId, secret) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, iv).setAAD(Buffer.from(sealId));
      const text = Buffer.concat([cipher.update(JSON.stringify(secret), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
    },
    open(sealId, box) {
      const bytes = Buffer.from(box, 'base64');
      const openBy = (own: Buffer): Json => {
        const decipher = createDecipheriv('aes-256-gcm', own, bytes.subarray(0, ivBytes))
          .setAAD(Buffer.from(sealId))
          .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
        return JSON.parse(text.toString('utf8')) as Json;
      };
      return firstThatWorks(cipherKeys, openBy);
    },
  };
}

/** Throws what the last one throws. */
function firstThatWorks<K, T>(keys: readonly K[], use: (key: K) => T): T {
  let why: unknown;
  for (const key of keys) {
    try {
      return use(key);
    } catch (error) {
      why = error;
    }
  }
  throw why;
}

/** Replaces each secret in `values` by a reference; returns the boxes to store for them. */
export function sealValues(
  sealer: Sealer,
  hold: { holdId: HoldId; secrets: readonly string[] },
  values: JsonObject,
): { values: JsonObject; boxes: { sealId: string; holdId: HoldId; box: string }[] } {
  const boxes: { sealId: string; holdId: HoldId; box: string }[] = [];
  const sealed = Object.entries(values).map(([name, value]): [string, Json] => {
    if (!hold.secrets.includes(name)) return [name, value];
    const sealId = sealer.idOf(`${hold.holdId}/${name}`, value);
    boxes.push({ sealId, holdId: hold.holdId, box: sealer.seal(sealId, value) });
    return [name, { [sealedKey]: sealId }];
  });
  return { values: Object.fromEntries(sealed), boxes };
}

/**
 * Replaces references in `values` by their secrets; `boxOf` reads the store. A reference of another hold or field, or
 * one whose box was deleted, stays as it is.
 */
export async function openValues(
  sealer: Sealer,
  hold: { holdId: HoldId; secrets: readonly string[] },
  values: JsonObject,
  boxOf: (sealId: string) => Promise<string | null>,
): Promise<JsonObject> {
  const opened = await Promise.all(
    Object.entries(values).map(async ([name, value]): Promise<[string, Json]> => {
      const sealId = hold.secrets.includes(name) ? sealIdOf(value) : null;
      const box = sealId === null ? null : await boxOf(sealId);
      if (sealId === null || box === null) return [name, value];
      const secret = sealer.open(sealId, box);
      return [name, sealer.isIdOf(sealId, `${hold.holdId}/${name}`, secret) ? secret : value];
    }),
  );
  return Object.fromEntries(opened);
}
