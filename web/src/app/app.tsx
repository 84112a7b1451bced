import { Suspense, useEffect, type ReactNode } from 'react';
import { startEvents } from '../base/live/event-stream.ts';
import { InboxPage } from '../inbox/inbox-page.tsx';
import { Guard, SlowNotice } from '../ui/guard.tsx';
import { pageList } from './page-list.ts';
import { ChatPage, LoginPage, TaskPage } from './page-parts.ts';
import { loadMe, sessionNow, useAgents, useSession } from '../base/account/me.ts';
import { Link, navigate, useRoute } from '../base/router/router.ts';
import type { Route } from '../base/router/routes.ts';
import { applyAppearance } from '../settings/settings.ts';
import { useKeptFocus } from './shell/kept-focus.ts';
import { AppShell } from './shell/shell.tsx';
import { usePageTitle } from '../base/page/title.ts';
import { strings } from '../i18n/strings.ts';

const text = strings.app;
const askAgainMs = 3_000;

function Missing(): ReactNode {
  usePageTitle(text.missingTitle);
  return (
    <div className="empty">
      <h1>{text.missingTitle}</h1>
      <p>{text.missing}</p>
      <Link className="button" to="/">
        {text.toInbox}
      </Link>
    </div>
  );
}

/** Without an agent in the address: the first one there is. */
function Chat({ agent }: { agent: string | null }): ReactNode {
  const first = useAgents()?.[0]?.name;
  const name = agent ?? first;
  return name === undefined ? <Missing /> : <ChatPage key={name} agent={name} />;
}

function Page({ route }: { route: Route }): ReactNode {
  switch (route.page) {
    case 'inbox':
      return <InboxPage holdId={route.holdId} filters={route.filters} />;
    case 'task':
      return <TaskPage key={route.id} id={route.id} />;
    case 'chat':
      return <Chat agent={route.agent} />;
    case 'login':
      return <SlowNotice />;
    case 'missing':
      return <Missing />;
    default: {
      const { Part } = pageList[route.page];
      return <Part />;
    }
  }
}

/** The server does not answer: asked again after a while, and at once when the reader wants it. */
function Failed(): ReactNode {
  useEffect(() => {
    const timer = setInterval(() => void loadMe(), askAgainMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <main id="content" className="empty">
      <h1>{text.failedTitle}</h1>
      <p>{text.failed}</p>
      <button type="button" className="button" onClick={() => void loadMe()}>
        {text.tryNow}
      </button>
    </main>
  );
}

export function App(): ReactNode {
  const { status, me } = useSession();
  const route = useRoute();
  useKeptFocus();
  useEffect(() => {
    applyAppearance();
    if (sessionNow().status === 'loading') void loadMe();
  }, []);
  const isIn = status === 'in';
  useEffect(() => {
    if (isIn) startEvents();
  }, [isIn]);
  // Who is signed in has no business on the sign-in page.
  const next = isIn && route.page === 'login' ? route.next : null;
  useEffect(() => {
    if (next !== null) navigate(next, { replace: true });
  }, [next]);
  if (status === 'loading') return <SlowNotice />;
  if (me === null) {
    return status === 'failed' ? (
      <Failed />
    ) : (
      <Suspense fallback={<SlowNotice />}>
        <LoginPage />
      </Suspense>
    );
  }
  return (
    <AppShell route={route}>
      <Guard resetKey={route.page}>
        <Suspense fallback={<SlowNotice />}>
          <Page key={me.id} route={route} />
        </Suspense>
      </Guard>
    </AppShell>
  );
}
