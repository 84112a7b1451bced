// What stands around every page: rail or bar, notices of the connection, help, palette, live regions.
import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { LiveRegions } from './announce.tsx';
import { Bars } from './bars.tsx';
import { serverNow } from '../time/clock.ts';
import { useKeys } from './keys.ts';
import { Guard, HelpDialog, Palette } from '../later.tsx';
import { LoginInPlace } from '../account/login.tsx';
import { useMedia } from './media.ts';
import { useSession } from '../account/me.ts';
import { useNotices } from '../notices.ts';
import { BottomBar, Rail } from './rail.tsx';
import { navigate } from '../router.ts';
import { inboxPath, noFilters, pagePath, type Route } from '../routes.ts';
import { useTitleCount } from '../title.ts';
import { UndoBar } from './undo-bar.tsx';

const text = strings.app;

type Over = 'help' | 'palette' | null;

export function AppShell({ route, children }: { route: Route; children: ReactNode }): ReactNode {
  const { status } = useSession();
  const [over, setOver] = useState<Over>(null);
  const close = useCallback(() => setOver(null), []);
  const help = useCallback(() => setOver('help'), []);
  const search = useCallback(() => setOver('palette'), []);
  const isPhone = useMedia('(max-width: 767px)');
  useTitleCount();
  useNotices(serverNow);
  useKeys({
    '?': help,
    'mod+k': search,
    'g i': () => navigate('/'),
    'g t': () => navigate(inboxPath({ ...noFilters, view: 'team' })),
    'g d': () => navigate(pagePath('history')),
    'g r': () => navigate(pagePath('requests')),
    'g c': () => navigate('/chat'),
    'g f': () => navigate(pagePath('overview')),
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
      {over !== null && (
        <Guard resetKey={over}>
          <Suspense fallback={null}>
            {over === 'help' ? <HelpDialog onClose={close} /> : <Palette onClose={close} />}
          </Suspense>
        </Guard>
      )}
      {status === 'in' && <UndoBar />}
      {status === 'out' && <LoginInPlace />}
      <LiveRegions />
    </>
  );
}
