// Sign-ins of the pages: a random token in a cookie that scripts cannot read; the store knows its hash alone.
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../contract/config.ts';
import { durationMs } from '../../core/policy/duration.ts';
import type { SessionRow, Store } from '../../store/store.ts';
import type { KeyRing, KnownKey } from './keys.ts';

type Cookies = FastifyRequest['cookies'];

export interface Session {
  tokenHash: string;
  key: KnownKey;
  endsAt: string;
}

export interface Sessions {
  cookieName: string;
  /** Begins a session and gives its cookie to the browser. */
  open(reply: FastifyReply, key: KnownKey): Promise<Session>;
  /** The session of a request's cookie; null when there is none, it is over, or its key is not known any more. */
  find(cookies: Cookies): Promise<Session | null>;
  /** Whether a session found earlier still lasts, and until when. */
  check(tokenHash: string): Promise<Session | null>;
  /** Puts the end off once a part of its time has gone by. */
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
}

/** Longest time between two uses that are written down. */
const slideMs = 300_000;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** How records name a session: the token cannot be told from it. */
export const sessionCredential = (tokenHash: string): string => `session:${tokenHash.slice(0, 12)}`;

export function createSessions({ config, store, now, publicUrl, keys }: Deps): Sessions {
  const lastsMs = durationMs(config.auth.session);
  const isSecure = publicUrl.startsWith('https:');
  // The prefix has browsers refuse the cookie to any page that is not on this very host by https.
  const name = isSecure ? '__Host-holdpoint' : 'holdpoint-session';

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
    const key = row === null ? null : keys.byHash(row.keyHash);
    return row === null || key === null ? null : { tokenHash: row.tokenHash, key, endsAt: row.expiresAt };
  }

  const check = async (tokenHash: string): Promise<Session | null> => sessionOf(await store.sessions.get(tokenHash));
  const endFromNow = (): string => new Date(now().getTime() + lastsMs).toISOString();

  return {
    cookieName: name,
    check,
    async open(reply, key) {
      const token = randomBytes(32).toString('base64url');
      const tokenHash = hashOf(token);
      const endsAt = endFromNow();
      await store.sessions.open({ tokenHash, principal: key.principal, keyHash: key.hash, expiresAt: endsAt });
      give(reply, token, lastsMs);
      return { tokenHash, key, endsAt };
    },
    async find(cookies) {
      const token = tokenOf(cookies);
      return token === null ? null : check(hashOf(token));
    },
    async slide(reply, session, cookies) {
      const token = tokenOf(cookies);
      const gone = lastsMs - (Date.parse(session.endsAt) - now().getTime());
      if (token === null || gone < Math.min(slideMs, lastsMs / 10)) return session;
      const endsAt = endFromNow();
      await store.sessions.extend(session.tokenHash, endsAt);
      give(reply, token, lastsMs);
      return { ...session, endsAt };
    },
    async close(reply, cookies) {
      const token = tokenOf(cookies);
      give(reply, '', 0);
      if (token === null) return null;
      await store.sessions.close(hashOf(token));
      return hashOf(token);
    },
  };
}
