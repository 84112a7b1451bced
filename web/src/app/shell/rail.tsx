// The way to every page: a rail at the left where there is room, a bar at the bottom of a phone.
import { type ReactNode, useRef } from 'react';
import { useSavedViews } from '../../inbox/saved-views.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon, Mark } from '../../ui/icons.tsx';
import { Monogram } from '../../ui/monogram.tsx';
import { useCounts, useShownConnection } from '../../base/live/event-stream.ts';
import { useIsSlow } from '../../base/live/slow-sends.ts';
import { signOut, useSession } from '../../base/account/me.ts';
import { navItems, type NavItem } from '../nav.ts';
import { useMenu } from '../../ui/menu.ts';
import { Link, useSearch } from '../../base/router/router.ts';
import { inboxPath, pagePath, type Route } from '../../base/router/routes.ts';

const text = strings.app;

interface Props {
  route: Route;
  onHelp: () => void;
  onSearch: () => void;
}

export function Rail({ route, onHelp, onSearch }: Props): ReactNode {
  const { me } = useSession();
  const items = navItems(route, me?.isOperator === true);
  const saved = useSavedViews();
  const search = useSearch();
  const here = route.page === 'inbox' ? inboxPath(route.filters) : `${location.pathname}${search}`;
  const views = saved.map(({ name, path }): NavItem => ({
    key: path,
    icon: 'filter',
    label: name,
    to: path,
    isCurrent: here === path,
    isOperators: false,
  }));
  const own = items.filter(({ isOperators }) => !isOperators);
  const operate = items.filter(({ isOperators }) => isOperators);
  return (
    <header className="rail">
      <Link className="brand" to="/">
        <Mark size={22} />
        <span className="rail-word">{text.name}</span>
      </Link>
      <button type="button" className="rail-search" onClick={onSearch}>
        <Icon name="search" />
        <span className="rail-word">{text.search}</span>
        <kbd className="rail-word" aria-hidden="true">
          {text.searchKey}
        </kbd>
      </button>
      <nav className="rail-nav" aria-label={text.navigation}>
        <NavList items={own} />
        <NavList title={text.savedViews} id="rail-views" items={views} />
        <NavList title={text.operate} id="rail-operate" items={operate} />
      </nav>
      <div className="rail-foot">
        <Live />
        <Account />
        <button type="button" className="button quiet icon-only" aria-label={text.help} onClick={onHelp}>
          {text.helpKey}
        </button>
      </div>
    </header>
  );
}

function NavList({ title, id, items }: { title?: string; id?: string; items: readonly NavItem[] }): ReactNode {
  if (items.length === 0) return null;
  return (
    <>
      {title !== undefined && (
        <p className="rail-group" id={id}>
          {title}
        </p>
      )}
      <ul aria-labelledby={id}>
        {items.map((item) => (
          <NavLink key={item.key} item={item} />
        ))}
      </ul>
    </>
  );
}

function NavLink({ item: { key, icon, label, to, isCurrent } }: { item: NavItem }): ReactNode {
  const waiting = useCounts()?.forMe ?? 0;
  const count = key === 'forMe' && waiting > 0 ? waiting : null;
  return (
    <li>
      <Link className="rail-link" to={to} aria-current={isCurrent ? 'page' : undefined} title={label}>
        <Icon name={icon} />
        <span className="rail-word">{label}</span>
        {count !== null && (
          <>
            <span className="sr-only">, </span>
            <span className="rail-count num">{count}</span>
          </>
        )}
      </Link>
    </li>
  );
}

function Live(): ReactNode {
  const connection = useShownConnection();
  const isSlow = useIsSlow();
  const isLive = connection === 'live' && !isSlow;
  const word = connection === 'live' ? (isSlow ? text.slow : text.live) : text[connection];
  return (
    <span className={`live ${isLive ? 'ok' : 'warn'}`} title={isLive ? text.liveLong : undefined}>
      <span className="dot" aria-hidden="true" />
      <span className="rail-word">{word}</span>
    </span>
  );
}

function Account(): ReactNode {
  const { me } = useSession();
  const menu = useRef<HTMLDetailsElement>(null);
  useMenu(menu);
  if (me === null) return null;
  const face = <Monogram id={me.id} name={me.name} isPerson />;
  return (
    <details ref={menu} className="menu account">
      <summary title={text.signedInAs(me.name)}>
        {face} <span className="sr-only">{text.signedIn} </span>
        <bdi className="rail-word cut">{me.name}</bdi>
      </summary>
      <div className="menu-items">
        <Link className="button quiet" to={pagePath('settings')}>
          <Icon name="gear" /> {text.pages.settings}
        </Link>
        {me.via === 'session' && (
          <button type="button" className="button quiet" onClick={() => void signOut()}>
            {text.signOut}
          </button>
        )}
      </div>
    </details>
  );
}

/** What has no room in the bar of a phone is under "More". */
export function BottomBar({ route, onHelp, onSearch }: Props): ReactNode {
  const { me } = useSession();
  const menu = useRef<HTMLDetailsElement>(null);
  useMenu(menu);
  const items = navItems(route, me?.isOperator === true);
  const first = items.filter(({ key }) => key === 'forMe' || key === 'requests' || key === 'chat');
  const rest = items.filter((item) => !first.includes(item));
  return (
    <nav className="bottom-bar" aria-label={text.navigation}>
      <ul>
        {first.map((item) => (
          <NavLink key={item.key} item={item} />
        ))}
        <li>
          <details ref={menu} className="menu">
            <summary className="rail-link">
              <Icon name="dots" />
              <span className="rail-word">{text.more}</span>
            </summary>
            <div className="menu-items">
              {rest.map(({ key, icon, label, to }) => (
                <Link key={key} className="button quiet" to={to}>
                  <Icon name={icon} /> {label}
                </Link>
              ))}
              <Link className="button quiet" to={pagePath('settings')}>
                <Icon name="gear" /> {text.pages.settings}
              </Link>
              <button type="button" className="button quiet" onClick={onSearch}>
                <Icon name="search" /> {text.search}
              </button>
              <button type="button" className="button quiet" onClick={onHelp}>
                {text.help}
              </button>
              {me?.via === 'session' && (
                <button type="button" className="button quiet" onClick={() => void signOut()}>
                  {text.signOutAs(me.name)}
                </button>
              )}
            </div>
          </details>
        </li>
      </ul>
    </nav>
  );
}
