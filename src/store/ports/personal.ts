import type { JsonObject } from '../../contract/base/json.ts';

/**
 * `push`: a browser that is notified. `conversation`: with a bot, by channel. `preferences`: one, without a name.
 * `passkey`: by its id; `passkey-challenge`: what an authenticator is to sign, once; `passkey-revocation`: of the passkey of
 * that name, asked for by one operator.
 */
export type PersonalKind =
  | 'push'
  | 'conversation'
  | 'preferences'
  | 'passkey'
  | 'passkey-challenge'
  | 'passkey-revocation';

/** What became of a passkey, and by whom. */
export interface PasskeyEvent {
  event: 'registered' | 'revocation asked' | 'revoked' | 'removed';
  user: string;
  /** Id of the passkey. */
  passkey: string;
  /** DER (SubjectPublicKeyInfo), base64. */
  publicKey: string;
  by: string;
  credential: string | null;
  /** Registered or removed: the id of the passkey that vouched for it; null: it is the person's first. */
  vouchedBy?: string | null;
  /** Revoked: who had asked for it. */
  askedBy?: string;
}

/** Something that belongs to one person, named within its kind. */
export interface PersonalRow {
  user: string;
  kind: PersonalKind;
  name: string;
  value: JsonObject;
  savedAt: string;
}

/** What people have set for themselves, and where they are reached; erased with the person. */
export interface Personal {
  /** Inserts or replaces it; not for preferences. */
  put(row: Omit<PersonalRow, 'savedAt'>): Promise<void>;
  /** Replaces a person's preferences, and records their deputy (`away`); call it in a transaction. */
  prefer(user: string, value: JsonObject, given: { by: string; credential: string | null }): Promise<void>;
  /** Replaces the value of one that is there; false: it is gone. */
  change(row: Omit<PersonalRow, 'savedAt'>): Promise<boolean>;
  /** Records what became of a passkey; call it in the transaction that changes it. */
  note(event: PasskeyEvent): void;
  /** Makes others who change what this person has wait until the end of the transaction; call it before what decides is read. */
  alone(user: string): Promise<void>;
  /** True if there was one. */
  remove(key: Pick<PersonalRow, 'user' | 'kind' | 'name'>): Promise<boolean>;
  /** Of one person, or of all; oldest first. */
  list(kind: PersonalKind, user?: string): Promise<PersonalRow[]>;
}
