// Opening a question of the list, going from one to the next, and the way back to its row.
import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import { navigate } from '../base/router/router.ts';
import { type Filters, holdPath, inboxPath } from '../base/router/routes.ts';
import { useCounts } from '../base/live/event-stream.ts';
import type { ListPlace } from '../hold/hold-tools.tsx';
import type { Armed } from '../hold/pane/pane.ts';
import { focusRow } from './inbox-list.tsx';
import { type InboxList, placeOf, totalOf } from './list.ts';
import type { InboxData } from './use-inbox.ts';

/** What the list asked to be armed: it lives in the history entry, so that no address arms anything. */
function armedNow(): Armed {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null || !('armed' in state)) return null;
  const { armed } = state;
  return armed === 'approve' || armed === 'reject' || armed === 'reassign' ? armed : null;
}

type Open = (id: string, how?: { replace?: boolean; armed?: Armed }) => void;

/** What the list asked to be armed, once: a reload, or a way back to it, arms nothing. */
export function useArmed(holdId: string | null): Armed {
  const armed = useMemo(() => (holdId === null ? null : armedNow()), [holdId]);
  useEffect(() => {
    if (armed !== null) history.replaceState(null, '', location.href);
  }, [armed]);
  return armed;
}

interface Listed {
  ids: readonly string[];
  list: InboxList | null;
  filters: Filters;
  holdId: string | null;
  open: Open;
}

/** The question's position among those of the list; null: not among them. */
export function usePlaceInList({ ids, list, filters, holdId, open }: Listed): ListPlace | null {
  const total = totalOf(filters, useCounts());
  const place = list === null || holdId === null ? null : placeOf(list, ids, holdId, { view: filters.view, total });
  const at = holdId === null ? -1 : ids.indexOf(holdId);
  const [before, after] = [ids[at - 1], ids[at + 1]];
  const { index = 0, count = '' } = place ?? {};
  return useMemo(
    () =>
      index === 0
        ? null
        : {
            index,
            count,
            onPrevious: before === undefined ? null : () => open(before, { replace: true }),
            onFollowing: after === undefined ? null : () => open(after, { replace: true }),
          },
    [index, count, before, after, open],
  );
}

export interface Opening {
  /** The row that the Tab key reaches, as far as the reader chose one. */
  activeId: string | null;
  setActiveId: (id: string | null) => void;
  open: Open;
  /** From the question to its row. */
  back: () => void;
}

export function useOpening(holdId: string | null, filters: Filters, leave: InboxData['leave']): Opening {
  const [activeId, setActiveId] = useState<string | null>(holdId);
  const open: Open = useCallback(
    (id, { replace = false, armed = null } = {}) => {
      setActiveId(id);
      navigate(holdPath(id, filters), { replace, state: armed === null ? null : { armed } });
    },
    [filters],
  );
  const back = useCallback(() => {
    if (holdId !== null) leave(holdId);
    navigate(inboxPath(filters));
    setActiveId(holdId);
    requestAnimationFrame(() => {
      if (holdId !== null) focusRow(holdId);
    });
  }, [filters, holdId, leave]);
  return { activeId, setActiveId, open, back };
}

/** The question that comes next has the focus: what had it before has gone. */
export function openFocused(open: Open, id: string, paneRef: RefObject<HTMLElement | null>): void {
  open(id);
  requestAnimationFrame(() => paneRef.current?.focus({ preventScroll: true }));
}

/** False: no question is open, and the key is the list's. */
export function openNeighbour(holdId: string | null, where: ListPlace | null, by: number): false | undefined {
  if (holdId === null) return false;
  (by > 0 ? where?.onFollowing : where?.onPrevious)?.();
  return undefined;
}
