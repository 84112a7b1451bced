// The whole questions of a review: read few at a time, and watched for what changes or ends under the reader.
import { useCallback, useEffect, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { missingOf } from '../../../../src/core/consent/whole-view.ts';
import { get, holdApi } from '../../base/live/api.ts';
import { onHold } from '../../base/live/event-stream.ts';
import type { BulkEntry } from './bulk-state.ts';

const readAtOnce = 6;

/** `isSent`: what ends or changes from then on does so by these answers, and says nothing of its own. */
export function useEntries(
  ids: readonly string[],
  isSent: boolean,
): [Map<string, BulkEntry>, (id: string, change: Partial<BulkEntry>) => void] {
  const [entries, setEntries] = useState<Map<string, BulkEntry>>(new Map());
  const change = useCallback((id: string, fresh: Partial<BulkEntry>) => {
    setEntries((before) => {
      const known = before.get(id) ?? { hold: null, isRead: false, hasChanged: false, failed: false };
      return new Map(before).set(id, { ...known, ...fresh });
    });
  }, []);
  const key = ids.join(' ');
  useEffect(() => {
    if (isSent) return undefined;
    const abort = new AbortController();
    const waiting = key === '' ? [] : key.split(' ');
    const stops = waiting.map((id) =>
      onHold(id, (row) => {
        setEntries((before) => {
          const known = before.get(id);
          if (known?.hold == null || (row.status === 'open' && row.digest === known.hold.digest)) return before;
          return new Map(before).set(id, { ...known, hasChanged: true, isRead: false });
        });
      }),
    );
    const next = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        try {
          const hold = await get<HoldView>(holdApi(id), { signal: abort.signal });
          // By its beginning and end alone it is not approved with others.
          change(id, missingOf(hold).length > 0 ? { failed: true } : { hold, failed: false });
        } catch {
          if (abort.signal.aborted) return;
          change(id, { failed: true });
        }
      }
    };
    for (let n = 0; n < readAtOnce; n += 1) void next();
    return () => {
      abort.abort();
      for (const stop of stops) stop();
    };
  }, [key, change, isSent]);
  return [entries, change];
}
