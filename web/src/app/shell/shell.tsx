// The frame of every page: rail or bar, notices of the connection, help, palette, live regions.
import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { LiveRegions } from '../../base/page/announce.tsx';
import { Bars } from './bars.tsx';
import { serverNow } from '../../base/time/clock.ts';
import { useKeys } from '../../base/page/keys.ts';
import { Guard } from '../../ui/guard.tsx';
import { whenIdle } from '../../base/live/lazy-part.ts';
import { HelpDialog, LoginInPlace } from '../page-parts.ts';
import { useIsPhone } from '../../base/page/media.ts';
import { useMe, useSession } from '../../base/account/me.ts';
import { useNotices } from '../../settings/notices.ts';
import { pageKeys } from '../nav.ts';
import { BottomBar, Rail } from './rail.tsx';
import { SearchBox } from './search-box.tsx';
import { navigate } from '../../base/router/router.ts';
import { inboxPath, noFilters, type Route } from '../../base/router/routes.ts';
import { useTitleCount } from '../../base/page/title.ts';
import { UndoBar } from './undo-bar.tsx';

const text = strings.app;

type Over = 'help' | 'palette' | null;

/** By then a page has all that it shows first. */
const restMs = 10_000;

/** Whose session ends signs in over what they do: the code of that must not be what is missing then. */
function useLoginAhead(): void {
  const hasKey = (useMe()?.via ?? 'none') !== 'none';
  useEffect(() => {
    if (!hasKey) return undefined;
    const timer = setTimeout(() => whenIdle(() => void LoginInPlace.ahead()), restMs);
    return () => clearTimeout(timer);
  }, [hasKey]);
}

export function AppShell({ route, children }: { route: Route; children: ReactNode }): ReactNode {
  const { status } = useSession();
  const [over, setOver] = useState<Over>(null);
  const close = useCallback(() => setOver(null), []);
  const help = useCallback(() => setOver('help'), []);
  const search = useCallback(() => setOver('palette'), []);
  const isPhone = useIsPhone();
  useTitleCount();
  useLoginAhead();
  useNotices(serverNow);
  useKeys({
    '?': help,
    'mod+k': search,
    'g t': () => navigate(inboxPath({ ...noFilters, view: 'team' })),
    ...Object.fromEntries(Object.entries(pageKeys).map(([to, key]) => [key, () => navigate(to)])),
  });
  useEffect(() => {
    history.scrollRestoration = 'manual';
  }, []);
  return (
    <>
      <a className="skip" href="#content">
        {text.skip}
      </a>
      <div className={`shell${isPhone ? ' phone' : ''}`}>
        {!isPhone && <Rail route={route} onHelp={help} onSearch={search} />}
        <div className="shell-main">
          <Bars />
          <main id="content" className={`page page-${route.page}`} tabIndex={-1}>
            {children}
          </main>
        </div>
        {isPhone && <BottomBar route={route} onHelp={help} onSearch={search} />}
      </div>
      {over === 'palette' && <SearchBox onClose={close} />}
      {over === 'help' && (
        <Guard resetKey={over}>
          <Suspense fallback={null}>
            <HelpDialog onClose={close} />
          </Suspense>
        </Guard>
      )}
      {status === 'in' && <UndoBar />}
      {status === 'out' && (
        <Guard resetKey={status}>
          <Suspense>
            <LoginInPlace />
          </Suspense>
        </Guard>
      )}
      <LiveRegions />
    </>
  );
}
