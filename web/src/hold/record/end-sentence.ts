// How a question ended, as its own page says it: who, when, and what of it the agent has; pure.
import type { EndName, HoldView } from '../../../../src/contract/holds/hold.ts';
import { agentTitle } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';
import { endOf, withChosen } from '../words/ends.ts';
import { actorWords, authorWords, isMe } from '../words/people.ts';
import { type Ended, type Outcome, outcomeOf } from './outcome.ts';

const words = strings.hold;

type Shown = Ended & Pick<HoldView, 'agent' | 'policy'>;

type Clock = (iso: string) => string;

interface Facts {
  hold: Shown;
  clock: Clock;
  /** When it was decided, or ended without a decision. */
  at: string;
  by: string;
  myId: string | null;
}

/** What follows the time of an answer: whether and when the agent gets it. */
function restOf({ hold, clock, by, myId }: Facts): string {
  const { sent, when } = outcomeOf(hold);
  const { after } = words;
  const rest: Record<Outcome['when'], string> = {
    atOnce: sent === 'refusal' ? after.nothing : isMe(by, myId) ? after.mine : after.others,
    later: after.sent(clock(hold.ended?.at ?? '')),
    together: after.together,
  };
  return sent === 'nothing' ? after.nothing : rest[when];
}

const answer =
  (name: keyof typeof words.mine) =>
  (facts: Facts): string => {
    const { by, at, myId, hold } = facts;
    const what = isMe(by, myId)
      ? words.mine[name](at)
      : words.endedBy[name](authorWords({ by, inPlaceOf: hold.decision?.inPlaceOf }, null), at);
    return `${withChosen(what, hold)}${restOf(facts)}`;
  };

const sentences: Record<EndName, (facts: Facts) => string> = {
  approved: answer('approved'),
  rejected: answer('rejected'),
  answered: answer('answered'),
  declined: answer('declined'),
  expired: ({ hold, at }) => words.endedBy.expired(at, strings.expiry.did[hold.expires.then], hold.policy),
  withdrawn: ({ hold, at }) => words.endedBy.withdrawn(agentTitle(hold.agent), at),
  endedWith: ({ by, at, myId }) => words.endedBy.endedWith(actorWords(by, myId), at),
  superseded: ({ hold, at }) => words.endedBy.superseded(agentTitle(hold.agent), at),
  cancelled: ({ by, at, myId }) => words.endedBy.cancelled(actorWords(by, myId), at),
};

/** `clock` says a time in the reader's words. */
export function endSentence(hold: Shown, myId: string | null, clock: Clock): string {
  const name = endOf(hold);
  const { ended, decision } = hold;
  if (name === null || ended === null) return strings.ends.ended;
  const { by, at } = decision ?? ended;
  return sentences[name]({ hold, clock, by, at: clock(at), myId });
}
