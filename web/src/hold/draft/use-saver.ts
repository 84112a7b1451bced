// Saves what is written in a question as a draft: soon after a change, at once when the person leaves, one after the other.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { onSession, sessionNow } from '../../base/account/me.ts';
import type { DraftState } from '../pane/work.ts';
import { putDraft } from './put-draft.ts';

const saveAfterMs = 800;
const retryAfterMs = 5_000;

interface Saver {
  saved: DraftState;
  /** Saves it soon, in place of what was to be saved. */
  plan: (body: string) => void;
  /** Whether the server's draft is newer than any that this page has seen, and nothing here is newer still. */
  sees: (savedAt: string) => boolean;
}

export function useSaver({ id, draft }: Pick<HoldView, 'id' | 'draft'>, isOpen: boolean): Saver {
  const [saved, setSaved] = useState<DraftState>({ state: 'none' });
  const pending = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const underWay = useRef(0);
  /** The newest draft of the server's that this page has seen. */
  const known = useRef(draft?.savedAt ?? '');
  const [writer] = useState(() => sessionNow().me?.id);

  const flush = useCallback(
    async (isLast = false): Promise<void> => {
      clearTimeout(timer.current);
      // One after the other, or what is older could arrive last; a page that goes cannot wait for its turn.
      if (underWay.current > 0 && !isLast) return;
      const body = pending.current;
      const { status, me } = sessionNow();
      // Another person may sign in over the page: what is written here is never kept as theirs.
      if (body === null || status !== 'in' || me?.id !== writer) return;
      pending.current = null;
      underWay.current += 1;
      setSaved({ state: 'saving' });
      const now = await putDraft(id, body);
      underWay.current -= 1;
      setSaved(now);
      if (now.state === 'saved') known.current = now.at;
      if (now.state === 'failed') {
        pending.current ??= body;
        timer.current = setTimeout(() => void flush(), retryAfterMs);
      } else if (pending.current !== null) void flush();
    },
    [id, writer],
  );
  const plan = useCallback(
    (body: string): void => {
      pending.current = body;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void flush(), saveAfterMs);
    },
    [flush],
  );
  useEffect(() => {
    if (!isOpen) {
      // Nothing is drafted for a question that has ended.
      pending.current = null;
      clearTimeout(timer.current);
      return undefined;
    }
    const now = (): void => void flush();
    const hide = (): void => {
      if (document.hidden) void flush(true);
    };
    const leave = (): void => void flush(true);
    document.addEventListener('visibilitychange', hide);
    // A reload hides no page that is not visible, and some browsers say it of none.
    addEventListener('pagehide', leave);
    document.addEventListener('focusout', now);
    const stop = onSession(now);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      removeEventListener('pagehide', leave);
      document.removeEventListener('focusout', now);
      stop();
      void flush();
    };
  }, [flush, isOpen]);
  const sees = useCallback((savedAt: string): boolean => {
    if (savedAt <= known.current || pending.current !== null || underWay.current > 0) return false;
    known.current = savedAt;
    setSaved({ state: 'none' });
    return true;
  }, []);
  return { saved, plan, sees };
}
