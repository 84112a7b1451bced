// Sends one decision on many; one that may have arrived is sent again, as it was, until it is known what became of it.
import { useEffect, useRef, useState } from 'react';
import type { BulkReply } from '../../../../src/contract/views/inbox.ts';
import { ApiError, send } from '../../base/live/api.ts';
import { announce } from '../../base/page/announce.tsx';
import { strings } from '../../i18n/strings.ts';
import { type BulkBody, failureWords, mayHaveArrived } from './bulk-state.ts';

const text = strings.bulk;
const againMs = 3_000;

/** What may have arrived: it is sent again as it was, under its own key. */
interface Sent {
  body: BulkBody;
  key: string;
}

export interface BulkSending {
  isSending: boolean;
  results: BulkReply['results'] | null;
  /** Why the last attempt failed. */
  failed: string | null;
  unconfirmed: Sent | null;
  post: (sent: Sent) => Promise<void>;
}

export function useBulkSending(): BulkSending {
  const [isSending, setIsSending] = useState(false);
  const [results, setResults] = useState<BulkReply['results'] | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [unconfirmed, setUnconfirmed] = useState<Sent | null>(null);
  const post = async (sent: Sent): Promise<void> => {
    setIsSending(true);
    setFailed(null);
    try {
      const reply = await send<BulkReply>('POST', '/api/holds/decisions', sent.body, { idempotencyKey: sent.key });
      setUnconfirmed(null);
      setResults(reply.results);
      announce(text.tally(reply.results.filter(({ ok }) => ok).length, reply.results.length));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Until it is known what became of it nothing else can be sent.
      setUnconfirmed(mayHaveArrived(error.status) ? sent : null);
      setFailed(failureWords(error));
    } finally {
      setIsSending(false);
    }
  };
  const again = useRef(post);
  again.current = post;
  useEffect(() => {
    if (unconfirmed === null || isSending) return undefined;
    const timer = setTimeout(() => void again.current(unconfirmed), againMs);
    return () => clearTimeout(timer);
  }, [unconfirmed, isSending]);
  return { isSending, results, failed, unconfirmed, post };
}
