// What a person has chosen for themselves, as the server has it; it is always saved as a whole.
import { useEffect, useState } from 'react';
import type { Preferences } from '../../../src/contract/configuration/personal.ts';
import { ApiError, get, send } from '../base/live/api.ts';
import { strings } from '../i18n/strings.ts';

const path = '/api/me/preferences';

export interface ChosenPreferences {
  /** Null: they are being read, or cannot be. */
  chosen: Preferences | null;
  /** Replaces these keys, and removes those that are undefined; returns why it was not saved, or null. */
  save(changes: { [K in keyof Preferences]: Preferences[K] | undefined }): Promise<string | null>;
}

export function usePreferences(): ChosenPreferences {
  const [chosen, setChosen] = useState<Preferences | null>(null);
  useEffect(() => {
    get<Preferences>(path).then(setChosen, () => undefined);
  }, []);
  return {
    chosen,
    async save(changes) {
      const all = Object.entries({ ...chosen, ...changes }).filter(([, value]) => value !== undefined);
      try {
        setChosen(await send<Preferences>('PUT', path, Object.fromEntries(all)));
        return null;
      } catch (error) {
        return error instanceof ApiError ? error.message : strings.settings.failed;
      }
    },
  };
}
