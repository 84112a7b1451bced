// What the palette (Ctrl+K) offers for what is typed: every page, chat, saved view and question, by its name.
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { useRead } from '../../base/live/use-read.ts';
import { type Offer, offered, pressKey } from '../../base/page/keys.ts';
import { useMe } from '../../base/account/me.ts';
import { agentTitle } from '../../base/account/names.ts';
import { navItems, pageKeys } from '../nav.ts';
import { navigate, useRoute } from '../../base/router/router.ts';
import { chatPath, holdPath, inboxPath, noFilters } from '../../base/router/routes.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { useSavedViews } from '../../inbox/saved-views.ts';

const words = strings.palette;

interface Choice {
  icon: IconName;
  label: string;
  detail: string;
  to: string;
  /** What is done to the open question: `to` is the key that does it, and decides no more than the key. */
  isKey?: boolean;
}

const withKey = (what: string, key: string | undefined): string => (key === undefined ? what : `${what} · ${key}`);

const ofKey = ({ key, label }: Offer): Choice => ({
  icon: 'key',
  label,
  detail: withKey(words.thisQuestion, key.length > 1 ? undefined : key),
  to: key,
  isKey: true,
});

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
  return (data?.items ?? []).toSorted((a, b) => Number(hasEnded(a.status)) - Number(hasEnded(b.status)));
}

function useChoices(q: string): Choice[] {
  const me = useMe();
  const route = useRoute();
  const questions = useQuestions(q);
  const saved = useSavedViews();
  // Of the page beneath: it does not change while this lies over it.
  const [keys] = useState(() => offered().map(ofKey));
  const choice = (icon: IconName, label: string, detail: string, to: string): Choice => ({ icon, label, detail, to });
  const places = [
    ...navItems(route, me?.isOperator === true).map(({ icon, label, to }) =>
      choice(icon, label, withKey(words.page, pageKeys[to]), to),
    ),
    ...saved.map(({ name, path }) => choice('filter', name, words.view, path)),
    ...(me?.agents ?? []).map(({ name, title }) => choice('chat', words.chatWith(title), words.chat, chatPath(name))),
  ];
  const wanted = q.toLowerCase().split(/\s+/u).filter(Boolean);
  const fits = ({ label }: Choice): boolean => wanted.every((word) => label.toLowerCase().includes(word));
  return [
    ...keys.filter(fits),
    ...places.filter(fits).slice(0, q === '' ? 14 : 6),
    ...questions.map(({ id, status, headline, agent }) => {
      const label = oneLine(headline, 120) || strings.inbox.untitled;
      return hasEnded(status)
        ? choice('history', label, agentTitle(agent), holdPath(id, { ...noFilters, view: 'decided' }))
        : choice('inbox', label, agentTitle(agent), holdPath(id));
    }),
    ...(q === ''
      ? []
      : [
          choice('search', words.searchAll(q), words.open, inboxPath({ ...noFilters, view: 'all', q })),
          choice('search', words.searchHistory(q), words.ended, inboxPath({ ...noFilters, view: 'decided', q })),
        ]),
  ];
}

/** What the search field asks of its list. */
export interface ListHandle {
  step: (by: number) => void;
  choose: () => void;
}

interface Props {
  id: string;
  typed: string;
  /** Enter was pressed before this was loaded. */
  isChosen: boolean;
  handle: Ref<ListHandle>;
  onChosen: () => void;
  /** The id of the option that Enter would open. */
  onCurrent: (optionId: string | undefined) => void;
}

export function PaletteList({ id, typed, isChosen, handle, onChosen, onCurrent }: Props): ReactNode {
  const [at, setAt] = useState({ typed, index: 0 });
  const choices = useChoices(typed.trim());
  const current = Math.min(at.typed === typed ? at.index : 0, choices.length - 1);
  const setIndex = (index: number): void => setAt({ typed, index });
  const choose = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onChosen();
    if (choice.isKey !== true) return navigate(choice.to);
    // Enter confirms what was armed, whatever had the focus before.
    document.getElementById('content')?.focus({ preventScroll: true });
    pressKey(choice.to);
  };
  useImperativeHandle(handle, () => ({
    step: (by) => setIndex((current + by + choices.length) % Math.max(1, choices.length)),
    choose: () => choose(choices[current]),
  }));
  const wasChosen = useRef(false);
  useEffect(() => {
    if (!isChosen || wasChosen.current) return;
    wasChosen.current = true;
    choose(choices[current]);
  });
  const optionId = choices[current] === undefined ? undefined : `${id}-${current}`;
  useEffect(() => onCurrent(optionId), [onCurrent, optionId]);
  return (
    <>
      <ul id={id} role="listbox" aria-label={words.title}>
        {choices.map((choice, index) => (
          <li
            key={`${choice.detail} ${choice.to}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            ref={(element) => {
              if (index === current) element?.scrollIntoView({ block: 'nearest' });
            }}
            onPointerMove={() => setIndex(index)}
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
    </>
  );
}
