// What stands around every page: header, bars, help, live regions.
import { Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useAgents } from './agents.ts';
import { LiveRegions } from './announce.tsx';
import { Bars } from './bars.tsx';
import { serverNow } from './clock.ts';
import { useConnection } from './event-stream.ts';
import { Icon } from '../ui/icons.tsx';
import { useKeys } from './keys.ts';
import { Guard, HelpDialog } from './later.tsx';
import { LoginInPlace } from './login.tsx';
import { signOut, useSession } from './me.ts';
import { useNotices } from './notices.ts';
import { Link, navigate } from './router.ts';
import { chatPath, inboxPath, noFilters, type Route } from './routes.ts';
import { strings } from '../i18n/strings.ts';
import { useTitleCount } from './title.ts';

const text = strings.app;

function Live(): ReactNode {
  const connection = useConnection();
  const word = connection === 'live' ? text.live : connection === 'offline' ? text.offline : text.reconnecting;
  return (
    <span
      className={`live ${connection === 'live' ? 'ok' : 'warn'}`}
      title={connection === 'live' ? text.liveLong : undefined}
    >
      <span className="dot" aria-hidden="true" />
      {word}
    </span>
  );
}

function Account(): ReactNode {
  const { me } = useSession();
  const menu = useRef<HTMLDetailsElement>(null);
  if (me === null) return null;
  if (me.via !== 'session') {
    return (
      <span className="account" title={text.signedInAs(me.name)}>
        <bdi>{me.name}</bdi>
      </span>
    );
  }
  const close = (): void => menu.current?.removeAttribute('open');
  return (
    <details
      ref={menu}
      className="menu"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        event.currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary aria-label={text.signedInAs(me.name)}>
        <bdi className="account">{me.name}</bdi> <Icon name="chevron" />
      </summary>
      <div className="menu-items">
        <button type="button" className="button quiet" onClick={() => void signOut()}>
          {text.signOut}
        </button>
      </div>
    </details>
  );
}

export function Shell({ route, children }: { route: Route; children: ReactNode }): ReactNode {
  const { me, status } = useSession();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const closeHelp = useCallback(() => setIsHelpOpen(false), []);
  useTitleCount();
  useNotices(serverNow);
  useKeys({
    '?': () => setIsHelpOpen(true),
    'g i': () => navigate('/'),
    'g t': () => navigate(inboxPath({ ...noFilters, view: 'team' })),
    'g d': () => navigate(inboxPath({ ...noFilters, view: 'decided' })),
    'g f': () => navigate('/figures'),
  });
  useEffect(() => {
    history.scrollRestoration = 'manual';
  }, []);
  const isOperator = me?.isOperator === true;
  const chatAgent = useAgents()?.[0]?.name;
  return (
    <>
      <a className="skip" href="#content">
        {text.skip}
      </a>
      <header className="top">
        <Link className="brand" to="/" aria-current={route.page === 'inbox' ? 'page' : undefined}>
          {text.name}
        </Link>
        <nav aria-label={text.navigation}>
          {chatAgent !== undefined && (
            <Link
              className="top-link"
              to={chatPath(chatAgent)}
              aria-current={route.page === 'chat' ? 'page' : undefined}
            >
              {text.chat}
            </Link>
          )}
          {isOperator && (
            <Link className="top-link" to="/figures" aria-current={route.page === 'figures' ? 'page' : undefined}>
              {text.figures}
            </Link>
          )}
        </nav>
        <span className="top-space" />
        <Live />
        <Account />
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={text.help}
          onClick={() => setIsHelpOpen(true)}
        >
          {text.helpKey}
        </button>
      </header>
      <Bars />
      <main id="content" className={`page page-${route.page}`} tabIndex={-1}>
        {children}
      </main>
      {isHelpOpen && (
        <Guard resetKey="help">
          <Suspense fallback={null}>
            <HelpDialog onClose={closeHelp} />
          </Suspense>
        </Guard>
      )}
      {status === 'out' && <LoginInPlace />}
      <LiveRegions />
    </>
  );
}
