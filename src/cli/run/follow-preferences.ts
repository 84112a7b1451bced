// Keeps the users of a running configuration as the configuration file and the people themselves have them.
import { isDeepStrictEqual } from 'node:util';
import type { Preferences } from '../../contract/configuration/personal.ts';
import type { Config } from '../../contract/configuration/config.ts';
import type { RowMacs } from '../../core/base/proved-row.ts';
import { withPreferences } from '../../core/policy/preferences.ts';
import { readPreferences } from '../../host/secrets/kept-preferences.ts';
import type { Store } from '../../store/store.ts';

interface FollowDeps {
  store: Pick<Store, 'personal'>;
  prover: Pick<RowMacs, 'isMacOf'>;
  running: Config;
  log: { warn(values: object, message: string): void };
  everyMs?: number;
}

/** Reads all preferences once, and then every second; returns a function that stops it. */
export async function followPreferences(deps: FollowDeps): Promise<() => void> {
  const { store, prover, running, log, everyMs = 1_000 } = deps;
  let configured = running.users;
  let applied = running.users;

  async function apply(): Promise<void> {
    const rows = await store.personal.list('preferences');
    const chosen = rows.flatMap((row): [string, Preferences][] => {
      const read = readPreferences(prover, row);
      return read === null ? [] : [[row.user, read]];
    });
    // The file was read again meanwhile.
    if (running.users !== applied) configured = running.users;
    const next = withPreferences({ ...running, users: configured }, new Map(chosen));
    if (isDeepStrictEqual(next, applied)) return;
    applied = next;
    running.users = next;
  }

  await apply();
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;
  const note = (error: unknown): void => {
    // Once, until they are read again: this is tried each second.
    if (error !== null && !isFailing) log.warn({ err: error }, 'preferences of people were not read; trying on');
    isFailing = error !== null;
  };
  const again = (): void => {
    if (isEnded) return;
    timer = setTimeout(() => {
      apply()
        .then(() => note(null), note)
        .finally(again);
    }, everyMs).unref();
  };
  again();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
