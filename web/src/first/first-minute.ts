// What a newcomer is shown of the product itself; elsewhere the agents are people's, and nothing is sent to them for show. Pure.
import type { InboxCounts, Me } from '../../../src/contract/views/inbox.ts';
import { type Filters, hasFilters } from '../base/router/routes.ts';

type Reader = Pick<Me, 'via' | 'temporalUrl'> | null;

/** The first answers decide whether one goes on: so many of them are a trial. */
const trialAnswers = 5;

/** Without keys it is a trial on one's own machine. */
const isTrial = (me: Reader): me is NonNullable<Reader> => me?.via === 'none';

/** Before anything was asked: how to begin. */
export const isFirstRun = (me: Reader, counts: InboxCounts | null, filters: Filters): boolean =>
  isTrial(me) && !hasFilters(filters) && counts?.all === 0 && counts.decided === 0;

/** After the first answers, with a Temporal that came along: what happens when Standfast is killed. */
export function isTrickTime(me: Reader, counts: InboxCounts | null, isSeen: boolean): boolean {
  const decided = counts?.decided ?? 0;
  return isTrial(me) && me.temporalUrl !== null && !isSeen && decided > 0 && decided <= trialAnswers;
}
