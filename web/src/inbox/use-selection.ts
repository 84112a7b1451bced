import { useCallback, useMemo, useRef, useState } from 'react';
import { bulkAtMost } from '../../../src/contract/views/inbox-names.ts';
import { idsBetween, selectable, visibleIds, type InboxList } from './list.ts';

export interface Selection {
  isOn: boolean;
  ids: readonly string[];
  toggle: (id: string, isRange: boolean) => void;
  start: () => void;
  stop: () => void;
}

/** Rows chosen for one decision together; what may not be is skipped, whichever way it was asked for. */
export function useSelection(list: InboxList | null): Selection {
  const [isOn, setIsOn] = useState(false);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const latest = useRef(list);
  latest.current = list;
  const anchor = useRef<string | null>(null);

  const toggle = useCallback((id: string, isRange: boolean) => {
    const now = latest.current;
    if (now === null) return;
    setIsOn(true);
    setChosen((before) => {
      const from = anchor.current;
      anchor.current = id;
      if (!isRange || from === null) {
        if (before.includes(id)) return before.filter((one) => one !== id);
        return added(now, before, [id]);
      }
      return added(now, before, idsBetween(visibleIds(now), from, id));
    });
  }, []);
  const start = useCallback(() => setIsOn(true), []);
  const stop = useCallback(() => {
    setIsOn(false);
    setChosen([]);
    anchor.current = null;
  }, []);
  // What has ended meanwhile is no longer chosen.
  const ids = useMemo(() => chosen.filter((id) => list?.rows.get(id)?.status === 'open'), [chosen, list]);
  return { isOn, ids, toggle, start, stop };
}

function added(list: InboxList, before: readonly string[], more: readonly string[]): readonly string[] {
  const all = [...before];
  for (const id of more) {
    const row = list.rows.get(id);
    const first = all[0] === undefined ? undefined : list.rows.get(all[0]);
    if (row === undefined || all.includes(id) || all.length >= bulkAtMost) continue;
    if (selectable(row, first, false, all.length) === 'yes') all.push(id);
  }
  return all;
}
