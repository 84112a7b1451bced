// Sends one decision until the server has reported what became of it; the state machine is sending.ts.
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import type { FieldError } from '../../base/live/api-error.ts';
import type { Decision } from '../pane/decision.ts';
import { ApiError, holdApi, send, serverNow } from '../../base/live/api.ts';
import { onSession, sessionNow } from '../../base/account/me.ts';
import {
  dropIntent,
  type Intent,
  isUnsigned,
  keepIntent,
  keptIntent,
  type Sending,
  sendingAfter,
  type SendingEvent,
} from '../pane/sending.ts';
import { newId } from '../../base/page/new-id.ts';

interface Options {
  hold: HoldView;
  /** Who decides. */
  by: string;
  take: (hold: HoldView) => void;
  reread: () => Promise<void>;
  /** Sends it another way, e.g. by the conversation it belongs to; true once the server has it. */
  via?: ((body: DecisionBody) => Promise<boolean>) | undefined;
}

/** Signed by the person's passkey, which the browser asks for. */
const signed = async (holdId: string, body: DecisionBody): Promise<DecisionBody> =>
  (await import('../../base/account/passkeys.ts')).signedAnswer(holdId, body);

const idle: Sending = { state: 'idle' };
const noProblems: readonly FieldError[] = [];

export function useDecision({ hold, by, take, reread, via }: Options): Decision {
  const [sending, dispatch] = useReducer(sendingAfter, idle);
  const isToSign = hold.sign !== undefined;
  // Kept over a reload neither with a secret in it, nor with a signature, which is used once.
  const isUnkept = hold.secretPaths.length > 0 || isToSign;
  const isOpen = !hasEnded(hold.status);
  const isOwn = useRef(false);

  const submit = useCallback(
    (body: DecisionBody): void => {
      const base: Intent = { holdId: hold.id, by, key: newId(), body, sinceMs: serverNow() };
      const intent: Intent = isToSign ? { ...base, isToSign } : base;
      keepIntent(sessionStorage, intent, isUnkept);
      isOwn.current = true;
      dispatch({ what: 'submit', intent });
    },
    [hold.id, by, isToSign, isUnkept],
  );

  // An answer that was under way when the page went: the same key again, whatever became of it.
  useEffect(() => {
    const kept = keptIntent(sessionStorage, hold.id, by);
    if (kept !== null && !isOwn.current) dispatch({ what: 'submit', intent: kept });
  }, [hold.id, by]);

  useAttempt(sending, { take, reread, via, votes: hold.votes.need }, dispatch);
  useNextAttempt(sending, reread, dispatch);

  // The hold has ended, by this answer or another: the record says which.
  useEffect(() => {
    if (isOpen) return;
    dropIntent(sessionStorage, hold.id);
    dispatch({ what: 'settled' });
  }, [isOpen, hold.id]);

  const tryNow = useCallback(() => {
    void reread();
    dispatch({ what: 'due' });
  }, [reread]);
  const dismiss = useCallback(() => dispatch({ what: 'dismiss' }), []);
  const problems = sending.state === 'refused' ? sending.refusal.errors : noProblems;
  return { sending, problems, submit, tryNow, dismiss };
}

type Dispatch = (event: SendingEvent) => void;

interface Means extends Pick<Options, 'take' | 'reread' | 'via'> {
  votes: number;
}

/** One request for each attempt: signed first where it must be, then sent. */
function useAttempt(sending: Sending, now: Means, dispatch: Dispatch): void {
  // What a request needs in addition to its intent; a change of these is not a reason to send again.
  const means = useRef(now);
  means.current = now;
  const attempt = sending.state === 'sending' ? sending.attempt : 0;
  const intent = sending.state === 'sending' ? sending.intent : null;
  useEffect(() => {
    if (intent === null) return undefined;
    let isWanted = true;
    const go = async (): Promise<void> => {
      const { take: takeHold, reread: readHold, via: other, votes } = means.current;
      try {
        if (isUnsigned(intent)) {
          const body = await signed(intent.holdId, intent.body);
          if (isWanted) dispatch({ what: 'signed', body });
          return;
        }
        let taken: HoldView | null = null;
        // What is signed, or grants as well, is decided by the question's own route, also in a conversation.
        const isOwn = intent.isToSign === true || ('grant' in intent.body && intent.body.grant !== undefined);
        if (other === undefined || isOwn) {
          const path = holdApi(intent.holdId, '/decision');
          const options = { idempotencyKey: intent.key };
          taken = (await send<{ hold: HoldView }>('POST', path, intent.body, options)).hold;
        } else if (!(await other(intent.body))) throw new ApiError({ code: 'decision_not_confirmed', status: 503 });
        dropIntent(sessionStorage, intent.holdId);
        if (!isWanted) return;
        if (taken !== null) takeHold(taken);
        dispatch({ what: 'accepted', isStaged: taken === null ? votes > 1 : !hasEnded(taken.status) });
        if (taken === null) await readHold();
      } catch (error) {
        if (!isWanted) return;
        const problem = error instanceof ApiError ? error : null;
        dispatch({
          what: 'failed',
          refusal: problem?.status === 0 ? null : problem,
          retryAfterMs: problem?.retryAfterMs ?? null,
          nowMs: Date.now(),
        });
      }
    };
    void go();
    return () => {
      isWanted = false;
    };
  }, [intent, attempt, dispatch]);
}

/** A refusal is the end; what waits is due at its time, once the browser is online, and once its person is signed in again. */
function useNextAttempt(sending: Sending, reread: () => Promise<void>, dispatch: Dispatch): void {
  useEffect(() => {
    if (sending.state === 'refused') {
      dropIntent(sessionStorage, sending.intent.holdId);
      void reread();
    }
    if (sending.state !== 'waiting') return undefined;
    const due = (): void => dispatch({ what: 'due' });
    const timer = setTimeout(due, Math.max(0, sending.atMs - Date.now()));
    addEventListener('online', due);
    const stop = onSession(() => {
      const { status, me } = sessionNow();
      if (status === 'in' && me?.id === sending.intent.by && sending.code === 'not_authenticated') due();
    });
    return () => {
      clearTimeout(timer);
      removeEventListener('online', due);
      stop();
    };
  }, [sending, reread, dispatch]);
}
