/** Who is calling: a person, an operator, or Holdpoint's own doors (`operator:signal`, `policy:<name>`). */
export interface Principal {
  id: string;
  /** Role names without the `role:` prefix. */
  roles: string[];
  /** Owns everything: the keyless caller on loopback, and Temporal operators. */
  isSuper: boolean;
  /** Entries of those they stand in for just now (`user:anna`); set by the api from `users.<name>.away`. */
  alsoFor?: string[];
}
