import { useCallback, useSyncExternalStore } from 'react';

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (cb: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', cb);
      return () => media.removeEventListener('change', cb);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** One thing at a time, and a bar at the foot. */
export const useIsPhone = (): boolean => useMedia('(max-width: 767px)');

/** List and question side by side. */
export const useIsWide = (): boolean => useMedia('(min-width: 1024px)');
