// The inbox: the list, and the question next to it or in its place.
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useAgents, useMe } from '../app/account/me.ts';
import { BulkReview, FirstRun, Guard, HoldPane, SlowNotice, usePrefetchAtFirstMove } from '../app/later.tsx';
import { useCounts } from '../app/live/event-stream.ts';
import { navigate } from '../app/router.ts';
import { hasFilters, holdPath, inboxPath, taskPath, type Filters } from '../app/routes.ts';
import { useIsWide } from '../app/shell/media.ts';
import { usePageTitle } from '../app/title.ts';
import type { Armed } from '../hold/hold-pane.tsx';
import { strings } from '../i18n/strings.ts';
import { DaySummary } from './day-summary.tsx';
import { FilterBar, OrderChip, showFilters, ViewTabs } from './inbox-filters.tsx';
import { focusRow, InboxList } from './inbox-list.tsx';
import { useGroups } from './group-head.tsx';
import { hasBulk, type InboxList as InboxListState, nextOpen } from './list.ts';
import { type InboxData, useInboxData } from './use-inbox.ts';
import { useInboxKeys } from './use-inbox-keys.ts';
import { useListPosition } from './use-list-position.ts';
import { type Selection, useSelection } from './use-selection.ts';

const text = strings.inbox;

/** What the list asked to be armed: it lives in the history entry, so that no address arms anything. */
function armedNow(): Armed {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null || !('armed' in state)) return null;
  const { armed } = state;
  return armed === 'approve' || armed === 'reject' || armed === 'reassign' ? armed : null;
}

const openTask = (taskId: string): void => navigate(taskPath(taskId));

export function InboxPage({ holdId, filters }: { holdId: string | null; filters: Filters }): ReactNode {
  const isWide = useIsWide();
  const counts = useCounts();
  const agents = useAgents();
  const data = useInboxData(filters, useMe()?.id ?? '');
  const { list, leave } = data;
  const selection = useSelection(list);
  const [activeId, setActiveId] = useState<string | null>(holdId);
  const [isReviewing, setIsReviewing] = useState(false);
  /** Its decisions are under way or reported: it does not close because its questions have ended. */
  const [isSent, setIsSent] = useState(false);
  const searchRef = useRef<HTMLInputElement>(null);
  const paneRef = useRef<HTMLElement>(null);
  usePrefetchAtFirstMove();

  // With a question open, the question's title heads the page.
  const Heading = holdId === null && !isReviewing ? 'h1' : 'h2';
  usePageTitle(holdId === null ? text.views[filters.view] : null);
  const ids = useGroups(list, filters).flatMap((group) => group.ids);
  const at = holdId === null ? -1 : ids.indexOf(holdId);
  const active = activeId !== null && ids.includes(activeId) ? activeId : (ids[0] ?? null);
  const isListHidden = !isWide && (holdId !== null || isReviewing);
  const isPaneFocused = useCallback(
    () => paneRef.current?.contains(document.activeElement) === true || isListHidden,
    [isListHidden],
  );

  const open = useCallback(
    (id: string, { replace = false, armed = null as Armed } = {}) => {
      setActiveId(id);
      navigate(holdPath(id, filters), { replace, state: armed === null ? null : { armed } });
    },
    [filters],
  );
  const openAdjacent = (by: number): void | false => {
    if (holdId === null) return false;
    const next = ids[at + by];
    if (at < 0 || next === undefined) return undefined;
    open(next, { replace: true });
    return undefined;
  };
  const back = useCallback(() => {
    if (holdId !== null) leave(holdId);
    navigate(inboxPath(filters));
    setActiveId(holdId);
    requestAnimationFrame(() => {
      if (holdId !== null) focusRow(holdId);
    });
  }, [filters, holdId, leave]);

  useListPosition({ holdId, isWide, isListHidden, leave, paneRef });

  useEffect(() => {
    if (selection.ids.length === 0 && !isSent) setIsReviewing(false);
  }, [selection.ids.length, isSent]);
  const closeReview = (): void => {
    setIsReviewing(false);
    setIsSent(false);
  };

  const known = list?.rows;
  const rows = useMemo(() => [...(known?.values() ?? [])], [known]);
  const [before, after] = [ids[at - 1], ids[at + 1]];
  const where = useMemo(
    () =>
      at < 0
        ? null
        : {
            index: at + 1,
            count: ids.length,
            onPrevious: before === undefined ? null : () => open(before, { replace: true }),
            onFollowing: after === undefined ? null : () => open(after, { replace: true }),
          },
    [at, ids.length, before, after, open],
  );
  const nextId = list === null ? null : nextOpen(list, holdId);
  // The same from one press of a key to the next, so that the question is not drawn again while the list moves.
  const openNext = useMemo(() => (nextId === null ? null : () => open(nextId)), [nextId, open]);
  const armed = useMemo(() => (holdId === null ? null : armedNow()), [holdId]);
  // Once: a reload, or a way back to it, arms nothing.
  useEffect(() => {
    if (armed !== null) history.replaceState(null, '', location.href);
  }, [armed]);
  useInboxKeys({
    holdId,
    active,
    list,
    selection,
    isPaneFocused,
    isReviewing,
    closeReview,
    open,
    openAdjacent,
    back,
    searchRef,
    paneRef,
  });

  // The list is drawn a few times a second at most: the row that is to have the focus may come only with a later one.
  const focusNext = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (focusNext.current !== null && focusRow(focusNext.current)) focusNext.current = null;
  });

  const showFresh = async (): Promise<void> => {
    const firstNew = list?.fresh[0]?.id;
    const now = await data.reload();
    const target = firstNew !== undefined && now?.rows.has(firstNew) === true ? firstNew : now?.order[0];
    if (target === undefined) return;
    focusNext.current = target;
    setActiveId(target);
  };

  // How many fit the filters nobody counts, nor how many have ended; of other views it is known.
  const { view } = filters;
  const isRecord = view === 'decided' || view === 'every';
  const total = isRecord || hasFilters(filters) ? 0 : (counts?.[view] ?? 0);
  const review = isReviewing ? selection.ids.map((id) => list?.rows.get(id)).filter((row) => row !== undefined) : [];
  const isFirstRun = holdId === null && !hasFilters(filters) && counts?.all === 0 && counts.decided === 0;
  if (isFirstRun && agents !== null && list?.order.length === 0) return <FirstRun agents={agents} />;
  return (
    <div className={`inbox${isWide ? ' wide' : ''}`}>
      <section className="inbox-list" aria-labelledby="inbox-title" hidden={isListHidden}>
        <Heading className="sr-only" id="inbox-title">
          {text.views[view]}
        </Heading>
        <div className="inbox-head">
          {/* Next to the tabs, where it takes no room from the rows: they would move under the hand. */}
          <div className="tabs-line">
            {isRecord ? <p className="list-title">{text.views[view]}</p> : <ViewTabs filters={filters} />}
            <OrderChip filters={filters} onChange={showFilters} />
            {list !== null && list.fresh.length > 0 && (
              <button
                type="button"
                className="fresh-pill"
                aria-label={text.showFresh(list.fresh.length)}
                onClick={() => void showFresh()}
              >
                {text.fresh(list.fresh.length)}
              </button>
            )}
          </div>
          <FilterBar filters={filters} agents={agents} rows={rows} searchRef={searchRef} onChange={showFilters} />
        </div>
        <InboxList
          data={data}
          filters={filters}
          shownId={holdId}
          selection={selection}
          activeId={activeId}
          onActive={setActiveId}
          isPaneFocused={isPaneFocused}
          onReview={(chosen) => {
            selection.choose(chosen);
            setIsReviewing(true);
          }}
        />
        {list !== null && ids.length > 0 && (
          <ListFoot data={data} list={list} total={total} selection={selection} onReview={() => setIsReviewing(true)} />
        )}
      </section>
      {(isWide || isListHidden) && (
        <section ref={paneRef} className="inbox-pane" tabIndex={-1} aria-label={text.pane}>
          <Guard resetKey={`${holdId ?? ''}${String(isReviewing)}`}>
            <Suspense fallback={<SlowNotice />}>
              {isReviewing && (review.length > 0 || isSent) ? (
                <BulkReview
                  rows={review}
                  onToggle={selection.toggle}
                  onSend={() => setIsSent(true)}
                  onClose={closeReview}
                  onDone={() => {
                    closeReview();
                    selection.stop();
                  }}
                />
              ) : holdId === null ? (
                <DaySummary
                  rows={ids.map((id) => list?.rows.get(id)).filter((row) => row !== undefined)}
                  filters={filters}
                />
              ) : (
                <HoldPane
                  key={holdId}
                  id={holdId}
                  armed={armed}
                  at={where}
                  onBack={back}
                  onNext={openNext}
                  onOpenTask={openTask}
                />
              )}
            </Suspense>
          </Guard>
        </section>
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
  onReview: () => void;
}

function ListFoot({ data, list, total, selection, onReview }: FootProps): ReactNode {
  const { order, nextCursor } = list;
  return (
    <div className="inbox-foot cluster">
      {selection.isOn ? (
        <>
          <span className="meta">{text.selected(selection.ids.length)}</span>
          {selection.ids.length > 0 && (
            <button type="button" className="button" onClick={onReview}>
              {text.review(selection.ids.length)}
            </button>
          )}
          <button type="button" className="button quiet" onClick={selection.stop}>
            {text.done}
          </button>
        </>
      ) : (
        hasBulk(list) && (
          <button type="button" className="button quiet" onClick={selection.start}>
            {text.select}
          </button>
        )
      )}
      <span className="meta num shown-count">{text.shown(order.length, Math.max(total, order.length))}</span>
      {nextCursor !== null && (
        <button type="button" className="button" aria-disabled={data.isLoadingMore} onClick={() => void data.more()}>
          {data.isLoadingMore ? text.loadingMore : text.more}
        </button>
      )}
    </div>
  );
}
