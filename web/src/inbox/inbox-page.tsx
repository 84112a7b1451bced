// The inbox: the list, and the question beside it or in its place.
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { HoldRowView } from '../../../src/contract/inbox.ts';
import { useAgents } from '../app/agents.ts';
import { announce } from '../app/announce.tsx';
import { ApiError, send } from '../app/api.ts';
import { useCounts } from '../app/event-stream.ts';
import { isField, useKeys } from '../app/keys.ts';
import { BulkReview, FirstRun, Guard, HoldPane, SlowNotice, usePrefetchAtFirstMove } from '../app/later.tsx';
import { useIsWide } from '../app/media.ts';
import { useMe } from '../app/me.ts';
import { shortName } from '../app/names.ts';
import { navigate } from '../app/router.ts';
import { hasFilters, holdPath, inboxPath, taskPath, type Filters } from '../app/routes.ts';
import { usePageTitle } from '../app/title.ts';
import { strings } from '../i18n/strings.ts';
import { FilterBar, OrderChip, showFilters, ViewTabs } from './inbox-filters.tsx';
import { focusRow, InboxList } from './inbox-list.tsx';
import { useGroups } from './group-head.tsx';
import { hasBulk, isBulkRow, nextOpen } from './list.ts';
import { useInboxData } from './use-inbox.ts';
import { useSelection } from './use-selection.ts';

const text = strings.inbox;

type Armed = 'approve' | 'reject' | 'reassign' | null;

/** What the list asked to be armed: it lives in the history entry, so that no address arms anything. */
function armedNow(): Armed {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null || !('armed' in state)) return null;
  const { armed } = state;
  return armed === 'approve' || armed === 'reject' || armed === 'reassign' ? armed : null;
}

const openTask = (taskId: string): void => navigate(taskPath(taskId));

export function InboxPage({ holdId, filters }: { holdId: string | null; filters: Filters }): ReactNode {
  const me = useMe();
  const myId = me?.id ?? '';
  const isWide = useIsWide();
  const counts = useCounts();
  const agents = useAgents();
  const data = useInboxData(filters, myId);
  const { list, leave } = data;
  const selection = useSelection(list);
  const [activeId, setActiveId] = useState<string | null>(holdId);
  const [isReviewing, setIsReviewing] = useState(false);
  /** Its decisions are under way or told: it does not close because its questions have ended. */
  const [isSent, setIsSent] = useState(false);
  const searchRef = useRef<HTMLInputElement>(null);
  const paneRef = useRef<HTMLElement>(null);
  const scrollTop = useRef(0);
  usePrefetchAtFirstMove();

  // With a question beside it the question's title heads the page.
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
  const openBeside = (by: number): void | false => {
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

  // A question that is opened by a key or a click on a phone takes the focus: ears hear it, and keys are its own.
  const previous = useRef(holdId);
  useLayoutEffect(() => {
    const before = previous.current;
    previous.current = holdId;
    if (before === holdId) return;
    if (before !== null) leave(before);
    if (holdId !== null && (!isWide || document.activeElement?.matches(':focus-visible') === true)) {
      paneRef.current?.focus({ preventScroll: true });
    }
    if (holdId !== null && !isWide) scrollTo(0, 0);
    if (holdId === null && !isWide) scrollTo(0, scrollTop.current);
  }, [holdId, isWide, leave]);

  // Where the list was scrolled to on a phone; asked as it moves, because once hidden it is nowhere.
  useEffect(() => {
    if (isWide || isListHidden) return undefined;
    const note = (): void => {
      scrollTop.current = scrollY;
    };
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, [isWide, isListHidden]);

  useEffect(() => {
    if (selection.ids.length === 0 && !isSent) setIsReviewing(false);
  }, [selection.ids.length, isSent]);
  const closeReview = (): void => {
    setIsReviewing(false);
    setIsSent(false);
  };

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
  // While a question is shown these keys are its own; it came after the list, so it is asked first.
  const rowNow = active === null || holdId !== null ? undefined : list?.rows.get(active);
  const openArmed = (what: Armed): void | false => (rowNow === undefined ? false : open(rowNow.id, { armed: what }));
  const toggle = (isRange: boolean): void | false => {
    const row = active === null ? undefined : list?.rows.get(active);
    if (row === undefined || isPaneFocused()) return false;
    if (!isBulkRow(row)) announce(text.notAlone);
    else selection.toggle(row.id, isRange);
    return undefined;
  };
  useKeys({
    o: () => (active === null || isPaneFocused() ? false : open(active)),
    a: () => openArmed('approve'),
    r: () => openArmed('reject'),
    m: () => openArmed('reassign'),
    c: () => (rowNow === undefined ? false : void toggleClaim(rowNow, myId)),
    t: () => (rowNow === undefined ? false : navigate(taskPath(rowNow.taskId))),
    x: () => toggle(false),
    'Shift+x': () => toggle(true),
    '/': () => searchRef.current?.focus(),
  });
  const paneKeys = (): void | false => (holdId === null ? false : back());
  useKeys({
    j: () => (isPaneFocused() ? openBeside(1) : false),
    k: () => (isPaneFocused() ? openBeside(-1) : false),
    u: paneKeys,
    Escape: () => {
      if (isReviewing) closeReview();
      else if (isField(document.activeElement) && isPaneFocused()) {
        // One types here: the first Esc only leaves the field, so that nothing is left by a slip.
        paneRef.current?.focus({ preventScroll: true });
      } else if (holdId !== null && isPaneFocused()) back();
      else if (selection.isOn) selection.stop();
      else return false;
      return undefined;
    },
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

  // How many fit the filters nobody counts; of a whole view it is known.
  const total = filters.view === 'every' || hasFilters(filters) ? 0 : (counts?.[filters.view] ?? 0);
  const review = isReviewing ? selection.ids.map((id) => list?.rows.get(id)).filter((row) => row !== undefined) : [];
  const isFirstRun = holdId === null && !hasFilters(filters) && counts?.all === 0 && counts.decided === 0;
  if (isFirstRun && agents !== null && list?.order.length === 0) return <FirstRun agents={agents} />;
  return (
    <div className={`inbox${isWide ? ' wide' : ''}`}>
      <section className="inbox-list" aria-labelledby="inbox-title" hidden={isListHidden}>
        <Heading className="sr-only" id="inbox-title">
          {text.views[filters.view]}
        </Heading>
        <div className="inbox-head">
          {/* Beside the tabs, where it takes no room from the rows: they would move under the hand. */}
          <div className="tabs-line">
            {filters.view === 'decided' || filters.view === 'every' ? (
              <p className="list-title">{text.views[filters.view]}</p>
            ) : (
              <ViewTabs filters={filters} />
            )}
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
          <FilterBar filters={filters} agents={agents} searchRef={searchRef} onChange={showFilters} />
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
          <div className="inbox-foot">
            {selection.isOn ? (
              <>
                <span className="meta">{text.selected(selection.ids.length)}</span>
                {selection.ids.length > 0 && (
                  <button type="button" className="button" onClick={() => setIsReviewing(true)}>
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
            <span className="meta num shown-count">
              {text.shown(list.order.length, Math.max(total, list.order.length))}
            </span>
            {list.nextCursor !== null && (
              <button
                type="button"
                className="button"
                aria-disabled={data.isLoadingMore}
                onClick={() => void data.more()}
              >
                {data.isLoadingMore ? text.loadingMore : text.more}
              </button>
            )}
          </div>
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
                <PickOne />
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

async function toggleClaim({ id, claim }: HoldRowView, myId: string): Promise<void> {
  const isMine = claim?.by === myId;
  // Taking over is a button beside the question: no slip of a key takes it from somebody.
  if (claim !== null && !isMine) {
    announce(text.worksOnIt(shortName(claim.by)));
    return;
  }
  try {
    await send('POST', `/api/holds/${encodeURIComponent(id)}/${isMine ? 'release' : 'claim'}`, {});
    announce(isMine ? text.released : text.claimed);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    announce(strings.app.forbidden);
  }
}

function PickOne(): ReactNode {
  return (
    <div className="empty pick">
      <p>{text.pick}</p>
      <p className="meta">{text.pickKeys}</p>
    </div>
  );
}
