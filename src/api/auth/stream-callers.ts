// Ends streams and waits when the credential of their caller ends: a sign-out, a removed key, an expired token. In one
// place for all of them, so that no route can forget it.
import { canonicalJson } from '../../core/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { CallerLease } from '../http/sse.ts';
import type { KeyRing, KnownKey } from './keys.ts';
import type { Session, Sessions } from './sessions.ts';

/** The credential of a request; all null: without keys. */
interface StreamCaller {
  session: Session | null;
  knownKey: KnownKey | null;
  /** When the identity provider's token expires. */
  tokenEndsAtMs: number | null;
}

export interface StreamCallers {
  /** Until `ended` aborts, the caller is checked. */
  watch(caller: StreamCaller, ended: AbortSignal): CallerLease;
  /** A session that was closed here: what it reads ends at once. */
  endSession(tokenHash: string): void;
  close(): void;
}

interface Watched extends StreamCaller {
  control: AbortController;
  checkedAtMs: number;
}

const tickMs = 1_000;
/** Between two checks whether a session lasts: another process may have closed it. */
const sessionCheckMs = 5_000;

const isSame = (one: Principal | undefined, other: Principal): boolean =>
  one !== undefined && canonicalJson(one) === canonicalJson(other);

export function createStreamCallers({
  sessions,
  keys,
  now,
}: {
  sessions: Pick<Sessions, 'check'>;
  keys: Pick<KeyRing, 'byHash'>;
  now: () => Date;
}): StreamCallers {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | null = null;

  /** What is known without the store: a caller who comes back after a change of roles has the present ones. */
  function isOver({ control, knownKey, tokenEndsAtMs }: Watched): boolean {
    const isKnown = knownKey === null || isSame(keys.byHash(knownKey.hash)?.principal, knownKey.principal);
    if (!isKnown || (tokenEndsAtMs !== null && tokenEndsAtMs <= now().getTime())) control.abort();
    return control.signal.aborted;
  }

  async function checkSession(one: Watched, session: Session): Promise<void> {
    const nowMs = now().getTime();
    // A session slides on with each request of its pages, so only the store knows its end.
    if (nowMs - one.checkedAtMs < sessionCheckMs && nowMs < Date.parse(session.endsAt)) return;
    one.checkedAtMs = nowMs;
    const found = await sessions.check(session.tokenHash);
    if (isSame(found?.principal, session.principal)) one.session = found;
    else one.control.abort();
  }

  function tick(): void {
    for (const one of watched) {
      if (isOver(one) || one.session === null) continue;
      // While the database is unreachable nothing is known of the session: try again.
      checkSession(one, one.session).catch(() => undefined);
    }
  }

  function forget(one: Watched): void {
    watched.delete(one);
    if (watched.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  return {
    watch({ session, knownKey, tokenEndsAtMs }, ended) {
      const control = new AbortController();
      const one: Watched = { session, knownKey, tokenEndsAtMs, control, checkedAtMs: now().getTime() };
      const lease = { signal: control.signal, isOver: () => isOver(one) };
      if (ended.aborted || (session === null && knownKey === null && tokenEndsAtMs === null)) return lease;
      watched.add(one);
      ended.addEventListener('abort', () => forget(one), { once: true });
      timer ??= setInterval(tick, tickMs).unref();
      return lease;
    },
    endSession(tokenHash) {
      for (const { session, control } of watched) if (session?.tokenHash === tokenHash) control.abort();
    },
    close() {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}
