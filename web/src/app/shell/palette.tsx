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
import './palette.css';

const words = strings.palette;

type Group = keyof typeof words.groups;

interface Choice {
  group: Group;
  icon: IconName;
  label: string;
  to: string;
  /** Whose it is. */
  detail?: string;
  /** What leads there without this. */
  key?: string | undefined;
  /** What is done to the open question: `to` is the key that does it, and decides no more than the key. */
  isKey?: boolean;
}

const ofKey = ({ key, label }: Offer): Choice => ({
  group: 'question',
  icon: 'key',
  label,
  to: key,
  key: key.length > 1 ? undefined : key,
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
  const places: Choice[] = [
    ...navItems(route, me?.isOperator === true).map(({ icon, label, to }): Choice => ({
      group: 'pages',
      icon,
      label,
      to,
      key: pageKeys[to],
    })),
    ...saved.map(({ name, path }): Choice => ({ group: 'views', icon: 'filter', label: name, to: path })),
    ...(me?.agents ?? []).map(({ name, title }): Choice => ({
      group: 'agents',
      icon: 'chat',
      label: words.chatWith(title),
      to: chatPath(name),
    })),
  ];
  const wanted = q.toLowerCase().split(/\s+/u).filter(Boolean);
  const fits = ({ label }: Choice): boolean => wanted.every((word) => label.toLowerCase().includes(word));
  const everywhere = { group: 'everywhere', icon: 'search' } as const;
  return [
    ...keys.filter(fits),
    ...places.filter(fits).slice(0, q === '' ? 14 : 6),
    ...questions.map(({ id, status, headline, agent }): Choice => {
      const isOver = hasEnded(status);
      return {
        group: 'questions',
        icon: isOver ? 'history' : 'inbox',
        label: oneLine(headline, 120) || strings.inbox.untitled,
        detail: agentTitle(agent),
        to: isOver ? holdPath(id, { ...noFilters, view: 'decided' }) : holdPath(id),
      };
    }),
    ...(q === ''
      ? []
      : [
          { ...everywhere, label: words.searchAll(q), to: inboxPath({ ...noFilters, view: 'all', q }) },
          { ...everywhere, label: words.searchHistory(q), to: inboxPath({ ...noFilters, view: 'decided', q }) },
        ]),
  ];
}

/** Choices of one group follow each other. */
function inGroups(choices: readonly Choice[]): { group: Group; from: number; items: Choice[] }[] {
  const groups: { group: Group; from: number; items: Choice[] }[] = [];
  for (const [index, choice] of choices.entries()) {
    const last = groups.at(-1);
    if (last?.group === choice.group) last.items.push(choice);
    else groups.push({ group: choice.group, from: index, items: [choice] });
  }
  return groups;
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
  const [here, setAt] = useState({ typed, index: 0 });
  const choices = useChoices(typed.trim());
  const current = Math.min(here.typed === typed ? here.index : 0, choices.length - 1);
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
      <div id={id} role="listbox" aria-label={words.title}>
        {inGroups(choices).map(({ group, from, items }) => (
          <ul key={group} role="group" aria-label={words.groups[group]}>
            <li role="presentation" aria-hidden="true">
              {words.groups[group]}
            </li>
            {items.map((choice, at) => (
              <Option
                key={`${group} ${choice.to}`}
                id={`${id}-${from + at}`}
                choice={choice}
                isCurrent={from + at === current}
                onPoint={() => setIndex(from + at)}
                onChoose={() => choose(choice)}
              />
            ))}
          </ul>
        ))}
      </div>
      {choices.length === 0 && <p className="meta pad">{words.nothing}</p>}
    </>
  );
}

interface OptionProps {
  id: string;
  choice: Choice;
  isCurrent: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({
  id,
  choice: { icon, label, detail, key = '' },
  isCurrent,
  onPoint,
  onChoose,
}: OptionProps): ReactNode {
  return (
    <li
      id={id}
      role="option"
      aria-selected={isCurrent}
      ref={(element) => {
        if (isCurrent) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <Icon name={icon} />
      <bdi className="cut" dir="auto">
        {label}
      </bdi>
      <span className="meta">{detail}</span>
      <span className="palette-keys">{key !== '' && key.split(' ').map((one) => <kbd key={one}>{one}</kbd>)}</span>
    </li>
  );
}
