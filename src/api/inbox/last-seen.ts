// Who was asked before a hold changed: whoever may not see it any more must hear that it is gone, and nobody else.
import type { HoldRow, Store } from '../../store/store.ts';

type Asked = Pick<HoldRow, 'audience' | 'plan' | 'owner'>;

export interface LastSeen {
  /** Remembers a hold as it is now; returns who was asked before, null when that is not known. */
  replace(row: HoldRow): Asked | null;
  /** Reads what is open now, for holds that change for the first time while we look. */
  fill(store: Pick<Store, 'holds'>, signal: AbortSignal): Promise<void>;
}

const maxHolds = 20_000;
const pageSize = 200;

export function createLastSeen(): LastSeen {
  const holds = new Map<string, Asked>();
  function replace({ holdId, audience, plan, owner, status }: HoldRow): Asked | null {
    const before = holds.get(holdId) ?? null;
    holds.delete(holdId);
    // What is over does not move to others any more.
    if (status === 'open' && holds.size < maxHolds) holds.set(holdId, { audience, plan, owner });
    return before;
  }
  return {
    replace,
    async fill(store, signal) {
      let cursor: string | null = null;
      do {
        const page = await store.holds.list({
          statuses: ['open'],
          limit: pageSize,
          ...(cursor === null ? {} : { cursor }),
        });
        for (const row of page.items) if (!holds.has(row.holdId)) replace(row);
        cursor = page.nextCursor;
      } while (cursor !== null && holds.size < maxHolds && !signal.aborted);
    },
  };
}
