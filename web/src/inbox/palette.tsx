// Ctrl+K: the way to every page, chat, saved view and question, by its name. Its parts load when it is first opened.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { useRead } from '../app/live/use-read.ts';
import { useMe } from '../app/account/me.ts';
import { agentTitle } from '../app/account/names.ts';
import { navItems } from '../app/nav.ts';
import { navigate, useRoute } from '../app/router.ts';
import { chatPath, holdPath, inboxPath, noFilters } from '../app/routes.ts';
import { oneLine } from '../hold/text/visible.ts';
import { strings } from '../i18n/strings.ts';

import { useModal } from '../ui/modal.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { useSavedViews } from './saved-views.ts';

const words = strings.palette;

interface Choice {
  icon: IconName;
  label: string;
  detail: string;
  to: string;
}

const searchAfterMs = 150;
const mostQuestions = 8;

/** Questions that fit, open ones first; none until two letters are typed. */
function useQuestions(q: string): HoldView[] {
  const [asked, setAsked] = useState(q);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(q), searchAfterMs);
    return () => clearTimeout(timer);
  }, [q]);
  const query = new URLSearchParams({ q: asked, limit: String(mostQuestions), sort: 'newest' });
  const { data } = useRead<{ items: HoldView[] }>(asked.length < 2 ? null : `/api/holds?${query}`);
  return (data?.items ?? []).toSorted((a, b) => Number(b.status === 'open') - Number(a.status === 'open'));
}

function useChoices(q: string): Choice[] {
  const me = useMe();
  const route = useRoute();
  const questions = useQuestions(q);
  const saved = useSavedViews();
  const choice = (icon: IconName, label: string, detail: string, to: string): Choice => ({ icon, label, detail, to });
  const places = [
    ...navItems(route, me?.isOperator === true).map(({ icon, label, to }) => choice(icon, label, words.page, to)),
    ...saved.map(({ name, path }) => choice('filter', name, words.view, path)),
    ...(me?.agents ?? []).map(({ name, title }) => choice('chat', words.chatWith(title), words.chat, chatPath(name))),
  ];
  const wanted = q.toLowerCase().split(/\s+/u).filter(Boolean);
  const fits = ({ label }: Choice): boolean => wanted.every((word) => label.toLowerCase().includes(word));
  return [
    ...places.filter(fits).slice(0, q === '' ? 14 : 6),
    ...questions.map(({ id, status, subject, agent }) => {
      const label = oneLine(subject, 120) || strings.inbox.untitled;
      return status === 'open'
        ? choice('inbox', label, agentTitle(agent), holdPath(id))
        : choice('history', label, agentTitle(agent), holdPath(id, { ...noFilters, view: 'decided' }));
    }),
    ...(q === ''
      ? []
      : [
          choice('search', words.searchAll(q), words.open, inboxPath({ ...noFilters, view: 'all', q })),
          choice('search', words.searchHistory(q), words.ended, inboxPath({ ...noFilters, view: 'decided', q })),
        ]),
  ];
}

export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const dialog = useModal();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const choices = useChoices(typed.trim());
  const current = Math.min(at, choices.length - 1);
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
            key={`${choice.detail} ${choice.to}`}
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
            <bdi className="cut" dir="auto">
              {choice.label}
            </bdi>
            <span className="meta">{choice.detail}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p className="meta pad">{words.nothing}</p>}
    </dialog>
  );
}
