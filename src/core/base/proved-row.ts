// What a row keeps, that something is done by later, and that no person proves: the process that writes it makes a MAC over it and over
// what it is of; who acts by it compares. One that has none, or another's, counts as not written. The one that a row had earlier
// passes, too: as itself, and nowhere else (docs/security.md).
import type { GrantUsed } from '../../contract/base/grant.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { canonicalJson } from './json.ts';

/** What each of them covers. */
interface ProvedRows {
  /** A task makes one call; the id of a call is of its tool and arguments. */
  'outcome of a held call': { task: string; call: string; outcome: object };
  'approved tool': { gate: string; tool: string; digest: string; by: string | null };
  /** Of a grant that has not ended: its end takes this away. */
  'counts of a grant': { grant: string; used: GrantUsed };
  'call under a grant': { grant: string; hold: string; isAsked: boolean; amount: number };
  /** A row that its workflow gave back has no artifacts, which the digest covers: `there` is the digest of what it has. */
  'restored question': { hold: string; digest: string; there: string };
  /** Who is signed in by it; how long it lasts without use is not of it. */
  session: OpenedSession;
  /** Null: no one. */
  'deputy of a person': { user: string; away: object | null };
  /** `publicKey`: as DER, base64; `cose`: the same as COSE, by which assertions are checked. */
  'passkey of a person': { user: string; id: string; publicKey: string; cose: string };
  /** `body`: its fingerprint. */
  'run as it came': Omit<KeptRun, 'body'> & { body: string };
}

/** A browser session, as an api opened it; the cookie's token is stored only as a hash. */
export interface OpenedSession {
  tokenHash: string;
  principal: Principal;
  /** Hash of the API key that opened it, so that removing the key ends it; null: identity provider. */
  keyHash: string | null;
  /** OIDC claim `sub`; null for a session opened with a key. */
  subject: string | null;
  /** OIDC claim `sid`: the identity provider's session; null if it sent none. */
  sid: string | null;
  /** Absolute expiry, ISO 8601, which use does not extend; null: only the idle expiry `expiresAt` applies. */
  endsBy: string | null;
}

/** A client's run, as it is kept until it is handed to Temporal, and its message until that is sent. */
interface KeptRun {
  agent: string;
  threadId: string;
  runId: string;
  principal: Principal;
  receivedAt: string;
  body: JsonObject;
  messageIds?: string[] | null;
  afterRun?: string | null;
  plan: object;
}

/** The keyed hashes of a process. */
export interface RowMacs {
  macOf(text: string): string;
  isMacOf(text: string, mac: string): boolean;
}

const textOf = <K extends keyof ProvedRows>(kind: K, row: ProvedRows[K]): string =>
  canonicalJson({ for: 'standfast row', kind, row });

/** That a process of Standfast wrote this. */
export const rowMac = <K extends keyof ProvedRows>(
  { macOf }: Pick<RowMacs, 'macOf'>,
  kind: K,
  row: ProvedRows[K],
): string => macOf(textOf(kind, row));

/** Whether a process of Standfast wrote this. */
export const isProvedRow = <K extends keyof ProvedRows>(
  { isMacOf }: Pick<RowMacs, 'isMacOf'>,
  kind: K,
  row: ProvedRows[K],
  mac: string | null,
): boolean => mac !== null && isMacOf(textOf(kind, row), mac);

const sessionOf = ({ tokenHash, principal, keyHash, subject, sid, endsBy }: OpenedSession): OpenedSession => ({
  tokenHash,
  principal,
  keyHash,
  subject,
  sid,
  endsBy,
});

/** That an api opened this session. */
export const sessionMac = (macs: Pick<RowMacs, 'macOf'>, session: OpenedSession): string =>
  rowMac(macs, 'session', sessionOf(session));

/** Whether an api opened this session, for whom its row names. */
export const isOpenedSession = (macs: Pick<RowMacs, 'isMacOf'>, row: OpenedSession & { mac: string }): boolean =>
  isProvedRow(macs, 'session', sessionOf(row), row.mac);

function runOf(run: KeptRun, body: string): ProvedRows['run as it came'] {
  const { agent, threadId, runId, principal, receivedAt, messageIds = null, afterRun = null, plan } = run;
  return { agent, threadId, runId, principal, receivedAt, body, messageIds, afterRun, plan };
}

interface RunChecks extends RowMacs {
  fingerprintOf(value: unknown): string;
}

/** That an api took this run. `body`: the fingerprint of its body, where that is known. */
export const runMac = (
  checks: Omit<RunChecks, 'isMacOf'>,
  run: KeptRun,
  body = checks.fingerprintOf(run.body),
): string => rowMac(checks, 'run as it came', runOf(run, body));

/** Whether an api took this run as its row has it. */
export const isRunAsItCame = (checks: Omit<RunChecks, 'macOf'>, run: KeptRun & { mac: string }): boolean =>
  isProvedRow(checks, 'run as it came', runOf(run, checks.fingerprintOf(run.body)), run.mac);
