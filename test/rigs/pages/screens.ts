// What a sweep shows: each of its places at each size of the window, light and dark.
import { sample } from '../properties.ts';

export const schemes = ['dark', 'light'] as const;
export type Scheme = (typeof schemes)[number];

export interface Screen<T, S> {
  place: T;
  size: S;
  /** Seen one after the other without loading it again. */
  schemes: Scheme[];
}

/** All of them in a full run, else a quarter: each place once, by turns at another size and in another scheme. */
export function screensOf<T, S>(
  places: readonly T[],
  sizes: readonly S[],
  choose: <C>(all: readonly C[]) => C[] = sample,
): Screen<T, S>[] {
  const all = places.flatMap((place) => sizes.flatMap((size) => schemes.map((scheme) => ({ place, size, scheme }))));
  const chosen = choose(all);
  return places.flatMap((place) =>
    sizes
      .map((size) => ({
        place,
        size,
        schemes: chosen.filter((one) => one.place === place && one.size === size).map(({ scheme }) => scheme),
      }))
      .filter((screen) => screen.schemes.length > 0),
  );
}
