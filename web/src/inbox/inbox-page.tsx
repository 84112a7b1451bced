// The inbox: the list, and the question next to it or in its place.
import {
  Suspense,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import type { AlikeGroup, HoldRowView } from '../../../src/contract/views/inbox.ts';
import { type AgentName, useAgents, useMe } from '../base/account/me.ts';
import { Guard, SlowNotice } from '../ui/guard.tsx';
import { BulkReview, FirstRun, FormReview, HoldPane, usePrefetch, useReadAhead, WarmUp } from './lazy-parts.ts';
import { useCounts } from '../base/live/event-stream.ts';
import { useKeys } from '../base/page/keys.ts';
import { navigate } from '../base/router/router.ts';
import { hasFilters, taskPath, type Filters } from '../base/router/routes.ts';
import { useIsPhone, useIsWide, useMedia } from '../base/page/media.ts';
import { usePageTitle } from '../base/page/title.ts';
import { isFirstRun } from '../first/first-minute.ts';
import { wasLeft } from '../hold/grace/move-on.ts';
import type { ListPlace } from '../hold/hold-tools.tsx';
import type { Armed } from '../hold/pane/pane.ts';
import { strings } from '../i18n/strings.ts';
import { Icon } from '../ui/icons.tsx';
import { AlikeOffer } from './alike/alike-offer.tsx';
import { useAlike } from './alike/use-alike.ts';
import { DaySummary } from './day/day-summary.tsx';
import { FilterBar, OrderChip, showFilters, ViewTabs } from './inbox-filters.tsx';
import { focusRow, InboxList } from './inbox-list.tsx';
import { useGroups } from './group-head.tsx';
import { hasBulk, type InboxList as InboxListState, isClear, isRecord, nextOpen, rowsOf, totalOf } from './list.ts';
import { type InboxData, useInboxData } from './use-inbox.ts';
import { openFocused, openNeighbour, type Opening, useArmed, useOpening, usePlaceInList } from './use-opening.ts';
import { useInboxKeys } from './use-inbox-keys.ts';
import { useListPosition } from './use-list-position.ts';
import { usePull } from './use-pull.ts';
import { type Review, useReview } from './alike/use-review.ts';
import { type Selection, useSelection } from './use-selection.ts';

const text = strings.inbox;

const openTask = (taskId: string): void => navigate(taskPath(taskId));

/** Shows what came since, with the focus on the first of it. */
function useShowFresh({ list, reload }: InboxData, setActiveId: (id: string) => void): () => Promise<void> {
  // The list is drawn a few times a second at most: the row that is to have the focus may come only with a later one.
  const focusNext = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (focusNext.current !== null && focusRow(focusNext.current)) focusNext.current = null;
  });
  return async () => {
    const firstNew = list?.fresh[0]?.id;
    const now = await reload();
    const target = firstNew !== undefined && now?.rows.has(firstNew) === true ? firstNew : now?.order[0];
    if (target === undefined) return;
    focusNext.current = target;
    setActiveId(target);
  };
}

const activeOf = (ids: readonly string[], activeId: string | null): string | null =>
  activeId !== null && ids.includes(activeId) ? activeId : (ids[0] ?? null);

export function InboxPage({ holdId, filters }: { holdId: string | null; filters: Filters }): ReactNode {
  const isWide = useIsWide();
  const counts = useCounts();
  const agents = useAgents();
  const me = useMe();
  const data = useInboxData(filters, me?.id ?? '', holdId);
  const { list, leave } = data;
  const selection = useSelection(list);
  const review = useReview({ selection, list, holdId, filters });
  const paneRef = useRef<HTMLElement>(null);
  usePrefetch(list !== null);
  usePageTitle(holdId === null ? text.views[filters.view] : null);

  const groups = useGroups(list, filters);
  // The same from one press of a key to the next: what is made of them is drawn again only when the list changes.
  const ids = useMemo(() => groups.flatMap((group) => group.ids), [groups]);
  const rows = useMemo(() => rowsOf(list, ids), [list, ids]);
  const isListHidden = !isWide && (holdId !== null || review.isOn);
  const isDayAlone = isWide && holdId === null && !review.isOn && isClear(list, filters);
  const isPaneFocused = useCallback(
    () => paneRef.current?.contains(document.activeElement) === true || isListHidden,
    [isListHidden],
  );
  const opening = useOpening(holdId, filters, leave);
  const { open, back } = opening;
  const where = usePlaceInList({ ids, list, filters, holdId, open });
  useListPosition({ holdId, isWide, isListHidden, leave, paneRef });
  const nextId = list === null ? null : nextOpen(list, holdId, wasLeft);
  const openNext = useMemo(() => (nextId === null ? null : () => openFocused(open, nextId, paneRef)), [nextId, open]);
  const armed = useArmed(holdId);
  const active = activeOf(ids, opening.activeId);
  const warm = useReadAhead(ids, active);
  const alike = useAlike(filters, list);
  useInboxKeys({
    holdId,
    active,
    list,
    selection,
    isPaneFocused,
    isReviewing: review.isOn,
    closeReview: review.close,
    open,
    openAdjacent: (by) => openNeighbour(holdId, where, by),
    back,
    reviewAlike: review.startAlike,
    paneRef,
  });

  if (holdId === null && isFirstRun(me, counts, filters) && agents !== null && list?.order.length === 0)
    return <FirstRun agents={agents} />;
  return (
    <div className={`inbox${isWide ? ' wide' : ''}${isDayAlone ? ' day-alone' : ''}`}>
      <ListColumn
        isHidden={isListHidden}
        {...{
          isDayAlone,
          holdId,
          filters,
          data,
          groups,
          ids,
          alike,
          selection,
          review,
          opening,
          openNext,
          isPaneFocused,
        }}
      />
      {(isWide || isListHidden) && (
        <section ref={paneRef} className="inbox-pane" tabIndex={-1} aria-label={text.pane}>
          <InboxPane
            {...{ holdId, filters, list, rows, alike, selection, review, armed, where, openNext, paneRef }}
            onBack={back}
          />
        </section>
      )}
      {warm !== null && <WarmUp id={warm} />}
    </div>
  );
}

interface ColumnProps {
  isHidden: boolean;
  /** Nothing is in it; its views and its search are a line above the day. */
  isDayAlone: boolean;
  holdId: string | null;
  filters: Filters;
  data: InboxData;
  groups: ReturnType<typeof useGroups>;
  /** Those of the groups, in their order. */
  ids: readonly string[];
  /** What the server found to be alike in the whole list. */
  alike: readonly AlikeGroup[];
  selection: Selection;
  review: Review;
  opening: Opening;
  openNext: (() => void) | null;
  isPaneFocused: () => boolean;
}

/** The list with what narrows it above and what is done to many below. */
function ListColumn(props: ColumnProps): ReactNode {
  const { isHidden, isDayAlone, holdId, filters, data, groups, ids, alike, selection, review, opening } = props;
  const { openNext, isPaneFocused } = props;
  const { list } = data;
  const counts = useCounts();
  const agents = useAgents();
  const showFresh = useShowFresh(data, opening.setActiveId);
  // With a question open, the question's title heads the page.
  const Heading = holdId === null && !review.isOn ? 'h1' : 'h2';
  return (
    <section className="inbox-list" aria-labelledby="inbox-title" hidden={isHidden}>
      <Heading className="sr-only" id="inbox-title">
        {text.views[filters.view]}
      </Heading>
      <ListHead {...{ filters, agents, list, showFresh }} isLine={isDayAlone} />
      <InboxList
        data={data}
        groups={groups}
        ids={ids}
        filters={filters}
        shownId={holdId}
        selection={selection}
        activeId={opening.activeId}
        onActive={opening.setActiveId}
        isPaneFocused={isPaneFocused}
        onReview={review.startAlike}
      />
      {list !== null && ids.length > 0 && (
        <ListFoot
          data={data}
          list={list}
          total={totalOf(filters, counts)}
          selection={selection}
          onReview={review.isSent ? null : review.start}
          openNext={openNext}
          offer={filters.group === 'sameness' ? null : <AlikeOffer groups={alike} onReview={review.startAlike} />}
        />
      )}
    </section>
  );
}

interface PaneProps {
  holdId: string | null;
  filters: Filters;
  list: InboxListState | null;
  /** Those of the list, in its order. */
  rows: readonly HoldRowView[];
  alike: readonly AlikeGroup[];
  selection: Selection;
  review: Review;
  armed: Armed;
  where: ListPlace | null;
  openNext: (() => void) | null;
  paneRef: RefObject<HTMLElement | null>;
  onBack: () => void;
}

/** Next to the list, or in its place: several questions, one, or what the day holds. */
function InboxPane(props: PaneProps): ReactNode {
  const { holdId, filters, list, rows, alike, selection, review, armed, where, openNext, paneRef, onBack } = props;
  usePull(paneRef, holdId === null ? null : openNext);
  // The list is drawn first, the day that is made of it after it: together they were the longest task of a search.
  const isRead = list !== null;
  const day = useDeferredValue(useMemo(() => ({ rows, isRead, filters, alike }), [rows, isRead, filters, alike]));
  return (
    <Guard resetKey={`${holdId ?? ''}${String(review.isOn)}`}>
      <Suspense fallback={<SlowNotice />}>
        {review.isOn && review.rows[0]?.kind === 'form' ? (
          <FormReview key={review.rows[0].id} rows={review.rows} onClose={review.close} />
        ) : review.isOn && (review.rows.length > 0 || review.isSent) ? (
          <BulkReview
            rows={review.rows}
            onToggle={review.toggle}
            onSend={review.send}
            onClose={review.close}
            onDone={() => {
              review.close();
              selection.stop();
            }}
          />
        ) : holdId === null ? (
          <DaySummary {...day} onReview={review.startAlike} />
        ) : (
          <HoldPane
            key={holdId}
            id={holdId}
            armed={armed}
            at={where}
            onBack={onBack}
            onNext={openNext}
            onOpenTask={openTask}
          />
        )}
      </Suspense>
    </Guard>
  );
}

interface HeadProps {
  filters: Filters;
  agents: AgentName[] | null;
  list: InboxListState | null;
  showFresh: () => Promise<void>;
  isLine: boolean;
}

/** On a phone, or without a list, one line, until one searches or filters. */
function ListHead({ filters, agents, list, showFresh, isLine }: HeadProps): ReactNode {
  const isShort = useIsPhone() || isLine;
  const [isOpen, setOpen] = useState(false);
  const searchRef = useRef<HTMLInputElement>(null);
  useKeys({
    '/': () => {
      flushSync(() => setOpen(true));
      searchRef.current?.focus();
    },
  });
  const known = list?.rows;
  const rows = useMemo(() => [...(known?.values() ?? [])], [known]);
  const fresh = list?.fresh.length ?? 0;
  return (
    <div className="inbox-head">
      {/* Next to the tabs, where it takes no room from the rows: they would move under the hand. */}
      <div className="tabs-line">
        {isRecord(filters.view) ? (
          <p className="list-title">{text.views[filters.view]}</p>
        ) : (
          <ViewTabs filters={filters} />
        )}
        {!isShort && <OrderChip filters={filters} onChange={showFilters} />}
        {fresh > 0 && (
          <button
            type="button"
            className="fresh-pill"
            aria-label={text.showFresh(fresh)}
            onClick={() => void showFresh()}
          >
            {text.fresh(fresh)}
          </button>
        )}
        {isShort && (
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={text.filters}
            aria-expanded={isOpen || hasFilters(filters)}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="search" />
          </button>
        )}
      </div>
      {(!isShort || isOpen || hasFilters(filters)) && (
        <FilterBar filters={filters} agents={agents} rows={rows} searchRef={searchRef} onChange={showFilters}>
          {isShort && <OrderChip filters={filters} onChange={showFilters} />}
        </FilterBar>
      )}
    </div>
  );
}

interface FootProps {
  data: InboxData;
  list: InboxListState;
  /** How many there are in all, as far as it is known. */
  total: number;
  selection: Selection;
  /** Null: those that are chosen are on their way. */
  onReview: (() => void) | null;
  openNext: (() => void) | null;
  /** Here, where it comes without a row moving. */
  offer: ReactNode;
}

function ListFoot({ data, list, total, selection, onReview, openNext, offer }: FootProps): ReactNode {
  const { order, nextCursor } = list;
  const isThumb = useMedia('(pointer: coarse) and (max-width: 1023px)');
  const isPhone = useIsPhone();
  const rest = (
    <>
      <span className="meta num shown-count">{text.shown(order.length, Math.max(total, order.length))}</span>
      {nextCursor !== null && (
        <button type="button" className="button" aria-disabled={data.isLoadingMore} onClick={() => void data.more()}>
          {data.isLoadingMore ? text.loadingMore : text.more}
        </button>
      )}
    </>
  );
  return (
    <>
      {/* It ends the list, and takes no room from its rows. */}
      {isPhone && <div className="list-end cluster">{rest}</div>}
      <div className="inbox-foot cluster">
        {!selection.isOn && offer}
        {selection.isOn ? (
          <>
            {onReview !== null && <span className="meta">{text.selected(selection.ids.length)}</span>}
            {onReview !== null && selection.ids.length > 0 && (
              <button type="button" className="button" onClick={onReview}>
                {text.review(selection.ids.length)}
              </button>
            )}
            <button type="button" className="button quiet" onClick={selection.stop}>
              {text.done}
            </button>
          </>
        ) : (
          <>
            {isThumb && openNext !== null && (
              <button type="button" className="button primary" onClick={openNext}>
                {text.oneByOne}
              </button>
            )}
            {hasBulk(list) && (
              <button type="button" className="button quiet" onClick={selection.start}>
                {text.select}
              </button>
            )}
          </>
        )}
        {!isPhone && rest}
      </div>
    </>
  );
}
