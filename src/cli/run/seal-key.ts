import { createHash } from 'node:crypto';
import { randomKey } from '../../host/secrets/hash.ts';
import { createSealer } from '../../host/secrets/sealing.ts';
import type { Sealer } from '../../host/secrets/sealing.ts';
import type { Store } from '../../store/store.ts';
import { StartError } from './startup-output.ts';

/** Names of the facts that keep a key of our own, and which key this database knows. */
const keySetting = 'seal-key';
const fingerprintSetting = 'seal-key-print';

const keyFingerprint = (key: string): string => createHash('sha256').update(`holdpoint seal key ${key}`).digest('hex');

/**
 * Seals secrets with HOLDPOINT_SEAL_KEY. Without it a key is made once and kept in the database: secrets stay out of Temporal,
 * logs and pages, but whoever reads the whole database can open them. Throws StartError for another key than before: what the
 * api seals a worker must be able to open.
 */
export async function sealerFor(sealKey: string | undefined, store: Pick<Store, 'settings'>): Promise<Sealer> {
  const key = sealKey ?? (await store.settings.putOnce(keySetting, randomKey()));
  const print = keyFingerprint(key);
  if ((await store.settings.putOnce(fingerprintSetting, print)) !== print) {
    const given =
      sealKey === undefined ? 'HOLDPOINT_SEAL_KEY is missing, and' : 'this HOLDPOINT_SEAL_KEY is another one:';
    throw new StartError(
      `${given} this database knows secrets sealed with a key that was given before. Give the same key to every api and worker. To change it, stop them all, let no answer with a secret be on its way, and delete the fact "${fingerprintSetting}" (docs/operate.md).`,
    );
  }
  return createSealer(key);
}
