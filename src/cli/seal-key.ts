import { randomKey } from '../host/hash.ts';
import { createSealer } from '../host/sealing.ts';
import type { Sealer } from '../host/sealing.ts';
import type { Store } from '../store/store.ts';

/**
 * Seals secrets with HOLDPOINT_SEAL_KEY. Without it a key is made once and kept in the database: secrets stay out of Temporal,
 * logs and pages, but whoever reads the whole database can open them.
 */
export async function sealerFor(sealKey: string | undefined, store: Store): Promise<Sealer> {
  return createSealer(sealKey ?? (await store.facts.putOnce('seal-key', randomKey())));
}
