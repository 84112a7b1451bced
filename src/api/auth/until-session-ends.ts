// A stream is read for as long as the session or key that asked for it is what it was: pages stay open after a sign-out, and
// keys are taken away while programs read.
import type { ApiContext } from '../api-context.ts';
import { isKeyAsBefore, isSessionAsBefore, type StreamCaller } from './stream-caller.ts';

/** Between two looks at whether the session lasts. */
const pollMs = 5_000;

/** What comes, until the session is over or the key is another. */
export async function* untilSessionEnds<T>(
  { sessions, keys, now }: Pick<ApiContext, 'sessions' | 'keys' | 'now'>,
  { session, knownKey }: StreamCaller,
  source: AsyncGenerator<T>,
): AsyncGenerator<T> {
  let checkedAtMs = now().getTime();
  for await (const one of source) {
    if (!isKeyAsBefore(keys, knownKey)) return;
    if (session !== null && now().getTime() - checkedAtMs >= pollMs) {
      checkedAtMs = now().getTime();
      if (!isSessionAsBefore(await sessions.check(session.tokenHash), session)) return;
    }
    yield one;
  }
}
