// How far the reader is with killing Standfast while a question waits; pure.
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';

type Asked = Pick<HoldRowView, 'id' | 'taskId' | 'digest' | 'dueAt' | 'headline'>;

/** What was open when the connection went, and from when to when it was gone. */
export interface Gap {
  asked: Asked;
  goneAt: number;
  backAt: number | null;
}

export type Trick =
  | { step: 'ask' }
  | { step: 'kill'; asked: Asked }
  | { step: 'gone'; asked: Asked; ms: number }
  | { step: 'back'; asked: Asked; ms: number; isSame: boolean };

interface Now {
  /** The question that waits first. */
  open: Asked | null;
  isLive: boolean;
  at: number;
}

/** A line that is back sooner was never gone. */
const leastGoneMs = 2_000;

export function nextGap(gap: Gap | null, { open, isLive, at }: Now): Gap | null {
  if (gap === null || gap.backAt !== null) {
    if (!isLive && open !== null) return { asked: open, goneAt: at, backAt: null };
    return gap;
  }
  if (!isLive) return gap;
  return at - gap.goneAt < leastGoneMs ? null : { ...gap, backAt: at };
}

/** `rows`: what the list has now. */
export function trickOf(gap: Gap | null, { open, at }: Now, rows: readonly Asked[]): Trick {
  if (gap !== null) {
    const { asked, goneAt, backAt } = gap;
    if (backAt === null) {
      const ms = at - goneAt;
      return ms < leastGoneMs ? { step: 'kill', asked } : { step: 'gone', asked, ms };
    }
    const now = rows.find(({ id }) => id === asked.id);
    const isSame = now !== undefined && now.digest === asked.digest && now.dueAt === asked.dueAt;
    return { step: 'back', asked, ms: backAt - goneAt, isSame };
  }
  return open === null ? { step: 'ask' } : { step: 'kill', asked: open };
}

/** The places of the drawing of the first minute, in its order. */
export const stations = ['asks', 'waits', 'killed', 'answers'] as const;
export type Station = (typeof stations)[number];

/** Where in the drawing its reader is. */
export const stationOf = ({ step }: Trick): Station =>
  ({ ask: 'asks', kill: 'waits', gone: 'killed', back: 'answers' } as const)[step];
