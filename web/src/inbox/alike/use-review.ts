// Several questions reviewed together: those chosen, or those alike.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AlikeGroups, HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { get } from '../../base/live/api.ts';
import { onRows } from '../../base/live/event-stream.ts';
import { announce } from '../../base/page/announce.tsx';
import { navigate } from '../../base/router/router.ts';
import { type Filters, inboxPath } from '../../base/router/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { type InboxList, isOpenRow, isRecord, rowsOf } from '../list.ts';
import { alikePath } from '../list-query.ts';
import type { Selection } from '../use-selection.ts';

export interface Review {
  isOn: boolean;
  isSent: boolean;
  /** What is reviewed; of those alike, some may be further down than the list is read. */
  rows: readonly HoldRowView[];
  /** Those like this one; where none is, it says so and nothing opens. */
  startAlike: (like: string) => void;
  /** Those chosen. */
  start: () => void;
  toggle: (id: string, isRange: boolean) => void;
  send: () => void;
  close: () => void;
}

interface Options {
  selection: Selection;
  list: InboxList | null;
  holdId: string | null;
  filters: Filters;
}

/** As the server has them now; null: they cannot be read. */
async function readAlike(filters: Filters, like: string): Promise<readonly HoldRowView[] | null> {
  if (isRecord(filters.view)) return [];
  try {
    return (await get<AlikeGroups>(alikePath(filters, like))).rows;
  } catch {
    return null;
  }
}

/** Until the last of what is reviewed is left out. */
export function useReview({ selection, list, holdId, filters }: Options): Review {
  const [isOn, setOn] = useState(false);
  /** Its decisions are under way or reported: it does not close because its questions have ended. */
  const [isSent, setSent] = useState(false);
  /** Null: what is chosen is reviewed. */
  const [alike, setAlike] = useState<readonly HoldRowView[] | null>(null);
  const asked = useRef(0);
  const rows = alike ?? rowsOf(list, selection.ids);
  useEffect(() => {
    if (rows.length === 0 && !isSent) setOn(false);
  }, [rows.length, isSent]);
  // Forms stay and say what became of them; of a yes or a no what ends meanwhile is not reviewed any more.
  const isWatched = isOn && !isSent && alike !== null && alike[0]?.kind !== 'form';
  useEffect(() => {
    if (!isWatched) return undefined;
    return onRows((changed) => {
      const over = new Set(changed.filter((row) => !isOpenRow(row)).map(({ id }) => id));
      setAlike((before) => before?.filter(({ id }) => !over.has(id)) ?? null);
    });
  }, [isWatched]);
  const here = useRef({ filters, holdId });
  useEffect(() => {
    here.current = { filters, holdId };
  });
  // One function as long as the page is there: what draws the day compares it.
  const startAlike = useCallback((like: string): void => {
    const find = async (): Promise<void> => {
      const turn = (asked.current += 1);
      const found = await readAlike(here.current.filters, like);
      if (turn !== asked.current) return;
      if (found === null || found.length === 0) {
        announce(found === null ? strings.inbox.alikeUnread : strings.inbox.noneAlike);
        return;
      }
      // In the place of a question that is open.
      if (here.current.holdId !== null) navigate(inboxPath(here.current.filters));
      setAlike(found);
      setOn(true);
    };
    void find();
  }, []);
  return {
    isOn,
    isSent,
    rows,
    start: () => setOn(true),
    startAlike,
    toggle: (id, isRange) => {
      if (alike === null) selection.toggle(id, isRange);
      else setAlike(alike.filter((row) => row.id !== id));
    },
    send: () => setSent(true),
    close: () => {
      asked.current += 1;
      setOn(false);
      setSent(false);
      setAlike(null);
    },
  };
}
