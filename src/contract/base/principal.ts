/** Who is calling: a person, an operator, or Standfast itself (`operator:signal`, `policy:<name>`). */
export interface Principal {
  id: string;
  /** Role names without the `role:` prefix. */
  roles: string[];
  /** Owns everything: the keyless caller on loopback, and Temporal operators. */
  isSuper: boolean;
  /** Entries of those they stand in for just now (`user:anna`); set by the api from `users.<name>.away`. */
  alsoFor?: string[];
  /** Since when those named them who did so themselves, by entry; missing: the configuration did. */
  namedAt?: Record<string, string>;
  /** `agent`: a program that asks and never decides. Missing: a person, or who acts for one. */
  kind?: 'agent' | 'backend' | 'metrics';
  /** What this call is known by: `key:<id>` or `session:<id>`; the record of a decision keeps it. */
  credential?: string;
  /** As their identity provider has it; else `users` of the configuration says it. */
  name?: string;
  email?: string;
  /** The back end that asks or answers in their name. */
  actor?: string;
}
