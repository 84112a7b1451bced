// Secret fields of answers: encrypted in the store, and passed as references everywhere else.
import type { HoldId } from '../../contract/base/id-types.ts';
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { sealedKey, sealIdOf } from '../../core/answers/sealed.ts';

export interface Sealer {
  /** Returns the same id for the same name and secret, so that a repeated answer is recognised without decrypting. */
  idOf(name: string, secret: Json): string;
  /** Encrypts with AES-256-GCM, bound to the id so that boxes cannot be swapped. */
  seal(sealId: string, secret: Json): string;
  /** Decrypts; throws if the box was altered or sealed with another key. */
  open(sealId: string, box: string): Json;
  /** HMAC-SHA-256 of a command that names a principal, 32 bytes. */
  macOf(command: Uint8Array): Buffer;
}

const ivBytes = 12;
const tagBytes = 16;

/** Derives a key for each use from `key`; throws if that is shorter than 32 characters. */
export function createSealer(key: string): Sealer {
  if (key.length < 32) throw new Error('HOLDPOINT_SEAL_KEY: expected at least 32 characters');
  const derive = (use: string): Buffer => Buffer.from(hkdfSync('sha256', key, 'holdpoint', use, 32));
  const cipherKey = derive('seal');
  const nameKey = derive('name');
  const commandKey = derive('command');
  return {
    idOf: (name, secret) =>
      createHmac('sha256', nameKey)
        .update(JSON.stringify([name, secret]))
        .digest('hex')
        .slice(0, 40),
    seal(sealId, secret) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, iv).setAAD(Buffer.from(sealId));
      const text = Buffer.concat([cipher.update(JSON.stringify(secret), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
    },
    open(sealId, box) {
      const bytes = Buffer.from(box, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(sealId))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as Json;
    },
    macOf: (command) => createHmac('sha256', commandKey).update(command).digest(),
  };
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
      return [name, sealer.idOf(`${hold.holdId}/${name}`, secret) === sealId ? secret : value];
    }),
  );
  return Object.fromEntries(opened);
}
