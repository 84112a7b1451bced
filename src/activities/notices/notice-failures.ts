// What keeps a message from being sent: failures, and the hours of its reader.
import { ApplicationFailure, Context } from '@temporalio/activity';
import { NoticeError } from '../../host/net/notice-channels.ts';
import { isLastAttempt } from './last-attempt.ts';
import { untilHoursMs } from './notice-people.ts';
import type { PolicyTimes } from '../dep-parts.ts';

/** A message that waits for the hours of its reader: no failure. */
export class OutOfHoursError extends NoticeError {
  override name = 'OutOfHoursError';
}

/** Throws OutOfHoursError outside the hours of this user, unless the message would be given up before they begin. */
export function waitForHours(deps: PolicyTimes, user: string | null): void {
  const waitMs = untilHoursMs(deps, user);
  if (waitMs > 0 && !isLastAttempt(Context.current().info, waitMs, deps.now()))
    throw new OutOfHoursError(`${user ?? ''} is notified later, in their own hours`, false, waitMs);
}

/** Of several failures the one whose retry comes first; a final one only if there is no other. */
export function worstOf(failures: readonly unknown[]): unknown {
  const ranks = [(one: unknown) => !(one instanceof NoticeError), isTemporary, isLater];
  for (const isRank of ranks) {
    const found = failures.find(isRank);
    if (found !== undefined) return found;
  }
  return failures[0];
}

const isLater = (one: unknown): boolean => one instanceof OutOfHoursError;
const isTemporary = (one: unknown): boolean => one instanceof NoticeError && !one.isFinal && !isLater(one);

/** A failure as Temporal takes it: tried again when the receiver asks for it, and not where it refuses for good. */
export function noticeFailure(channel: string, error: unknown): unknown {
  if (!(error instanceof NoticeError)) return error;
  const { message, isFinal, retryAfterMs } = error;
  return ApplicationFailure.create({
    type: 'notice_failed',
    message: `${channel}: ${message}`,
    nonRetryable: isFinal,
    ...(retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs }),
  });
}
