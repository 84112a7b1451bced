// Deliveries that wait for a person's next digest, and are listed there in place of a message of their own.
import type { DigestStart, NoticeInput } from '../../contract/tasks/activity.ts';
import { digestCalendar, digestMoments } from '../../core/policy/digest-times.ts';
import type { Delivery, DeliveryKey } from '../../store/ports/deliveries.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ActivityDeps } from '../deps.ts';
import { isOver } from './notice-people.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

type Deps = Pick<ActivityDeps, 'config' | 'store' | 'engine' | 'windowsOf' | 'now'>;

const prefix = 'digest.';

/** Moments of a user's digests after `afterMs`; null: they are notified at once. */
export function digestMomentsOf(
  { config: { users }, windowsOf }: Pick<Deps, 'config' | 'windowsOf'>,
  user: string,
): ((afterMs: number) => Iterable<number>) | null {
  const own = ownEntry(users, user);
  const { digest, hours } = own ?? {};
  if (digest === undefined || digest === 'off') return null;
  const times = digest.at.map((time) => windowsOf(digestCalendar(digest, time)));
  const within = hours === undefined ? null : windowsOf(hours);
  return (afterMs) => digestMoments(times, within, afterMs);
}

/** Puts an event on the user's next digest; false: it is sent by a message of its own, at once. */
export async function putOnDigest(
  deps: Deps,
  { input, row }: { input: NoticeInput; row: HoldRow },
  key: DeliveryKey,
): Promise<boolean> {
  const user = key.recipient;
  const moments = digestMomentsOf(deps, user);
  if (moments === null) return false;
  const listed = { ...key, message: `${prefix}${key.message}` };
  const isListed = (await deps.store.deliveries.get(listed)) !== null;
  const nowMs = deps.now().getTime();
  if (!isListed && (await wasBegun(deps, key))) return false;
  for (const ms of moments(nowMs)) {
    const isUrgent = !isOver(input.event) && row.expiresAt !== null && Date.parse(row.expiresAt) <= ms;
    if (isUrgent && !isListed) return false;
    await deps.store.deliveries.begin(listed);
    // A process whose clock is ahead may have sent this one already; then the next one lists it.
    if (await startDigest(deps, user, ms)) return true;
  }
  return false;
}

/** True if an earlier attempt began a message of its own, which is then sent as one. */
const wasBegun = async ({ store }: Pick<Deps, 'store'>, key: DeliveryKey): Promise<boolean> =>
  (await store.deliveries.get(key)) !== null;

/** False: that digest has been sent. */
export function startDigest({ engine }: Pick<Deps, 'engine'>, user: string, ms: number): Promise<boolean> {
  const start: DigestStart = { user, at: new Date(ms).toISOString() };
  return engine.startDigest(start);
}

/** The event that a waiting delivery was put on the digest for. */
export const listedEvent = ({ message }: Pick<Delivery, 'message'>): NoticeInput['event'] =>
  // Safe: `digest.<event>.<k>`, written above.
  message.slice(prefix.length).split('.')[0] as NoticeInput['event'];
