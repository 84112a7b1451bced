// A thread of one agent: its messages, what is asked, and the one run that may be read at a time.
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import { hasEnded } from '../../../src/contract/holds/hold-names.ts';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { DecisionBody } from '../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { onSession, sessionNow } from '../base/account/me.ts';
import { ApiError } from '../base/live/api.ts';
import { onRows } from '../base/live/event-stream.ts';
import { afterEvent, emptyTalk, historyOf, type Talk, withOwnMessage } from './conversation-state.ts';
import { type ResumeEntry, resumeOf } from './resume.ts';
import { type RunInput, streamRun } from './run-stream.ts';
import { newId } from '../base/page/new-id.ts';

export interface Thread {
  talk: Talk;
  isRestoring: boolean;
  /** The last message is not confirmed: `follow` sends it again, as the same run. */
  isUnheard: boolean;
  say: (text: string) => void;
  /** Reads the thread as it is, and follows the run that works on it. */
  follow: () => void;
  /** Answers the last open question by going on with the run. */
  answer: (hold: HoldView, body: DecisionBody) => Promise<boolean>;
  /** Answers all questions of a server that is not Standfast's. */
  resume: (entries: readonly ResumeEntry[]) => Promise<boolean>;
}

type Event =
  | { what: 'event'; event: AguiEvent }
  | { what: 'said'; id: string; text: string }
  | { what: 'run'; run: Talk['run'] }
  | { what: 'refused'; code: string; message: string };

function after(talk: Talk, event: Event): Talk {
  switch (event.what) {
    case 'event':
      return afterEvent(talk, event.event);
    case 'said':
      return withOwnMessage(talk, event.id, event.text);
    case 'run':
      return { ...talk, run: event.run };
    case 'refused':
      return { ...talk, run: 'failed', error: { code: event.code, message: event.message } };
    default:
      return event satisfies never;
  }
}

const final = new Set([400, 403, 404, 409, 413]);

/** One name for one answer: a retry of it is the same run. */
const runIds = new WeakMap<object, string>();

type Ask = Omit<RunInput, 'threadId'>;

/** The one run that is read: a new one ends the reading of the one before. */
function useRun(agent: string, threadId: string, dispatch: (event: Event) => void) {
  const reading = useRef<AbortController | null>(null);
  /** A message of the reader's which no answer has confirmed: it is sent again, as the same run. */
  const unheard = useRef<Ask | null>(null);
  const run = useCallback(
    async (input: Ask, onFirst?: (event: AguiEvent) => void): Promise<void> => {
      // Reading is all that stops: the run itself goes on at the server.
      reading.current?.abort();
      const abort = new AbortController();
      reading.current = abort;
      dispatch({ what: 'run', run: 'running' });
      let isFirst = true;
      const take = (event: AguiEvent): void => {
        if (isFirst || event.type === 'RUN_ERROR') onFirst?.(event);
        isFirst = false;
        unheard.current = null;
        if (!abort.signal.aborted) dispatch({ what: 'event', event });
      };
      try {
        const end = await streamRun(agent, { threadId, ...input }, take, abort.signal);
        if (end === 'cut' && !abort.signal.aborted) dispatch({ what: 'run', run: 'cut' });
      } catch (error) {
        if (abort.signal.aborted) return;
        // What was refused for what it is would be refused again.
        if (error instanceof ApiError && final.has(error.status)) unheard.current = null;
        if (error instanceof ApiError && error.status > 0)
          dispatch({ what: 'refused', code: error.code, message: error.detail });
        else dispatch({ what: 'run', run: 'cut' });
        throw error;
      } finally {
        if (reading.current === abort) reading.current = null;
      }
    },
    [agent, threadId, dispatch],
  );
  return { run, reading, unheard };
}

export function useThread(agent: string, threadId: string, isNew: boolean): Thread {
  const [talk, dispatch] = useReducer(after, emptyTalk);
  const [isRestoring, setRestoring] = useState(!isNew);
  const latest = useRef(talk);
  latest.current = talk;
  const { run, reading, unheard } = useRun(agent, threadId, dispatch);

  const follow = useCallback((): void => {
    const input = unheard.current ?? {
      runId: newId(),
      messages: historyOf(latest.current),
      forwardedProps: { a2a: { subscribeOnly: true } },
    };
    void run(input)
      .catch(() => undefined)
      .finally(() => setRestoring(false));
  }, [run]);

  useEffect(() => {
    if (!isNew) follow();
    return () => reading.current?.abort();
  }, [follow, isNew]);

  // A question that another person, the clock or another page decided: the thread goes on, and is read on.
  useEffect(
    () =>
      onRows((rows) => {
        const isThisThread = rows.some(
          ({ id, status }) => hasEnded(status) && latest.current.open.some(({ holdId }) => holdId === id),
        );
        if (isThisThread && reading.current === null) follow();
      }),
    [follow],
  );

  // What was sent as a session ended is sent again after the next sign-in, as the same run.
  useEffect(
    () =>
      onSession(() => {
        if (sessionNow().status === 'in' && latest.current.error?.code === 'not_authenticated') follow();
      }),
    [follow],
  );

  const say = useCallback(
    (text: string): void => {
      const id = newId();
      const messages = [...historyOf(latest.current), { id, role: 'user', content: text }];
      dispatch({ what: 'said', id, text });
      const input = { runId: newId(), messages };
      unheard.current = input;
      void run(input).catch(() => undefined);
    },
    [run],
  );

  const resume = useCallback(
    (entries: readonly ResumeEntry[], answered: object = entries): Promise<boolean> => {
      const runId = runIds.get(answered) ?? newId();
      runIds.set(answered, runId);
      const input = { runId, messages: historyOf(latest.current), resume: entries };
      return new Promise<boolean>((resolve, reject) => {
        const first = (event: AguiEvent): void => {
          if (event.type === 'RUN_ERROR') reject(refusalOf(event));
          else resolve(true);
        };
        run(input, first).then(() => resolve(false), reject);
      });
    },
    [run],
  );
  const answer = useCallback(
    (hold: HoldView, body: DecisionBody) => resume([resumeOf(hold.interruptId, body)], body),
    [resume],
  );
  return { talk, isRestoring, isUnheard: unheard.current !== null, say, follow, answer, resume };
}

function refusalOf(event: AguiEvent): ApiError {
  const word = (name: string): string => (typeof event[name] === 'string' ? event[name] : '');
  return new ApiError({ code: word('code') || 'internal', status: 409, detail: word('message'), data: event });
}
