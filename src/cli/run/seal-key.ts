import { createHash } from 'node:crypto';
import { randomKey } from '../../host/secrets/hash.ts';
import { createSealer, type Sealer } from '../../host/secrets/sealing.ts';
import type { Store } from '../../store/store.ts';
import { StartError } from './startup-output.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../contract/configuration/config.ts';
import { offersDecideLinks } from '../../core/questions/link-page.ts';
import { errnoCode } from '../../host/process/errno.ts';
import { createProver, type Prover } from '../../host/secrets/proofs.ts';
import { createSigner, type Signer } from '../../host/secrets/signing.ts';
import { createLinkSigner, type LinkSigner } from '../../host/secrets/tokens.ts';

/** Settings with the generated key, and with the fingerprint of the key in use. */
const keySetting = 'seal-key';
const fingerprintSetting = 'seal-key-fingerprint';
const forgetKey = `delete from settings where name = '${fingerprintSetting}'`;

/** It is not taken from there without being given: who can read the database could prove whatever they like for ever. */
const firstKeyText = `STANDFAST_SEAL_KEY is given for the first time, and until now the database kept a key of its own. Give that one in STANDFAST_SEAL_KEY_OLD too, everywhere, until what was begun with it is over: \`select value from settings where name = '${keySetting}'\`. Where nothing is open, run \`${forgetKey}\` instead (docs/operate/encryption.md).`;

const keyFingerprint = (key: string): string => createHash('sha256').update(`standfast seal key ${key}`).digest('hex');

/** Seals secrets, and proves what one process tells another. */
export interface Secrets {
  sealer: Sealer;
  prover: Prover;
}

/**
 * The secrets of STANDFAST_SEAL_KEY; `old`: what it was before, or will be. Without it, a key is generated and stored in the
 * database: secrets stay out of Temporal, logs and pages, but can be opened by anyone who can read the whole database.
 * Throws StartError when the key has changed, because workers must be able to open what the API seals, and believe it.
 */
export async function secretsFor(
  sealKey: string | undefined,
  store: Pick<Store, 'settings'>,
  old: readonly string[] = [],
): Promise<Secrets> {
  const key = sealKey ?? (await store.settings.putOnce(keySetting, randomKey()));
  const fingerprint = keyFingerprint(key);
  const known = await store.settings.putOnce(fingerprintSetting, fingerprint);
  if (known !== fingerprint && old.some((one) => keyFingerprint(one) === known))
    await store.settings.put(fingerprintSetting, fingerprint);
  else if (known !== fingerprint) {
    const own = await store.settings.get(keySetting);
    if (sealKey !== undefined && own !== null && keyFingerprint(own) === known) throw new StartError(firstKeyText);
    const given =
      sealKey === undefined ? 'STANDFAST_SEAL_KEY is missing, and' : 'this STANDFAST_SEAL_KEY is another one:';
    throw new StartError(
      `${given} this database knows secrets sealed with a key that was given before. Give the same key to every api and worker, and after a change the earlier one in STANDFAST_SEAL_KEY_OLD. Where that is lost, run \`${forgetKey}\`: what was begun with it cannot go on (docs/operate/encryption.md).`,
    );
  }
  return { sealer: createSealer(key, old), prover: createProver(key, old) };
}

/** Signs and verifies decision links; null when no channel sends any, StartError when there is no key for them. */
export function linksFor(config: Config, sealKey: string | undefined): LinkSigner | null {
  if (!offersDecideLinks(config)) return null;
  if (sealKey !== undefined) return createLinkSigner(sealKey);
  const channels = Object.entries(config.notifications.channels).filter(([, { decideLinks }]) => decideLinks);
  const named = channels.map(([name]) => `notifications.channels.${name}.decideLinks`).join(', ');
  throw new StartError(
    `${named}: links to decide by need the environment variable STANDFAST_SEAL_KEY (64 hex digits, \`openssl rand -hex 32\`), the same for every api and worker: their key is made from it, and never kept in the database`,
  );
}

/** Signs receipts and agent cards; null without a key, StartError when a policy gives receipts and there is none. */
export function signerFor({ policies }: Config, sealKey: string | undefined): Signer | null {
  if (sealKey !== undefined) return createSigner(sealKey);
  const [named] = Object.entries(policies).find(([, { receipt }]) => receipt !== false) ?? [];
  if (named === undefined) return null;
  throw new StartError(
    `policies.${named}.receipt: receipts need the environment variable STANDFAST_SEAL_KEY (64 hex digits, \`openssl rand -hex 32\`), the same for every api and worker: the key that signs them is made from it, and never kept in the database`,
  );
}

/** Those of a local `up`: what is proved, as links and receipts, goes by a key that does not lie in its database. */
export async function localSecrets(
  { sealKey, oldSealKeys }: { sealKey: string | undefined; oldSealKeys: string[] },
  store: Pick<Store, 'settings'>,
  dataDir: string,
): Promise<Secrets & { ownKey: string }> {
  const { sealer } = await secretsFor(sealKey, store, oldSealKeys);
  const ownKey = sealKey ?? linkKeyIn(dataDir);
  return { ownKey, sealer, prover: createProver(ownKey, oldSealKeys) };
}

/** Checks what api and worker proved, as far as a command knows their key; null: it was never made, or is not given. */
export async function knownProver(
  { sealKey, oldSealKeys }: { sealKey: string | undefined; oldSealKeys: string[] },
  { settings }: Pick<Store, 'settings'>,
  dataDir: string | null,
): Promise<Prover | null> {
  const key = sealKey ?? (dataDir === null ? await settings.get(keySetting) : linkKeyIn(dataDir));
  return key === null ? null : createProver(key, oldSealKeys);
}

/** The link key of a local `up`, stored next to its database and not in it. */
export function linkKeyIn(dataDir: string): string {
  const path = join(dataDir, 'link.key');
  try {
    writeFileSync(path, randomKey(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (errnoCode(error) !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
