// Sessions of the pages: a random token in an HttpOnly cookie; the store has only its hash.
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../contract/configuration/config.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { isProgramUser } from '../../core/policy/askers.ts';
import { isOpenedSession, type RowMacs, sessionMac } from '../../core/base/proved-row.ts';
import type { SessionRow } from '../../store/ports/access.ts';
import type { Store } from '../../store/store.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { KeyRing, KnownKey } from './keys.ts';
import type { SignedIn } from './oidc.ts';

type Cookies = FastifyRequest['cookies'];

export interface Session {
  tokenHash: string;
  principal: Principal;
  endsAt: string;
  /** The latest end, however much it is used; null: none. */
  endsBy: string | null;
}

export interface Sessions {
  cookieName: string;
  /** Begins a session and gives its cookie to the browser. */
  open(reply: FastifyReply, key: KnownKey): Promise<Session>;
  /** Begins the session of a person whom the identity provider knows. */
  openFor(reply: FastifyReply, who: SignedIn): Promise<Session>;
  /** Ends what the identity provider has ended; returns which. */
  closeOf(who: { subject: string | null; sid: string | null }): Promise<string[]>;
  /** The session of a request's cookie; null when there is none, it is over, or its key is not known any more. */
  find(cookies: Cookies): Promise<Session | null>;
  /** Whether a session found earlier still lasts, and until when. */
  check(tokenHash: string): Promise<Session | null>;
  /** Extends it once a part of its time has passed. */
  slide(reply: FastifyReply, session: Session, cookies: Cookies): Promise<Session>;
  /** Ends the session of the cookie, and has the browser forget it; returns which one that was. */
  close(reply: FastifyReply, cookies: Cookies): Promise<string | null>;
}

interface Deps {
  config: Config;
  store: Pick<Store, 'sessions'>;
  now: () => Date;
  publicUrl: string;
  keys: KeyRing;
  prover: RowMacs;
}

/** Longest time between two recorded uses. */
const slideMs = 300_000;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** How records name a session: the token cannot be derived from it. */
export const sessionCredential = (tokenHash: string): string => `session:${tokenHash.slice(0, 12)}`;

export function createSessions({ config, store, now, publicUrl, keys, prover }: Deps): Sessions {
  const lastsMs = durationMs(config.auth.maxIdle);
  const isSecure = publicUrl.startsWith('https:');
  // The prefix has browsers refuse the cookie to any page that is not on this very host by https.
  const name = isSecure ? '__Host-standfast' : 'standfast-session';

  function tokenOf(cookies: Cookies): string | null {
    const token = cookies[name];
    return token !== undefined && tokenForm.test(token) ? token : null;
  }

  function give(reply: FastifyReply, token: string, maxAgeMs: number): void {
    void reply.setCookie(name, token, {
      httpOnly: true,
      sameSite: 'strict',
      secure: isSecure,
      path: '/',
      maxAge: Math.max(0, Math.round(maxAgeMs / 1000)),
    });
  }

  function sessionOf(row: SessionRow | null): Session | null {
    // A row alone signs in no one: who writes to the database has no key.
    if (row === null || !isOpenedSession(prover, row)) return null;
    const { tokenHash, expiresAt: endsAt, endsBy } = row;
    // So is who signed in by a provider that the configuration has no more, or by what has become a program’s name.
    if (row.keyHash === null) {
      const isNoPerson = config.auth.oidc === undefined || isProgramUser(config, row.principal.id);
      return isNoPerson ? null : { tokenHash, principal: row.principal, endsAt, endsBy };
    }
    const key = keys.byHash(row.keyHash);
    return key === null ? null : { tokenHash, principal: key.principal, endsAt, endsBy };
  }

  const check = async (tokenHash: string): Promise<Session | null> => sessionOf(await store.sessions.get(tokenHash));
  function endFromNow(endsBy: string | null): string {
    const end = new Date(now().getTime() + lastsMs).toISOString();
    return endsBy !== null && endsBy < end ? endsBy : end;
  }

  async function begin(
    reply: FastifyReply,
    row: Omit<SessionRow, 'tokenHash' | 'expiresAt' | 'mac'>,
  ): Promise<Session> {
    const token = randomBytes(32).toString('base64url');
    const tokenHash = hashOf(token);
    const endsAt = endFromNow(row.endsBy);
    const lastingMs = Date.parse(endsAt) - now().getTime();
    await store.sessions.open({ ...row, tokenHash, expiresAt: endsAt, mac: sessionMac(prover, { ...row, tokenHash }) });
    give(reply, token, lastingMs);
    return { tokenHash, principal: row.principal, endsAt, endsBy: row.endsBy };
  }

  return {
    cookieName: name,
    check,
    open: (reply, key) =>
      begin(reply, { principal: key.principal, keyHash: key.hash, subject: null, sid: null, endsBy: null }),
    openFor(reply, { principal, subject, sid }) {
      const maxMs = durationMs(config.auth.oidc?.maxSession ?? config.auth.maxIdle);
      const endsBy = new Date(now().getTime() + maxMs).toISOString();
      return begin(reply, { principal, keyHash: null, subject, sid, endsBy });
    },
    closeOf: (who) => store.sessions.closeOf(who),
    async find(cookies) {
      const token = tokenOf(cookies);
      return token === null ? null : check(hashOf(token));
    },
    async slide(reply, session, cookies) {
      const token = tokenOf(cookies);
      const gone = lastsMs - (Date.parse(session.endsAt) - now().getTime());
      if (token === null || gone < Math.min(slideMs, lastsMs / 10)) return session;
      const endsAt = endFromNow(session.endsBy);
      await store.sessions.extend(session.tokenHash, endsAt);
      give(reply, token, Date.parse(endsAt) - now().getTime());
      return { ...session, endsAt };
    },
    async close(reply, cookies) {
      const token = tokenOf(cookies);
      // A link on a page of others comes without the cookie: its answer must not take the cookie away.
      if (token === null) return null;
      give(reply, '', 0);
      await store.sessions.close(hashOf(token));
      return hashOf(token);
    },
  };
}
