// What of the list can be answered together, as the server counts it over all of it.
import { useEffect, useRef, useState } from 'react';
import type { AlikeGroup, AlikeGroups } from '../../../../src/contract/views/inbox.ts';
import { useCounts } from '../../base/live/event-stream.ts';
import { useRead } from '../../base/live/use-read.ts';
import type { Filters } from '../../base/router/routes.ts';
import { useRested } from '../lazy-parts.ts';
import { type InboxList, isRecord } from '../list.ts';
import { alikePath } from '../list-query.ts';

/** All open questions are compared for it: not with every change. */
const atMostEveryMs = 10_000;
const settleMs = 500;

/** Another number some time after `value` changed, and never sooner than so long after the one before. */
function useSettled(value: unknown): number {
  const [turn, setTurn] = useState(0);
  const first = useRef(value);
  const lastAt = useRef(0);
  useEffect(() => {
    // The first one that is known is no change.
    first.current ??= value;
    if (first.current === value) return undefined;
    const inMs = Math.max(settleMs, lastAt.current + atMostEveryMs - performance.now());
    const timer = setTimeout(() => {
      first.current = value;
      lastAt.current = performance.now();
      setTurn((before) => before + 1);
    }, inMs);
    return () => clearTimeout(timer);
  }, [value]);
  return turn;
}

/** Once the page rests; none in what has ended. */
export function useAlike(filters: Filters, list: InboxList | null): readonly AlikeGroup[] {
  const counts = useCounts();
  const isRested = useRested();
  const { view } = filters;
  const isAsked = isRested && !isRecord(view) && (list?.order.length ?? 0) > 1;
  const on = useSettled(isRecord(view) ? 0 : counts?.[view]);
  const { data } = useRead<AlikeGroups>(isAsked ? alikePath(filters) : null, { on });
  return data?.groups ?? none;
}

const none: readonly AlikeGroup[] = [];
