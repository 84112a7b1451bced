// Secrets on their way from a person to an agent: encrypted in our own store, named by a reference everywhere else.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { sealedKey, sealIdOf } from '../../core/answers/sealed.ts';

export interface Sealer {
  /** Same name and secret, same id: an answer that comes again is recognised without being opened. */
  idOf(name: string, secret: Json): string;
  /** AES-256-GCM, bound to its id: a box cannot be put in another's place. */
  seal(sealId: string, secret: Json): string;
  /** Throws when the box was changed, or sealed with another key. */
  open(sealId: string, box: string): Json;
}

const ivBytes = 12;
const tagBytes = 16;

/** `key`: any text of enough entropy (at least 32 characters); keys of their own are derived for each use. */
export function createSealer(key: string): Sealer {
  if (key.length < 32) throw new Error('HOLDPOINT_SEAL_KEY: expected at least 32 characters');
  const derive = (use: string): Buffer => Buffer.from(hkdfSync('sha256', key, 'holdpoint', use, 32));
  const cipherKey = derive('seal');
  const nameKey = derive('name');
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
  };
}

/** Values with a reference in place of each secret, and the boxes to keep for them. */
export function sealValues(
  sealer: Sealer,
  hold: { holdId: string; secrets: readonly string[] },
  values: JsonObject,
): { values: JsonObject; boxes: { sealId: string; holdId: string; box: string }[] } {
  const boxes: { sealId: string; holdId: string; box: string }[] = [];
  const sealed = Object.entries(values).map(([name, value]): [string, Json] => {
    if (!hold.secrets.includes(name)) return [name, value];
    const sealId = sealer.idOf(`${hold.holdId}/${name}`, value);
    boxes.push({ sealId, holdId: hold.holdId, box: sealer.seal(sealId, value) });
    return [name, { [sealedKey]: sealId }];
  });
  return { values: Object.fromEntries(sealed), boxes };
}

/**
 * Values with the secrets themselves; `boxOf` reads the store. A reference that was not made for this hold and field stays as
 * it is, and so does one whose box is gone: neither is an answer any more.
 */
export async function openValues(
  sealer: Sealer,
  hold: { holdId: string; secrets: readonly string[] },
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
