/** What a verified receipt says; docs/receipts.md describes each member. */
export interface ReceiptClaims {
  iss: string;
  sub: string;
  agent: string;
  kind: 'people' | 'agent' | 'grant';
  task: string | null;
  tool: { name: string; callId: string | null; argsHash: string } | null;
  answerHash: string;
  by: { id: string; as: string[]; at: string }[];
  quorum: number;
  stages?: { name: string; quorum: number; by: string[] }[];
  /** Of `kind: grant`: its id. */
  grant?: string;
  policy: { name: string; version: string };
  digest: string;
  iat: number;
  exp: number;
  jti: string;
}

export interface ExpectedReceipt {
  /** What Standfast's `/.well-known/jwks.json` says. */
  jwks: { keys: { kty: string; crv?: string; x?: string; kid?: string }[] };
  /** `a2a:` and the name of the agent in Standfast's configuration, or `program:` and the user of a program that asks. */
  agent: string;
  /** True the first time alone, atomically. */
  once: (jti: string, exp: number) => boolean | Promise<boolean>;
  tool?: string;
  args?: unknown;
  answer?: unknown;
  issuer?: string;
  task?: string | null;
  /** Entry of the audience by which each approver was asked: `role:finance`. */
  role?: string;
  quorum?: number;
  policy?: string;
  /** Names of stages that each must have agreed. */
  stages?: string[];
  /** Who decided, or several; without it, people. `grant`: no one was asked, as `by` had granted such calls. */
  kind?: 'people' | 'agent' | 'grant' | readonly ('people' | 'agent' | 'grant')[];
  /** Milliseconds since 1970, for tests. */
  now?: number;
}

export function verifyReceipt(jws: string, expected: ExpectedReceipt): Promise<ReceiptClaims>;
export function onceIn(directory: string): (jti: string, exp: number) => boolean;
/** Canonical JSON (RFC 8785). */
export function canonical(value: unknown): string;
export function hashOf(value: unknown): string;
