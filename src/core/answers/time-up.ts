// Whether a question is over by the clock: its workflow may come by late, and it is shown as open nowhere meanwhile.
import type { Hold } from '../../contract/holds/hold.ts';
import type { ShownStatus } from '../../contract/holds/hold-names.ts';

type Timed = Pick<Hold, 'status'> & { expiresAt?: string | null; outgoing?: object | null };

/** An answer that comes now comes late. One that came in time and waits for its grace is sent all the same. */
export const isTimeUp = ({ status, expiresAt = null, outgoing = null }: Timed, now: string): boolean =>
  status === 'open' && outgoing === null && isPast(expiresAt, now);

/** An answer of this moment counts as late. */
export const isPast = (expiresAt: string | null, now: string): boolean => expiresAt !== null && now > expiresAt;

/** The status that everybody is shown. SQL counterpart: `isOpen` and `isTimeUp` (store/tables/holds/metric-filters). */
export const statusAt = (hold: Timed, now: string): ShownStatus => (isTimeUp(hold, now) ? 'time_up' : hold.status);

/** It can be answered: the one test of every surface that offers a button. */
export const isOpenAt = (hold: Timed, now: string): boolean => statusAt(hold, now) === 'open';
