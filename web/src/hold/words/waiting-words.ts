// What readers who may not decide want to know of a question: whom it waits for, since when, what was done about it, what comes; pure.
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { nameFor } from '../../base/account/names.ts';
import { agoWords, clockWords, type Reader } from '../../base/time/time-words.ts';
import { strings } from '../../i18n/strings.ts';
import { deciderWords } from './people.ts';
import { formatStep } from './step-words.ts';

const words = strings.hold.waiting;

type Waiting = Pick<
  HoldView,
  | 'audience'
  | 'exclude'
  | 'requester'
  | 'openedAt'
  | 'claim'
  | 'votes'
  | 'ladder'
  | 'nextStep'
  | 'expiresAt'
  | 'outgoing'
  | 'nudges'
>;

/** A sentence each, in the order in which it happened and will happen. */
export function waitingWords(hold: Waiting, myId: string | null, now: number, reader: Reader): string[] {
  const at = (iso: string): string => clockWords(Date.parse(iso), now, reader);
  const done = hold.ladder.filter(({ doneAt, do: what }) => doneAt !== null && what !== 'expire').at(-1);
  const next = hold.ladder.find(({ doneAt }) => doneAt === null) ?? hold.nextStep;
  const { claim, votes } = hold;
  const nudge = hold.nudges.at(-1);
  return [
    words.for(deciderWords(hold), agoWords(Date.parse(hold.openedAt), now)),
    votes.need > 1 ? words.votes(votes.have, votes.need) : '',
    claim === null ? '' : words.claimed(nameFor(claim.by, myId, strings.hold.you), at(claim.at)),
    done === undefined || done.doneAt === null ? '' : words.last(formatStep(done, hold.requester), at(done.doneAt)),
    nudge === undefined ? '' : words.nudgedBy(nameFor(nudge.by, myId, strings.ends.you), at(nudge.at)),
    next === null || next.do === 'expire' ? '' : words.next(formatStep(next, hold.requester), at(next.at)),
    hold.expiresAt === null ? words.noEnd : words.end(at(hold.expiresAt)),
  ].filter((sentence) => sentence !== '');
}
