// One request at a time that a press makes: on its way, or why it failed.
import { useCallback, useRef, useState } from 'react';

export interface Sending {
  isSending: boolean;
  /** Why the last one failed; null: it did not. */
  why: string | null;
  fail: (why: string | null) => void;
  /** Does it; false when it failed. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useSending(whyOf: (error: unknown) => string): Sending {
  const [isSending, setSending] = useState(false);
  const [why, fail] = useState<string | null>(null);
  const latest = useRef(whyOf);
  latest.current = whyOf;
  const run = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    setSending(true);
    fail(null);
    try {
      await work();
      return true;
    } catch (error) {
      fail(latest.current(error));
      return false;
    } finally {
      setSending(false);
    }
  }, []);
  return { isSending, why, fail, run };
}
