// A stream that was asked for by a session is read for as long as the session lasts: pages stay open after a sign-out.
import type { ApiContext } from '../api-context.ts';
import type { Session } from './sessions.ts';

/** Between two looks at whether the session lasts. */
const pollMs = 5_000;

/** What comes, until the session is over; a stream of a key, or of the caller without keys, has none. */
export async function* untilSessionEnds<T>(
  { sessions, now }: Pick<ApiContext, 'sessions' | 'now'>,
  session: Session | null,
  source: AsyncGenerator<T>,
): AsyncGenerator<T> {
  let checkedAtMs = now().getTime();
  for await (const one of source) {
    if (session !== null && now().getTime() - checkedAtMs >= pollMs) {
      checkedAtMs = now().getTime();
      if ((await sessions.check(session.tokenHash)) === null) return;
    }
    yield one;
  }
}
