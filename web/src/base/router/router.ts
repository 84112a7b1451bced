// The address bar is the state: no library, one listener, links that stay links.
import { createElement, useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent, type ReactNode } from 'react';
import { createListeners } from '../live/listeners.ts';
import { nextRoute, type Route } from './routes.ts';

const moved = createListeners<[]>();
let address = '';
let route: Route = { page: 'missing' };

function current(): Route {
  const now = location.pathname + location.search;
  if (now !== address) {
    address = now;
    route = nextRoute(route, location.pathname, location.search);
  }
  return route;
}

function subscribe(cb: () => void): () => void {
  const stop = moved.add(cb);
  addEventListener('popstate', cb);
  return () => {
    stop();
    removeEventListener('popstate', cb);
  };
}

const currentSearch = (): string => location.search;

/** What follows the path in the address, for pages that keep their filters there. */
export const useSearch = (): string => useSyncExternalStore(subscribe, currentSearch);

export const useRoute = (): Route => useSyncExternalStore(subscribe, current);

export interface NavigateOptions {
  /** Takes the place of this entry in the history. */
  replace?: boolean;
  /** Kept with the entry, e.g. what to arm. */
  state?: unknown;
}

export function navigate(to: string, { replace = false, state = null }: NavigateOptions = {}): void {
  if (replace) history.replaceState(state, '', to);
  else history.pushState(state, '', to);
  moved.emit();
}

/** A click meant for another tab or window stays the browser's. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> &
  NavigateOptions & {
    to: string;
    children?: ReactNode;
    ref?: (element: HTMLAnchorElement | null) => void;
    /** In place of the way there. */
    onGo?: (() => void) | undefined;
  };

export function Link({ to, replace, state, onClick, onGo, ...rest }: LinkProps): ReactNode {
  return createElement('a', {
    ...rest,
    href: to,
    onClick: (event: MouseEvent<HTMLAnchorElement>) => {
      onClick?.(event);
      if (event.defaultPrevented || !isPlainClick(event)) return;
      event.preventDefault();
      if (onGo !== undefined) return onGo();
      navigate(to, { ...(replace === undefined ? {} : { replace }), ...(state === undefined ? {} : { state }) });
    },
  });
}
