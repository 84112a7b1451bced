// The buttons that several kinds of question have, each with what it does to the task.
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { strings } from '../../i18n/strings.ts';
import { carriesReason, declined, isRefusalSent, rejected } from '../answer/answers.ts';
import type { Action } from './decision-bar.tsx';
import { noMeans, yesMeans } from './means.ts';

const words = strings.hold;

/** Sends what was written. */
export const sendAction = (hold: HoldView, make: () => DecisionBody | null, rest: Partial<Action> = {}): Action => ({
  id: 'approve',
  label: words.sendAnswer,
  armedLabel: words.confirmSend,
  isDirect: !hold.danger,
  means: yesMeans(hold, words.means.answer),
  tone: 'primary',
  isSend: true,
  make,
  ...rest,
});

/** Says no; `object` names what to. */
export const rejectAction = (hold: HoldView, object: string, reason: string): Action => ({
  id: 'reject',
  label: words.reject,
  armedLabel: words.confirmReject(object),
  means: noMeans(hold, 'reject', isRefusalSent(hold)),
  tone: isRefusalSent(hold) ? 'plain' : 'destroys',
  make: () => rejected(hold, reason),
  // Where the words reach the agent, a no asks for them.
  ...(carriesReason(hold) ? { reason: { label: words.reason, isFocused: true } } : {}),
});

/** A yes leaves behind what was written for a no: it says so, and takes two presses then. */
export const withoutReason = (
  reason: string,
  armedLabel: string,
): Pick<Action, 'armedLabel' | 'isDirect'> | undefined =>
  reason.trim() === '' ? undefined : { armedLabel: words.withoutReason(armedLabel), isDirect: false };

/** Gives no answer. */
export const declineAction = (hold: HoldView, reason: string, rest: Partial<Action> = {}): Action => ({
  id: 'reject',
  label: words.decline,
  armedLabel: words.confirmDecline,
  means: noMeans(hold, 'decline'),
  tone: hold.onReject === 'answers' ? 'plain' : 'destroys',
  make: () => declined(hold, reason),
  ...rest,
});
