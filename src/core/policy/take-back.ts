// A question that was passed on is taken back by who did it, as long as nothing has come of it.
import type { Hold, HoldMove } from '../../contract/holds/hold.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isSameAudience } from './audience.ts';
import { withPeople } from './ladder.ts';

type Move = Pick<HoldMove, 'by' | 'at' | 'from' | 'to'>;
type Moved = Pick<Hold, 'audience' | 'votes'>;

/** Whether this move is theirs to take back: by now others may have been asked, or have agreed. */
export const mayTakeBack = ({ audience, votes }: Moved, move: Move, { id }: Pick<Principal, 'id'>): boolean =>
  move.by === id && isSameAudience(audience, move.to) && votes.every((vote) => vote.at <= move.at);

/** Whether they do so by naming these: who was asked before is asked again. */
export const takesBack = (hold: Moved, move: Move, principal: Pick<Principal, 'id'>, to: readonly string[]): boolean =>
  mayTakeBack(hold, move, principal) && isSameAudience(withPeople(to), move.from ?? []);
