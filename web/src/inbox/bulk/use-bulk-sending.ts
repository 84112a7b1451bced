// Sends one decision on many, a few at a time; what may have arrived is sent again as it was, until it is known what became of it.
import { useEffect, useRef, useState } from 'react';
import type { BulkReply } from '../../../../src/contract/views/inbox.ts';
import { ApiError, send } from '../../base/live/api.ts';
import { announce } from '../../base/page/announce.tsx';
import { strings } from '../../i18n/strings.ts';
import { type BulkPart, failureWords, mayHaveArrived } from './bulk-state.ts';

const text = strings.bulk;
const againMs = 3_000;

export interface BulkSending {
  isSending: boolean;
  /** Of each that has one, as they come. */
  results: BulkReply['results'];
  /** Each has its result. */
  isOver: boolean;
  /** Why the last attempt failed. */
  failed: string | null;
  /** What is still to be sent, of which the first may have arrived. */
  unconfirmed: readonly BulkPart[] | null;
  post: (parts: readonly BulkPart[]) => Promise<void>;
}

export function useBulkSending(): BulkSending {
  const [isSending, setIsSending] = useState(false);
  const [results, setResults] = useState<BulkReply['results']>([]);
  const [isOver, setOver] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const [unconfirmed, setUnconfirmed] = useState<readonly BulkPart[] | null>(null);
  const known = useRef<BulkReply['results']>([]);
  const post = async (parts: readonly BulkPart[]): Promise<void> => {
    setIsSending(true);
    setFailed(null);
    let left = parts;
    try {
      for (let [part] = left; part !== undefined; [part] = left) {
        const reply = await send<BulkReply>('POST', '/api/holds/decisions', part.body, { idempotencyKey: part.key });
        known.current = [...known.current, ...reply.results];
        setResults(known.current);
        left = left.slice(1);
      }
      setUnconfirmed(null);
      setOver(true);
      announce(text.tally(known.current.filter(({ ok }) => ok).length, known.current.length));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Until it is known what became of it nothing else can be sent; what has begun goes on to its end.
      const goesOn = mayHaveArrived(error.status) || known.current.length > 0;
      setUnconfirmed(goesOn ? left : null);
      setFailed(goesOn && !mayHaveArrived(error.status) ? text.goesOn : failureWords(error));
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
  return { isSending, results, isOver, failed, unconfirmed, post };
}
