import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../contract/config.ts';
import { offersDecideLinks } from '../../core/questions/link-page.ts';
import { errnoCode } from '../../host/process/errno.ts';
import { randomKey } from '../../host/secrets/hash.ts';
import { createLinkSigner } from '../../host/secrets/link-signer.ts';
import type { LinkSigner } from '../../host/secrets/link-signer.ts';
import { StartError } from './startup-output.ts';

/** Who makes and knows links to decide by; null where no channel sends any. Throws StartError where they have no key. */
export function linksFor(config: Config, sealKey: string | undefined): LinkSigner | null {
  if (!offersDecideLinks(config)) return null;
  if (sealKey !== undefined) return createLinkSigner(sealKey);
  const channels = Object.entries(config.notifications.channels).filter(([, { decideLinks }]) => decideLinks);
  const named = channels.map(([name]) => `notifications.channels.${name}.decideLinks`).join(', ');
  throw new StartError(
    `${named}: links to decide by need the environment variable HOLDPOINT_SEAL_KEY (64 hex digits, \`openssl rand -hex 32\`), the same for every api and worker: their key is made from it, and never kept in the database`,
  );
}

/** The key of one machine's `up`: beside its database, not in it. */
export function linkKeyIn(dataDir: string): string {
  const path = join(dataDir, 'link.key');
  try {
    writeFileSync(path, randomKey(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (errnoCode(error) !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
