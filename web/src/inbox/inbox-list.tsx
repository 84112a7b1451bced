// The rows as a list of links: one Tab stop, arrows and j/k move within, and what ended fades once it was left.
import {
  startTransition,
  Suspense,
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { useKeys } from '../base/page/keys.ts';
import { useIsWide } from '../base/page/media.ts';
import { SlowNotice, useAfter } from '../ui/guard.tsx';
import { useCounts } from '../base/live/event-stream.ts';
import { Link } from '../base/router/router.ts';
import { hasFilters, inboxPath, noFilters, pagePath, withoutFilters, type Filters } from '../base/router/routes.ts';
import { strings } from '../i18n/strings.ts';
import { Icon } from '../ui/icons.tsx';
import { InboxRow } from './inbox-row.tsx';
import { GroupHead, headingOf } from './group-head.tsx';
import type { Group } from './groups.ts';
import { hasLater, type InboxList as ListState, isRecord, selectable } from './list.ts';
import { OwnRequests } from './lazy-parts.ts';
import type { Selection } from './use-selection.ts';
import type { InboxData } from './use-inbox.ts';

const text = strings.inbox;

export interface InboxListProps {
  data: InboxData;
  groups: readonly Group[];
  /** Of all groups, in their order. */
  ids: readonly string[];
  filters: Filters;
  shownId: string | null;
  selection: Selection;
  /** The row that has, or gets, the focus. */
  activeId: string | null;
  onActive: (id: string) => void;
  /** Reviews these together, at most as many as are decided together. */
  onReview: (like: string) => void;
  /** True while keys belong to the question next to the list. */
  isPaneFocused: () => boolean;
}

/** False while the row is not drawn. */
export function focusRow(id: string): boolean {
  const row = document.querySelector<HTMLElement>(`li[data-id="${CSS.escape(id)}"] .row-link`);
  row?.focus();
  return row !== null;
}

/** No row is lower. */
const leastRowPx = 40;

/** The rows of a new list that fill its first screen are drawn at once, the others in slices after it. */
function useDrawn(ids: readonly string[], list: string): (id: string) => boolean {
  const [whole, setWhole] = useState('');
  const first = whole === list ? ids : ids.slice(0, Math.ceil(innerHeight / leastRowPx));
  const isPart = first.length < ids.length;
  useEffect(() => {
    if (isPart) startTransition(() => setWhole(list));
  }, [isPart, list]);
  if (!isPart) return () => true;
  const drawn = new Set(first);
  return (id) => drawn.has(id);
}

export function InboxList(props: InboxListProps): ReactNode {
  const { data, groups, ids, filters, shownId, activeId, isPaneFocused, onReview } = props;
  const { list, leave, sweepLeft } = data;
  const listRef = useRef<HTMLDivElement>(null);
  const isPointerOver = useRef(false);
  const active = activeId !== null && ids.includes(activeId) ? activeId : (ids[0] ?? null);

  // What fades is taken out only while the pointer is elsewhere: the rows below would jump under it.
  const leftCount = list?.left.size ?? 0;
  useEffect(() => {
    if (leftCount > 0 && !isPointerOver.current) sweepLeft();
  }, [leftCount, sweepLeft]);
  const overRows = (isOver: boolean): void => {
    isPointerOver.current = isOver;
    if (!isOver && leftCount > 0) sweepLeft();
  };

  const isDrawn = useDrawn(ids, inboxPath(filters));
  // An address may lead to a row far down.
  const isShownHere = shownId !== null && ids.includes(shownId) && isDrawn(shownId);
  useEffect(() => {
    if (isShownHere) listRef.current?.querySelector('.row.shown')?.scrollIntoView({ block: 'nearest' });
  }, [shownId, isShownHere]);

  useRowKeys({ ids, active, listRef, isPaneFocused });
  const onBlur = (event: FocusEvent<HTMLDivElement>): void => {
    const id = (event.target as Element).closest('li')?.dataset['id'];
    const next = event.relatedTarget instanceof Element ? event.relatedTarget.closest('li')?.dataset['id'] : undefined;
    if (id !== undefined && id !== next) leave(id);
  };

  if (data.status === 'failed') return <ListFailed data={data} />;
  if (list === null) return <Skeleton />;
  if (ids.length === 0) return <EmptyList filters={filters} />;
  return (
    <>
      {list.windowStart > 0 && (
        <button type="button" className="button quiet wide" onClick={data.earlier}>
          {text.earlier}
        </button>
      )}
      <div
        ref={listRef}
        className="rows"
        onBlur={onBlur}
        onPointerEnter={() => overRows(true)}
        onPointerLeave={() => overRows(false)}
      >
        {groups.map((group) => (
          <section key={group.key} aria-label={headingOf(group) ?? text.listHeading(text.views[filters.view])}>
            <GroupHead group={group} list={list} filters={filters} onReview={onReview} />
            <ul>
              {group.ids.filter(isDrawn).map((id) => (
                <Row key={id} {...{ ...props, id, list, active }} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {hasLater(list) && (
        <button type="button" className="button quiet wide" onClick={data.later}>
          {text.more}
        </button>
      )}
    </>
  );
}

interface MoveOptions {
  ids: readonly string[];
  active: string | null;
  listRef: RefObject<HTMLDivElement | null>;
  isPaneFocused: () => boolean;
}

/** Arrows, j and k, Home and End move within the rows, or into them. */
function useRowKeys({ ids, active, listRef, isPaneFocused }: MoveOptions): void {
  const move = (by: number): void | false => {
    if (isPaneFocused() || ids.length === 0) return false;
    const hasFocus = listRef.current?.contains(document.activeElement) === true;
    const from = active === null ? -1 : ids.indexOf(active);
    const to = hasFocus ? Math.min(ids.length - 1, Math.max(0, from + by)) : Math.max(0, from);
    const id = ids[to];
    if (id !== undefined) focusRow(id);
    return undefined;
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Home: () => move(-ids.length),
    End: () => move(ids.length),
  });
}

interface RowProps extends Pick<InboxListProps, 'filters' | 'shownId' | 'selection' | 'onActive'> {
  id: string;
  list: ListState;
  active: string | null;
}

function Row({ id, list, active, filters, shownId, selection, onActive }: RowProps): ReactNode {
  const row = list.rows.get(id);
  if (row === undefined) return null;
  const first = selection.ids.length === 0 ? undefined : list.rows.get(selection.ids[0] ?? '');
  const isSelected = selection.ids.includes(id);
  return (
    <InboxRow
      row={row}
      filters={filters}
      isActive={id === active}
      isShown={id === shownId}
      isLeft={list.left.has(id)}
      isRecord={isRecord(filters.view)}
      isSelecting={selection.isOn}
      isSelected={isSelected}
      selectable={selectable(row, first, isSelected, selection.ids.length)}
      onFocusRow={onActive}
      onToggle={selection.toggle}
    />
  );
}

function ListFailed({ data }: { data: InboxData }): ReactNode {
  return (
    <div className="empty" role="alert">
      <p>{data.error?.status === 403 ? strings.app.forbidden : text.failed}</p>
      {data.error?.requestId != null && <p className="meta">{strings.app.wentWrong(data.error.requestId)}</p>}
      <button type="button" className="button" onClick={() => void data.reload()}>
        {strings.app.tryAgain}
      </button>
    </div>
  );
}

/** Rows of the real height, and only when it takes a while. */
function Skeleton(): ReactNode {
  const isLate = useAfter(300);
  if (!isLate) return null;
  return (
    <div className="skeleton">
      <SlowNotice />
      {[0, 1, 2, 3, 4, 5].map((n) => (
        <div key={n} className="skeleton-row" />
      ))}
    </div>
  );
}

/** Why there is nothing to see, and what can be done about it. */
function EmptyList({ filters }: { filters: Filters }): ReactNode {
  const counts = useCounts();
  const isWide = useIsWide();
  if (hasFilters(filters)) {
    return (
      <div className="empty">
        <p>{text.emptyFilter}</p>
        <Link className="button" to={inboxPath(withoutFilters(filters))} replace>
          {text.clear}
        </Link>
      </div>
    );
  }
  // The next view that has something, with how much.
  const elsewhere = (['forMe', 'team', 'all'] as const).find(
    (view) => view !== filters.view && (counts?.[view] ?? 0) > 0,
  );
  const isOwn = filters.view === 'forMe' && !isWide;
  return (
    <>
      <div className="empty drawn narrow">
        <Icon name="inbox" />
        <p>{filters.view === 'forMe' ? text.emptyForMe : text.emptyView[filters.view]}</p>
        {filters.view === 'forMe' && elsewhere !== undefined && (
          <Link className="button primary only-narrow" to={pagePath('requests')}>
            {strings.app.pages.requests}
          </Link>
        )}
        {elsewhere !== undefined && (
          <Link className="button" to={inboxPath({ ...noFilters, view: elsewhere })}>
            {text.elsewhere(text.views[elsewhere], counts?.[elsewhere] ?? 0)}
          </Link>
        )}
      </div>
      {isOwn && (
        <div className="pad">
          <Suspense>
            <OwnRequests />
          </Suspense>
        </div>
      )}
    </>
  );
}
