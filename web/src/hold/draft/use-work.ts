// What the person is writing: kept on the server as a draft of their own, never with a secret in it.
import { useCallback, useEffect, useRef, useState } from 'react';
import { draftReasonKey } from '../../../../src/contract/holds/answer-names.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { announce } from '../../base/page/announce.tsx';
import { sessionNow } from '../../base/account/me.ts';
import { strings } from '../../i18n/strings.ts';
import { type Dict, dictOf } from '../values/dict.ts';
import type { Dropped, Work, Written } from '../pane/work.ts';
import { carryOver, textKey, withoutSecrets } from './drafts.ts';
import { useSaver } from './use-saver.ts';

interface Kept extends Written {
  restoredAt: string | null;
  dropped: Dropped[];
}

/** What one page wrote into a question that was then asked again; survives the change of address. */
const leftBehind = new Map<string, { draft: Dict; schema: Dict; by: string | undefined }>();

export function leaveFor(newId: string, values: Dict, reason: string, old: HoldView): void {
  leftBehind.set(newId, {
    draft: { ...values, ...(reason === '' ? {} : { [draftReasonKey]: reason }) },
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
  const { [draftReasonKey]: reason, [textKey]: text, ...values } = kept;
  return {
    values: { ...hold.defaults, ...values },
    reason: typeof reason === 'string' ? reason : '',
    text: typeof text === 'string' ? text : '',
    restoredAt: hold.draft?.savedAt ?? null,
    dropped,
  };
}

/** As it is saved: no secret is part of it. */
function draftOf({ values, reason, text }: Written, secretPaths: readonly string[]): string {
  const safe = withoutSecrets(values, secretPaths);
  // What cannot be read may hold a secret anywhere.
  const asTyped = text === '' || secretPaths.length > 0 ? {} : { [textKey]: text };
  const reasoned = reason === '' ? {} : { [draftReasonKey]: reason };
  return JSON.stringify({ values: { ...safe, ...reasoned, ...asTyped } });
}

/** `isGone`: others have it now, and nothing is kept for it any more. */
export function useWork(hold: HoldView, isGone = false): Work {
  const isOpen = hold.status === 'open' && !isGone;
  const [start] = useState(() => found(hold));
  const [written, setWritten] = useState<Written>(start);
  const latest = useRef(written);
  const [isTouched, setTouched] = useState(false);
  const [restoredAt, setRestored] = useState(start.restoredAt);
  const [epoch, setEpoch] = useState(0);
  const { saved, plan, sees } = useSaver(hold, isOpen);

  const show = useCallback(({ values, reason, text }: Written): void => {
    latest.current = { values, reason, text };
    setWritten(latest.current);
  }, []);
  const save = useCallback(
    (draft: Written): void => {
      setTouched(true);
      plan(draftOf(draft, hold.secretPaths));
    },
    [plan, hold.secretPaths],
  );
  const write = useCallback(
    (part: Partial<Written>): void => {
      show({ ...latest.current, ...part });
      save(latest.current);
    },
    [show, save],
  );
  const setValues = useCallback((values: Dict) => write({ values, text: '' }), [write]);
  const setReason = useCallback((reason: string) => write({ reason }), [write]);
  const setText = useCallback((text: string) => write({ text }), [write]);
  const startOver = useCallback(() => {
    leftBehind.delete(hold.id);
    setRestored(null);
    show({ values: hold.defaults, reason: '', text: '' });
    setEpoch((n) => n + 1);
    save({ values: {}, reason: '', text: '' });
  }, [hold.id, hold.defaults, show, save]);

  // Written on in another browser: what is newer is shown here.
  const savedAt = hold.draft?.savedAt ?? '';
  const keepFocus = useKeptFocus(epoch);
  useEffect(() => {
    if (!isOpen || !sees(savedAt)) return;
    const fresh = found(hold);
    keepFocus();
    show(fresh);
    setRestored(fresh.restoredAt);
    setEpoch((n) => n + 1);
    announce(strings.hold.draftElsewhere);
    // Each word of the server brings an equal copy of the rest.
  }, [savedAt, isOpen]);
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

/** The field that one was in gets the focus again once it was drawn again: call what this returns before that. */
function useKeptFocus(epoch: number): () => void {
  const focused = useRef('');
  useEffect(() => {
    const field = document.getElementById(focused.current);
    if (epoch === 0 || field === null || document.activeElement !== document.body) return;
    field.focus();
    if (field instanceof HTMLTextAreaElement) field.selectionStart = field.value.length;
  }, [epoch]);
  return () => {
    focused.current = document.activeElement?.id ?? '';
  };
}
