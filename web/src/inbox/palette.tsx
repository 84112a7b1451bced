// Ctrl+K: the way to every page, chat, saved view and question, by its name. Its parts load when it is first opened.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { HoldView } from '../../../src/contract/hold.ts';
import { get } from '../app/api.ts';
import { useMe } from '../app/me.ts';
import { agentTitle } from '../app/names.ts';
import { navItems } from '../app/nav.ts';
import { navigate, useRoute } from '../app/router.ts';
import { chatPath, holdPath, inboxPath, noFilters } from '../app/routes.ts';
import { oneLine } from '../hold/text/visible.ts';
import { strings } from '../i18n/strings.ts';

import { Icon, type IconName } from '../ui/icons.tsx';
import { useSavedViews } from './saved-views.ts';

const words = strings.palette;

interface Choice {
  key: string;
  icon: IconName;
  label: string;
  detail: string;
  to: string;
}

const searchAfterMs = 150;
const mostQuestions = 8;

/** Questions that fit, open ones first; none until two letters are typed. */
function useQuestions(q: string): HoldView[] {
  const [found, setFound] = useState<HoldView[]>([]);
  useEffect(() => {
    if (q.length < 2) {
      setFound([]);
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const query = new URLSearchParams({ q, limit: String(mostQuestions), sort: 'newest' });
      get<{ items: HoldView[] }>(`/api/holds?${query}`, { signal: abort.signal }).then(
        ({ items }) => setFound(items.toSorted((a, b) => Number(b.status === 'open') - Number(a.status === 'open'))),
        () => undefined,
      );
    }, searchAfterMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [q]);
  return found;
}

function useChoices(q: string): Choice[] {
  const me = useMe();
  const route = useRoute();
  const questions = useQuestions(q);
  const saved = useSavedViews();
  const places: Choice[] = [
    ...navItems(route, me?.isOperator === true).map(({ key, icon, label, to }) => ({
      key: `page ${key}`,
      icon,
      label,
      detail: words.page,
      to,
    })),
    ...saved.map(({ name, path }) => ({
      key: `view ${path}`,
      icon: 'filter' as const,
      label: name,
      detail: words.view,
      to: path,
    })),
    ...(me?.agents ?? []).map(({ name, title }) => ({
      key: `chat ${name}`,
      icon: 'chat' as const,
      label: words.chatWith(title),
      detail: words.chat,
      to: chatPath(name),
    })),
  ];
  const wanted = q.toLowerCase().split(/\s+/u).filter(Boolean);
  const fits = ({ label }: Choice): boolean => wanted.every((word) => label.toLowerCase().includes(word));
  return [
    ...places.filter(fits).slice(0, q === '' ? 14 : 6),
    ...questions.map((hold) => ({
      key: hold.id,
      icon: hold.status === 'open' ? ('inbox' as const) : ('history' as const),
      label: oneLine(hold.subject, 120) || strings.inbox.untitled,
      detail: agentTitle(hold.agent),
      to: holdPath(hold.id, hold.status === 'open' ? noFilters : { ...noFilters, view: 'decided' }),
    })),
    ...(q === ''
      ? []
      : [
          {
            key: 'search',
            icon: 'search' as const,
            label: words.searchAll(q),
            detail: words.open,
            to: inboxPath({ ...noFilters, view: 'all', q }),
          },
          {
            key: 'search decided',
            icon: 'search' as const,
            label: words.searchHistory(q),
            detail: words.ended,
            to: inboxPath({ ...noFilters, view: 'decided', q }),
          },
        ]),
  ];
}

export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const choices = useChoices(typed.trim());
  const current = Math.min(at, choices.length - 1);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const choose = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    dialog.current?.close();
    navigate(choice.to);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((current + step + choices.length) % Math.max(1, choices.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(choices[current]);
    }
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={words.title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={choices[current] === undefined ? undefined : `${id}-${current}`}
          aria-label={words.title}
          placeholder={words.hint}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          maxLength={200}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
        />
      </div>
      <ul id={`${id}-list`} role="listbox" aria-label={words.title}>
        {choices.map((choice, index) => (
          <li
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            ref={(element) => {
              if (index === current) element?.scrollIntoView({ block: 'nearest' });
            }}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(choice)}
          >
            <Icon name={choice.icon} />
            <bdi dir="auto">{choice.label}</bdi>
            <span className="meta">{choice.detail}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p className="meta pad">{words.nothing}</p>}
    </dialog>
  );
}
