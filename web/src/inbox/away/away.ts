// When this person was last on these pages, in this browser.
import { useEffect, useState } from 'react';
import { serverNow } from '../../base/time/clock.ts';
import { store, stored } from '../../base/page/stored.ts';

/** After a shorter absence nothing is worth a summary. */
const leastAwayMs = 30 * 60_000;
const noteEveryMs = 60_000;

function awaySince(): number | null {
  const at = Number(stored('lookedAt') ?? 0);
  return at > 0 && serverNow() - at >= leastAwayMs ? at : null;
}

/** Null: they are here, or were a moment ago. */
export function useAwaySince(): number | null {
  const [since, setSince] = useState(awaySince);
  useEffect(() => {
    const note = (): void => {
      if (!document.hidden) store('lookedAt', String(serverNow()));
    };
    const turn = (): void => {
      if (document.hidden) store('lookedAt', String(serverNow()));
      else setSince((before) => awaySince() ?? before);
    };
    note();
    const timer = setInterval(note, noteEveryMs);
    document.addEventListener('visibilitychange', turn);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', turn);
    };
  }, []);
  return since;
}
