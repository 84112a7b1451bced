// What the person is writing: kept on the server as a draft of their own, never with a secret in it.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { announce } from '../../base/page/announce.tsx';
import { onSession, sessionNow } from '../../base/account/me.ts';
import { strings } from '../../i18n/strings.ts';
import { type Dict, dictOf } from '../values/dict.ts';
import { carryOver, type Dropped, reasonKey, textKey, withoutSecrets } from './drafts.ts';
import { type DraftState, putDraft } from './put-draft.ts';

interface Written {
  /** In the shape of the answer; a form keeps its own and tells it here. */
  values: Dict;
  reason: string;
  /** JSON that cannot be read yet, as it was typed; empty once it can. */
  text: string;
}

export interface Work extends Written {
  setText: (text: string) => void;
  setValues: (values: Dict) => void;
  setReason: (reason: string) => void;
  isTouched: boolean;
  saved: DraftState;
  /** When the draft that was found had been saved. */
  restoredAt: string | null;
  /** Parts of the draft that have no place in this question. */
  dropped: Dropped[];
  startOver: () => void;
  /** Changes when the values were set from outside: what keeps its own copy begins anew. */
  epoch: number;
}

const saveAfterMs = 800;
const retryAfterMs = 5_000;

interface Kept extends Written {
  restoredAt: string | null;
  dropped: Dropped[];
}

/** What one page wrote into a question that was then asked again; survives the change of address. */
const leftBehind = new Map<string, { draft: Dict; schema: Dict; by: string | undefined }>();

export function leaveFor(newId: string, values: Dict, reason: string, old: HoldView): void {
  leftBehind.set(newId, {
    draft: { ...values, ...(reason === '' ? {} : { [reasonKey]: reason }) },
    schema: old.schema,
    by: sessionNow().me?.id,
  });
}

function found(hold: HoldView): Kept {
  const left = leftBehind.get(hold.id);
  const carried = left?.by === sessionNow().me?.id ? left : undefined;
  const draft = hold.draft === null ? carried?.draft : dictOf(hold.draft.values);
  if (draft === undefined) return { values: hold.defaults, reason: '', text: '', restoredAt: null, dropped: [] };
  const { kept, dropped } = carryOver(draft, carried?.schema ?? hold.schema, hold.schema);
  const { [reasonKey]: reason, [textKey]: text, ...values } = kept;
  return {
    values: { ...hold.defaults, ...values },
    reason: typeof reason === 'string' ? reason : '',
    text: typeof text === 'string' ? text : '',
    restoredAt: hold.draft?.savedAt ?? null,
    dropped,
  };
}

/** `isGone`: others have it now, and nothing is kept for it any more. */
export function useWork(hold: HoldView, isGone = false): Work {
  const [start] = useState(() => found(hold));
  const [written, setWritten] = useState<Written>(start);
  const latest = useRef(written);
  const [isTouched, setTouched] = useState(false);
  const [saved, setSaved] = useState<DraftState>({ state: 'none' });
  const [restoredAt, setRestored] = useState(start.restoredAt);
  const [epoch, setEpoch] = useState(0);
  const isOpen = hold.status === 'open' && !isGone;
  const pending = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const underWay = useRef(0);
  /** The newest draft of the server's that this page has seen. */
  const known = useRef(hold.draft?.savedAt ?? '');
  const [writer] = useState(() => sessionNow().me?.id);

  const flush = useCallback(
    async (isLast = false): Promise<void> => {
      clearTimeout(timer.current);
      // One after the other, or what is older could arrive last; a page that goes cannot wait for its turn.
      if (underWay.current > 0 && !isLast) return;
      const body = pending.current;
      const { status, me } = sessionNow();
      // Whoever signs in over the page may be somebody else: what is written here is never kept as their.
      if (body === null || status !== 'in' || me?.id !== writer) return;
      pending.current = null;
      underWay.current += 1;
      setSaved({ state: 'saving' });
      const now = await putDraft(hold.id, body);
      underWay.current -= 1;
      setSaved(now);
      if (now.state === 'saved') known.current = now.at;
      if (now.state === 'failed') {
        pending.current ??= body;
        timer.current = setTimeout(() => void flush(), retryAfterMs);
      } else if (pending.current !== null) void flush();
    },
    [hold.id, writer],
  );

  const plan = useCallback(
    ({ values, reason, text }: Written): void => {
      setTouched(true);
      const safe = withoutSecrets(values, hold.secretPaths);
      // What cannot be read may hold a secret anywhere.
      const asTyped = text === '' || hold.secretPaths.length > 0 ? {} : { [textKey]: text };
      const reasoned = reason === '' ? {} : { [reasonKey]: reason };
      pending.current = JSON.stringify({ values: { ...safe, ...reasoned, ...asTyped } });
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void flush(), saveAfterMs);
    },
    [flush, hold.secretPaths],
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
    document.addEventListener('visibilitychange', hide);
    document.addEventListener('focusout', now);
    const stop = onSession(now);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      document.removeEventListener('focusout', now);
      stop();
      void flush();
    };
  }, [flush, isOpen]);

  const show = useCallback(({ values, reason, text }: Written): void => {
    latest.current = { values, reason, text };
    setWritten(latest.current);
  }, []);
  const write = useCallback(
    (part: Partial<Written>): void => {
      show({ ...latest.current, ...part });
      plan(latest.current);
    },
    [show, plan],
  );
  const setValues = useCallback((values: Dict) => write({ values, text: '' }), [write]);
  const setReason = useCallback((reason: string) => write({ reason }), [write]);
  const setText = useCallback((text: string) => write({ text }), [write]);
  // Written on in another browser: what is newer is shown here, unless there is something here that is newer still.
  const savedAt = hold.draft?.savedAt ?? '';
  const focused = useRef('');
  useEffect(() => {
    if (!isOpen || savedAt <= known.current || pending.current !== null || underWay.current > 0) return;
    known.current = savedAt;
    const fresh = found(hold);
    focused.current = document.activeElement?.id ?? '';
    show(fresh);
    setSaved({ state: 'none' });
    setRestored(fresh.restoredAt);
    setEpoch((n) => n + 1);
    announce(strings.hold.draftElsewhere);
    // Each word of the server brings an equal copy of the rest.
  }, [savedAt, isOpen]);
  useEffect(() => {
    const field = document.getElementById(focused.current);
    if (epoch === 0 || field === null || document.activeElement !== document.body) return;
    field.focus();
    if (field instanceof HTMLTextAreaElement) field.selectionStart = field.value.length;
  }, [epoch]);
  const startOver = useCallback(() => {
    leftBehind.delete(hold.id);
    setRestored(null);
    show({ values: hold.defaults, reason: '', text: '' });
    setEpoch((n) => n + 1);
    plan({ values: {}, reason: '', text: '' });
  }, [hold.id, hold.defaults, show, plan]);
  return {
    ...written,
    setText,
    setValues,
    setReason,
    isTouched,
    saved,
    restoredAt,
    dropped: start.dropped,
    startOver,
    epoch,
  };
}
