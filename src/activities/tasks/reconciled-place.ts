// Where the reconciler's last pass ended. It is in the database, so that a pass on a restored backup lists all that has
// begun and closed since that backup.
import { z } from 'zod';
import { parseJson } from '../../core/base/json.ts';
import type { Store } from '../../store/store.ts';

const PlaceSchema = z.object({
  /** When the last pass began that could list what is new; null: none could. */
  at: z.iso.datetime().nullable(),
  /** The last task that was compared with its execution; null: the round is over. */
  after: z.string().nullable(),
  /** When the oldest open execution began that was compared with its row; null: the round is over. */
  until: z.iso.datetime().nullable(),
});
type Place = z.infer<typeof PlaceSchema>;

const name = 'reconciled';

export async function readPlace({ settings }: Pick<Store, 'settings'>): Promise<Place> {
  const kept = PlaceSchema.safeParse(parseJson((await settings.get(name)) ?? ''));
  return kept.success ? kept.data : { at: null, after: null, until: null };
}

export const keepPlace = ({ settings }: Pick<Store, 'settings'>, place: Place): Promise<void> =>
  settings.put(name, JSON.stringify(place));
