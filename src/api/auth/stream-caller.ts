// Streams are read for long: by what they were asked for may have been taken away, or give other rights by then.
import type { Principal } from '../../contract/principal.ts';
import { canonicalJson } from '../../core/base/canonical-json.ts';
import type { KeyRing, KnownKey } from './keys.ts';
import type { Session } from './sessions.ts';

/** By what a stream was asked for; neither: without keys, or by a token of the identity provider's. */
export interface StreamCaller {
  session: Session | null;
  knownKey: KnownKey | null;
}

const isSame = (one: Principal | undefined, other: Principal): boolean =>
  one !== undefined && canonicalJson(one) === canonicalJson(other);

/** False once a key is not known any more, or gives other rights: whoever comes back has those of now. */
export const isKeyAsBefore = (keys: KeyRing, key: KnownKey | null): boolean =>
  key === null || isSame(keys.byHash(key.hash)?.principal, key.principal);

/** The same of a session, as it was just found again. */
export const isSessionAsBefore = (found: Session | null, session: Session): boolean =>
  isSame(found?.principal, session.principal);
