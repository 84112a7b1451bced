// Asks, and waits for the end: through restarts of Standfast, and again under the same id after one of the caller.
import type { AskReply } from '../../contract/views/ask.ts';
import { askEndOf, type AskEnd, type ProgramAsk } from '../../core/consent/ask-end.ts';
import { isPassing } from '../operate/command-error.ts';
import type { OperatorClient } from '../operate/operator-client.ts';
import { sleep } from '../../host/process/sleep.ts';
import { backoff } from '../../core/base/backoff.ts';

export interface Waiting {
  client: OperatorClient;
  /** Its requests end with `isOver`. */
  waiter: OperatorClient;
  asked: ProgramAsk;
  /** Null: it was asked before, and is waited for by its id. */
  body: object | null;
  /** Of the time, or of the command. */
  isOver: AbortSignal;
  /** How long Standfast may be away. */
  outageMs: number;
  /** Called once, as soon as the question has a page. */
  onLink: (link: string) => void;
  /** Called once for each time that Standfast is away, with why. */
  onAway: (why: string) => void;
}

export interface Ended {
  end: AskEnd;
  reply: AskReply;
}

/** Less than the client's own limit of a request. */
const waitS = 20;
/** Until the question has a page, which takes moments. */
const pageWaitS = 1;
const pauses = { firstMs: 500, mostMs: 5_000 };

/** The end of the question, or `waiting` at the end of the time. Throws what Standfast refuses, and `unreachable`. */
export async function waitForEnd(waiting: Waiting): Promise<Ended> {
  const { client, waiter, isOver, outageMs } = waiting;
  let { asked } = waiting;
  const path = `/api/ask?id=${encodeURIComponent(asked.id)}`;
  let { body } = waiting;
  let reply: AskReply | null = null;
  let awaySinceMs: number | null = null;
  let failures = 0;
  while (true) {
    try {
      const seconds = reply?.link == null ? pageWaitS : waitS;
      const next: AskReply =
        body === null
          ? await (reply === null ? client : waiter).get(`${path}&wait=${seconds}`)
          : await client.post('/api/ask', body);
      if (reply?.link == null && next.link !== null) waiting.onLink(next.link);
      const end = askEndOf(next, asked);
      asked = { ...asked, version: asked.version ?? next.version };
      if (end !== 'waiting' || isOver.aborted) return { end, reply: next };
      [body, reply, awaySinceMs, failures] = [null, next, null, 0];
    } catch (error) {
      if (isOver.aborted && reply !== null) return { end: 'waiting', reply };
      if (!isPassing(error)) throw error;
      if (awaySinceMs === null) waiting.onAway(error.message);
      awaySinceMs ??= performance.now();
      if (isOver.aborted || performance.now() - awaySinceMs >= outageMs) throw error;
      await sleep(backoff(failures, pauses, Math.random()), { signal: isOver }).catch(() => undefined);
      failures += 1;
    }
  }
}
