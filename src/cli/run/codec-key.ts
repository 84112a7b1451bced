// The database knows the ids of the keys that encrypt it, so that no process reads or writes without them.
import type { CodecKeys } from '../../host/secrets/codec-keys.ts';
import { keySetting } from '../../store/database/key-ids.ts';
import type { Store } from '../../store/store.ts';
import { StartError } from './startup-output.ts';

const forget = (id: string): string => `delete from settings where name = '${keySetting}${id}'`;

/**
 * Registers the key that this process encrypts with. Throws StartError when the process lacks a key that the database
 * is encrypted with: it could not read, and without any key it would write people's words in clear. Throws where its key
 * is the first and it could not read what is there.
 */
export async function registerCodecKey(
  codec: (CodecKeys & { readsClear: boolean }) | null,
  { settings, tasks }: Pick<Store, 'settings' | 'tasks'>,
): Promise<void> {
  const inUse = await settings.namesWith(keySetting);
  const missing = inUse.map((name) => name.slice(keySetting.length)).filter((id) => codec?.ids.includes(id) !== true);
  if (missing.length > 0) throw new StartError(missingText(missing, codec));
  if (codec === null) return;
  if (inUse.length === 0 && !codec.readsClear && (await tasks.list({})).items.length > 0)
    throw new StartError(
      'this database was written without STANDFAST_CODEC_KEY: set STANDFAST_CODEC_CLEAR=true everywhere, so that what is ' +
        'there can be read until it is removed (docs/operate/encryption.md)',
    );
  await settings.putOnce(`${keySetting}${codec.ids[0]}`, new Date().toISOString());
}

function missingText(missing: string[], codec: CodecKeys | null): string {
  const names = missing.join(', ');
  const given =
    codec === null
      ? 'STANDFAST_CODEC_KEY is missing'
      : `the keys given here are ${codec.ids.join(', ')} (STANDFAST_CODEC_KEY, STANDFAST_CODEC_KEY_OLD)`;
  const statements = missing.map((id) => `\`${forget(id)}\``).join(', ');
  return (
    `this database is encrypted with the key ${names}, and ${given}. Give the same STANDFAST_CODEC_KEY to every api, ` +
    'worker and command; after a rotation the earlier key goes into STANDFAST_CODEC_KEY_OLD. Once nothing is encrypted ' +
    `with it any more, run ${statements} (docs/operate/encryption.md).`
  );
}
