// What a tab shows when it is not in front: the count of what waits, and a dot on its icon.
import { useEffect } from 'react';
import { useCounts } from './event-stream.ts';
import iconDot from '../ui/favicon-dot.svg';
import iconPlain from '../ui/favicon.svg';
import { strings } from '../i18n/strings.ts';

export function useTitleCount(): void {
  const mine = useCounts()?.mine ?? 0;
  useEffect(() => {
    document.title = strings.app.title(mine);
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link !== null) link.href = mine > 0 ? iconDot : iconPlain;
  }, [mine]);
}
