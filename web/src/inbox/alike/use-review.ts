// Several questions reviewed together: those chosen, or those alike.
import { useEffect, useState } from 'react';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { announce } from '../../base/page/announce.tsx';
import { navigate } from '../../base/router/router.ts';
import { type Filters, inboxPath } from '../../base/router/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { alikeIds } from '../groups.ts';
import { type InboxList, rowsOf } from '../list.ts';
import type { Selection } from '../use-selection.ts';

export interface Review {
  isOn: boolean;
  isSent: boolean;
  /** Forms are no selection: they are alike, or not reviewed together. Null: what is chosen is reviewed. */
  forms: readonly HoldRowView[] | null;
  start: () => void;
  /** These, which are alike. */
  startWith: (ids: readonly string[]) => void;
  /** Those like this row; without one, the most that are alike. */
  startAlike: (rows: readonly HoldRowView[], active: string | null) => void;
  send: () => void;
  close: () => void;
}

interface Options {
  selection: Selection;
  list: InboxList | null;
  holdId: string | null;
  filters: Filters;
}

/** Until the last of what is chosen is left out. */
export function useReview({ selection, list, holdId, filters }: Options): Review {
  const [isOn, setOn] = useState(false);
  /** Its decisions are under way or reported: it does not close because its questions have ended. */
  const [isSent, setSent] = useState(false);
  const [forms, setForms] = useState<readonly HoldRowView[] | null>(null);
  useEffect(() => {
    if (selection.ids.length === 0 && !isSent && forms === null) setOn(false);
  }, [selection.ids.length, isSent, forms]);
  const start = (): void => setOn(true);
  const startWith = (ids: readonly string[]): void => {
    const rows = rowsOf(list, ids);
    // In the place of a question that is open.
    if (holdId !== null) navigate(inboxPath(filters));
    if (rows[0]?.kind === 'form') setForms(rows);
    else selection.choose(ids);
    start();
  };
  return {
    isOn,
    isSent,
    forms,
    start,
    startWith,
    startAlike: (rows, active) => {
      const ids = alikeIds(rows, active);
      if (ids.length === 0) announce(strings.inbox.noneAlike);
      else startWith(ids);
    },
    send: () => setSent(true),
    close: () => {
      setOn(false);
      setSent(false);
      setForms(null);
    },
  };
}
