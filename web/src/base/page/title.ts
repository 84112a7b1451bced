// What a tab shows: how many questions wait for the reader, and which page it is; a dot on its icon while any wait.
import { useEffect, useRef } from 'react';
import { strings } from '../../i18n/strings.ts';
import iconDot from './favicon-dot.svg';
import iconPlain from './favicon.svg';
import { useCounts } from '../live/event-stream.ts';
import { createListeners } from '../live/listeners.ts';

const changed = createListeners<[]>();
const named: { title: string }[] = [];
let waiting = 0;

function write(): void {
  document.title = strings.app.title(waiting, named.at(-1)?.title ?? '');
}

changed.add(write);

/** Names the page in its tab, in bookmarks and to screen readers; null: a part of the page does so. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return undefined;
    const entry = { title };
    named.push(entry);
    changed.emit();
    return () => {
      named.splice(named.indexOf(entry), 1);
      changed.emit();
    };
  }, [title]);
}

interface Badged {
  setAppBadge?: (count: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

/** The one number of the inbox: in the title, on the icon and on an installed page's badge. */
export function useTitleCount(): void {
  const counts = useCounts();
  const forMe = counts?.forMe ?? 0;
  const isKnown = counts !== null;
  const first = useRef<number | null>(null);
  const hasMoved = useRef(false);
  useEffect(() => {
    waiting = forMe;
    changed.emit();
    if (isKnown) first.current ??= forMe;
    if (first.current !== null && forMe !== first.current) hasMoved.current = true;
    // The dot means that something came, or that something waits while the reader is elsewhere: the first view keeps the picture.
    const draw = (): void => {
      const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
      const wanted = forMe > 0 && (document.hidden || hasMoved.current) ? iconDot : iconPlain;
      if (link !== null && link.getAttribute('href') !== wanted) link.href = wanted;
    };
    draw();
    document.addEventListener('visibilitychange', draw);
    const badge: Badged = navigator;
    void (forMe > 0 ? badge.setAppBadge?.(forMe) : badge.clearAppBadge?.())?.catch(() => undefined);
    return () => document.removeEventListener('visibilitychange', draw);
  }, [forMe, isKnown]);
}
