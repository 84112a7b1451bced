// Keeps the users of a running configuration as the configuration file and the people themselves have them.
import { isDeepStrictEqual } from 'node:util';
import { PreferencesSchema, type Preferences } from '../../contract/configuration/personal.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { withPreferences } from '../../core/policy/preferences.ts';
import type { Store } from '../../store/store.ts';

interface FollowDeps {
  store: Pick<Store, 'personal'>;
  running: Config;
  log: { warn(values: object, message: string): void };
  everyMs?: number;
}

/** Reads all preferences once, and then every second; returns a function that stops it. */
export async function followPreferences({ store, running, log, everyMs = 1_000 }: FollowDeps): Promise<() => void> {
  let configured = running.users;
  let applied = running.users;

  async function apply(): Promise<void> {
    const rows = await store.personal.list('preferences');
    const chosen = rows.flatMap(({ user, value }): [string, Preferences][] => {
      const read = PreferencesSchema.safeParse(value);
      return read.success ? [[user, read.data]] : [];
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
