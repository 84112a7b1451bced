// What happened while the reader was away; pure.
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';

export interface Since {
  /** Came and wait still. */
  came: number;
  expired: number;
  byOthers: number;
  withdrawn: number;
  /** To be named: what silence decided first. */
  named: HoldRowView[];
}

const mostNamed = 5;

/** `open`: what the list has; `ended`: what has ended since. */
export function whileAway(
  open: readonly HoldRowView[],
  ended: readonly HoldRowView[],
  since: number,
  myId: string | null,
): Since {
  const isMine = ({ decidedBy, ended: end }: HoldRowView): boolean => (decidedBy ?? end?.by ?? null) === myId;
  const others = ended.filter((row) => row.ended !== null && Date.parse(row.ended.at) > since && !isMine(row));
  const of = (...whys: string[]): HoldRowView[] => others.filter((row) => whys.includes(row.ended?.why ?? ''));
  const [expired, answered] = [of('expired'), of('approved', 'answered', 'declined')];
  const withdrawn = of('withdrawn', 'cancelled');
  return {
    came: open.filter((row) => row.status === 'open' && Date.parse(row.openedAt) > since).length,
    expired: expired.length,
    byOthers: answered.length,
    withdrawn: withdrawn.length,
    named: [...expired, ...answered, ...withdrawn].slice(0, mostNamed),
  };
}
