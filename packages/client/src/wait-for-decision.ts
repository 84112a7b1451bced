import type { components } from './api-types.ts';
import { StandfastError } from './errors.ts';
import type { InboxEvent, InboxOptions } from './inbox.ts';
import { sleep } from './retry.ts';

type Hold = components['schemas']['Hold'];

interface Waiting {
  id: string;
  read: (id: string) => Promise<Hold>;
  inbox: (options: InboxOptions) => AsyncIterable<InboxEvent>;
  signal?: AbortSignal;
}

/** Of one whose time is up the policy's word is still to come. */
const isWaiting = ({ status }: Hold): boolean => status === 'open' || status === 'time_up';

/** Reads the question when it was connected (what happened before is in it) and whenever the inbox names it. */
export async function waitForDecision({ id, read, inbox, signal }: Waiting): Promise<Hold> {
  const over = new AbortController();
  const stop = (): void => over.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    // An interrupt id will do: the events name the hold's own.
    let hold = await read(id);
    for await (const { event, data } of isWaiting(hold) ? inbox({ signal: over.signal }) : []) {
      if (event !== 'hello' && !(event === 'hold' && data.id === hold.id) && !(event === 'gone' && data.id === hold.id))
        continue;
      hold = await readAgain(hold.id, read, over.signal);
      if (!isWaiting(hold)) break;
    }
    signal?.throwIfAborted();
    return hold;
  } finally {
    signal?.removeEventListener('abort', stop);
    over.abort();
  }
}

const againMs = 1_000;

/** A server that is away in that very moment is waited for, as the inbox waits for it. */
async function readAgain(id: string, read: Waiting['read'], signal: AbortSignal): Promise<Hold> {
  for (;;) {
    try {
      return await read(id);
    } catch (error) {
      if (!(error instanceof StandfastError && error.isRetryable)) throw error;
      await sleep(againMs, signal);
    }
  }
}
