// What keys do in the inbox: in the list, and at the question next to it.
import type { RefObject } from 'react';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { useMe } from '../base/account/me.ts';
import { shortName } from '../base/account/names.ts';
import { ApiError, holdApi, send } from '../base/live/api.ts';
import { navigate } from '../base/router/router.ts';
import { taskPath } from '../base/router/routes.ts';
import { announce } from '../base/page/announce.tsx';
import { isField, useKeys } from '../base/page/keys.ts';
import { actKeys } from '../hold/acts/act-keys.ts';
import type { Armed } from '../hold/pane/pane.ts';
import { strings } from '../i18n/strings.ts';
import { type InboxList, isBulkRow } from './list.ts';
import type { Selection } from './use-selection.ts';

const text = strings.inbox;

interface Options {
  holdId: string | null;
  /** The row that has, or gets, the focus. */
  active: string | null;
  list: InboxList | null;
  selection: Selection;
  isPaneFocused: () => boolean;
  isReviewing: boolean;
  closeReview: () => void;
  open: (id: string, how?: { replace?: boolean; armed?: Armed }) => void;
  /** The question so many rows further. */
  openAdjacent: (by: number) => void | false;
  back: () => void;
  /** Those like this row, together. */
  reviewAlike: (active: string) => void;
  paneRef: RefObject<HTMLElement | null>;
}

export function useInboxKeys(options: Options): void {
  const { holdId, active, list, selection, isPaneFocused, isReviewing, open, openAdjacent, back, paneRef } = options;
  const myId = useMe()?.id ?? '';
  // While a question is shown these keys are its own; it came after the list, so it is asked first.
  const row = active === null || holdId !== null ? undefined : list?.rows.get(active);
  const openArmed = (armed: Armed): void | false => (row === undefined ? false : open(row.id, { armed }));
  const toggle = (isRange: boolean): void | false => {
    const chosen = active === null ? undefined : list?.rows.get(active);
    if (chosen === undefined || isPaneFocused()) return false;
    if (!isBulkRow(chosen)) announce(text.notAlone);
    else selection.toggle(chosen.id, isRange);
    return undefined;
  };
  useKeys({
    o: () => (active === null || isPaneFocused() ? false : open(active)),
    // A fresh list has its first row marked, and nothing the focus.
    Enter: () => (active === null || document.activeElement !== document.body ? false : open(active)),
    a: () => openArmed('approve'),
    r: () => openArmed('reject'),
    [actKeys.reassign]: () => openArmed('reassign'),
    [actKeys.claim]: () => (row === undefined ? false : void toggleClaim(row, myId)),
    t: () => (row === undefined ? false : navigate(taskPath(row.taskId))),
    x: () => toggle(false),
    'Shift+x': () => toggle(true),
    'Shift+a': () => {
      if (isPaneFocused() || isReviewing) return false;
      return active === null ? announce(text.noneAlike) : options.reviewAlike(active);
    },
  });
  useKeys({
    j: () => (isPaneFocused() ? openAdjacent(1) : false),
    k: () => (isPaneFocused() ? openAdjacent(-1) : false),
    u: () => (holdId === null ? false : back()),
    Escape: () => {
      if (isReviewing) options.closeReview();
      else if (isField(document.activeElement) && isPaneFocused()) {
        // One types here: the first Esc only leaves the field, so that nothing is left by a slip.
        paneRef.current?.focus({ preventScroll: true });
      } else if (holdId !== null && isPaneFocused()) back();
      else if (selection.isOn) selection.stop();
      else return false;
      return undefined;
    },
  });
}

async function toggleClaim({ id, claim }: HoldRowView, myId: string): Promise<void> {
  const isMine = claim?.by === myId;
  // Taking over is a button at the question: no slip of a key takes it from another person.
  if (claim !== null && !isMine) {
    announce(text.worksOnIt(shortName(claim.by)));
    return;
  }
  try {
    await send('POST', holdApi(id, isMine ? '/release' : '/claim'), {});
    announce(isMine ? text.released : text.claimed);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    announce(strings.app.forbidden);
  }
}
