// Contents of evidence records: who did what under which policy, with hashes in place of people's text.
import type { Granter, GrantRow, ProvenGrant } from '../../contract/base/grant.ts';
import type { HoldId } from '../../contract/base/id-types.ts';
import { createHash } from 'node:crypto';
import type { DeadlineExtension, Reapplied } from '../../contract/configuration/policy.ts';
import type { Decision, Outgoing, Undone, Vote } from '../../contract/holds/decision.ts';
import type { Json } from '../../contract/base/json.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import type { HoldMove } from '../../contract/holds/hold.ts';
import { argsDigestOf } from '../../core/consent/whole.ts';
import { canonicalJson } from '../../core/base/json.ts';
import type { EngramWrite } from '../../contract/views/engram.ts';
import type { ConfiguredWith } from '../ports/evidence.ts';
import type { EngramAuthor, EngramRun } from '../ports/engram.ts';
import type { PasskeyEvent } from '../ports/personal.ts';
import type { QuestionEvent } from '../ports/upkeep.ts';
import type { HoldRow } from '../store.ts';
import { momentText } from './moment.ts';

/** A record to be appended at the end of its transaction. */
export interface EvidenceEntry {
  /** Null for a record about the chain itself, or about an agent's records. */
  holdId: HoldId | null;
  /** Canonical JSON. */
  record: string;
  /** For metrics; missing for a record about the chain itself. */
  event?: QuestionEvent;
  /** Hash of the hold's row before the change; null if there was none, missing where the row is new. */
  rowBefore?: string | null;
}

type EvidenceKind =
  | 'opened'
  | 'vote'
  | 'vote-withdrawn'
  | 'staged'
  | 'undone'
  | 'reassigned'
  | 'extended'
  | 'reapplied'
  | 'reminded'
  | 'escalated'
  | 'changed'
  | 'decided'
  | 'expired'
  | 'ended'
  | 'erased'
  | 'removed'
  | 'engram'
  | 'undecided'
  | 'deputy'
  | 'passkey'
  | 'granted'
  | 'grant-ended'
  | 'rebuilt'
  | 'configured'
  | 'altered'
  | 'signed';

const contentHashOf = (value: unknown): string =>
  `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;

/** Builds a record from the hold's row after the change. */
export function holdEntry(kind: EvidenceKind, row: HoldRow, details: object): EvidenceEntry {
  const { tool } = row.question;
  const record = {
    kind,
    hold: row.holdId,
    task: row.taskId,
    agent: row.agent,
    thread: row.threadId,
    requester: row.owner,
    audience: row.audience,
    policy: row.plan.policy,
    tool: tool === null ? null : { name: tool.name, argsHash: argsDigestOf(row.question) ?? contentHashOf(tool.args) },
    digest: row.digest,
    ...details,
  };
  const { openedAt, decision, plan } = row;
  return {
    holdId: row.holdId,
    record: canonicalJson(record),
    event: { kind, policy: plan.policy, openedAt, at: decision?.at ?? null, dueAt: dueAtOf(kind, row) },
  };
}

/** The deadline that ended it so: what the clock decides it decides then. */
const dueAtOf = (kind: EvidenceKind, { expiresAt, decision }: HoldRow): string | null =>
  kind === 'expired' || (kind === 'decided' && decision?.source === 'clock') ? expiresAt : null;

/** How its answers are signed: a record of one without a signature proves itself wrong. */
const signOf = ({ plan: { sign } }: HoldRow): object => (sign === undefined ? {} : { sign });

/** How many of each group must agree. */
const stagesOf = ({ plan: { stages } }: HoldRow): object =>
  stages === undefined ? {} : { stages: stages.list.map(({ name, quorum }) => ({ name, quorum })) };

export const openedEntry = (row: HoldRow): EvidenceEntry =>
  holdEntry('opened', row, {
    at: row.openedAt,
    expiresAt: row.expiresAt,
    quorum: row.plan.quorum,
    ...stagesOf(row),
    ...signOf(row),
    exclude: row.plan.exclude,
    supersedes: row.supersedes,
    artifacts: (row.artifacts ?? []).map(({ digest }) => digest),
  });

/** Builds the record of a closed hold, with its decision or the reason of its end. */
export function closedEntry(row: HoldRow): EvidenceEntry {
  const { status, decision, ended, votes } = row;
  const kind = status === 'expired' ? 'expired' : decision === null ? 'ended' : 'decided';
  return holdEntry(kind, row, {
    status,
    ...signOf(row),
    at: decision?.at ?? ended?.at ?? row.updatedAt,
    decision: decision === null ? null : decisionRecord(decision),
    ended,
    votes: votes.map(voteRecord),
  });
}

/** What an amendment found. */
interface Before {
  votes: Vote[];
  extensions?: DeadlineExtension[] | undefined;
  reapplied?: Reapplied[] | undefined;
  outgoing: Outgoing | null;
}

interface Amendment {
  moved?: HoldMove | undefined;
  undone?: Undone | undefined;
}

/**
 * Builds the records of an amendment: votes added and withdrawn, a decision that waits or was taken back, a
 * reassignment, a later deadline, another plan, else `changed`.
 */
export function amendedEntries(
  row: HoldRow,
  { votes: before, extensions = [], reapplied = [], outgoing: waiting }: Before,
  { moved, undone }: Amendment,
): EvidenceEntry[] {
  const has = (votes: Vote[], vote: Vote): boolean => votes.some(({ by, at }) => by === vote.by && at === vote.at);
  const entries = [
    ...row.votes.filter((vote) => !has(before, vote)).map((vote) => holdEntry('vote', row, voteRecord(vote))),
    ...before
      .filter((vote) => !row.votes.some(({ by }) => by === vote.by))
      .map(({ by, source }) => holdEntry('vote-withdrawn', row, { by, source, at: row.updatedAt })),
    ...graceEntries(row, waiting, undone),
    ...(moved === undefined ? [] : [holdEntry('reassigned', row, notedRecord(moved))]),
    // A retry of the activity writes the same plan.
    ...(row.plan.extensions ?? [])
      .filter(({ at, until }) => !extensions.some((one) => one.at === at && one.until === until))
      .map((extension) => holdEntry('extended', row, notedRecord(extension))),
    ...(row.plan.reapplied ?? [])
      .filter(({ at, by }) => !reapplied.some((one) => one.at === at && one.by === by))
      .map((entry) => holdEntry('reapplied', row, reappliedRecord(row, entry))),
  ];
  return entries.length > 0 ? entries : [holdEntry('changed', row, { at: row.updatedAt })];
}

/** What the question is under since then, as its opening says it. */
const reappliedRecord = (row: HoldRow, entry: Reapplied): object => ({
  ...entry,
  expiresAt: row.expiresAt,
  quorum: row.plan.quorum,
  ...stagesOf(row),
  ...signOf(row),
  exclude: row.plan.exclude,
});

/** A retry of the activity finds what it wrote, so nothing differs. */
function graceEntries(row: HoldRow, before: Outgoing | null, undone: Undone | undefined): EvidenceEntry[] {
  const after = row.outgoing ?? null;
  const isSame = before?.fingerprint === after?.fingerprint && before?.at === after?.at;
  if (isSame) return [];
  const entries: EvidenceEntry[] = [];
  if (before !== null) {
    const { by: decidedBy } = before.decision;
    const who = undone ?? { by: null, at: row.updatedAt, credential: null, actor: null };
    entries.push(
      holdEntry('undone', row, { ...who, decidedBy, answerHash: decisionRecord(before.decision).answerHash }),
    );
  }
  if (after !== null) {
    const given = decisionRecord(after.decision);
    entries.push(holdEntry('staged', row, { ...given, sendAt: after.at, votes: row.votes.map(voteRecord) }));
  }
  return entries;
}

/** Builds the record of a ladder step, or `changed` if the step was recorded before. */
export function stepEntry(row: HoldRow, done: HoldRow['stepsDone'][number] | undefined): EvidenceEntry {
  if (done === undefined) return holdEntry('changed', row, { at: row.updatedAt });
  const { at, to } = done;
  return holdEntry(done.do === 'escalate' ? 'escalated' : 'reminded', row, { at, to, by: `policy:${row.plan.policy}` });
}

/** Builds the record of a write to an agent's records. */
/** A result of a tool that has to be asked about, whose call was not decided here. */
export function undecidedEntry(
  { taskId, agent, threadId, owner }: TaskRef,
  { callId, tool }: { callId: string; tool: string },
): EvidenceEntry {
  const kind: EvidenceKind = 'undecided';
  const record = { kind, task: taskId, agent, thread: threadId, requester: owner, tool, call: callId };
  return { holdId: null, record: canonicalJson(record) };
}

export function engramEntry(
  { agent, threadId, runId, principal }: EngramRun,
  write: EngramWrite,
  by: EngramAuthor,
): EvidenceEntry {
  const { key, result, version } = write;
  const changeHash = contentHashOf(by.change);
  const kind: EvidenceKind = 'engram';
  const record = {
    kind,
    agent,
    thread: threadId,
    run: runId,
    by: principal,
    credential: by.credential,
    key,
    result,
    version,
    changeHash,
  };
  return { holdId: null, record: canonicalJson(record) };
}

function decisionRecord({
  values,
  reason,
  source,
  ...given
}: Decision): object & { answerHash: string; source: string } {
  const answerHash = contentHashOf({ status: given.status, values, reason });
  // The record alone shows that no person gave this answer.
  const assumed = source === 'clock' ? { assumed: true } : {};
  return { ...given, source, ...assumed, answerHash };
}

function voteRecord({ values, reason, source, ...given }: Vote): object {
  return { ...given, source, answerHash: contentHashOf({ status: 'resolved', values, reason }) };
}

function notedRecord({ note, ...change }: HoldMove | DeadlineExtension): object {
  return { ...change, noteHash: note === null ? null : contentHashOf(note) };
}

/** Builds the record of a row that was changed by something other than Standfast since its last record. */
export const alteredEntry = (
  holdId: HoldId,
  hashes: { recorded: string | null; found: string | null },
): EvidenceEntry => ({
  holdId,
  record: canonicalJson({ kind: 'altered', hold: holdId, at: momentText(), ...hashes }),
});

/** Records whom a person lets decide in their stead, and when; `away` null: no deputy. */
export function deputyEntry(user: string, away: Json, given: { by: string; credential: string | null }): EvidenceEntry {
  const kind: EvidenceKind = 'deputy';
  const at = momentText();
  return { holdId: null, record: canonicalJson({ kind, at, user, away, ...given }) };
}

/** Records what became of a person's passkey: its public key is what their signed answers are checked with. */
export function passkeyEntry({ event, ...given }: PasskeyEvent): EvidenceEntry {
  const kind: EvidenceKind = 'passkey';
  return { holdId: null, record: canonicalJson({ kind, event, at: momentText(), ...given }) };
}

/** Records that a person gave a standing grant: what it is for is in a hash, as it may be words of people's. */
export function grantedEntry({ id, hold, terms }: Omit<ProvenGrant, 'given'>, given: Granter): EvidenceEntry {
  const kind: EvidenceKind = 'granted';
  const { agent, tool, policy, times, until, need } = terms;
  const { mac: _mac, ...who } = given;
  const what = { agent, policy, tool, times, until, need, termsHash: contentHashOf(terms) };
  return { holdId: null, record: canonicalJson({ kind, grant: id, of: hold, ...what, ...who }) };
}

export function grantEndedEntry(grant: string, ended: NonNullable<GrantRow['ended']>): EvidenceEntry {
  const kind: EvidenceKind = 'grant-ended';
  return { holdId: null, record: canonicalJson({ kind, grant, ...ended }) };
}

/** Records that rows were made again from Temporal and the agents: the records before this one are of what came back. */
export function rebuiltEntry(given: { by: string; tasks: number; questions: number; failed: number }): EvidenceEntry {
  const kind: EvidenceKind = 'rebuilt';
  return { holdId: null, record: canonicalJson({ kind, at: momentText(), ...given }) };
}

/** Records which configuration a process took, and which of its sections are not as in the record before. */
export function configuredEntry({ at: when, ...given }: ConfiguredWith, changed: string[]): EvidenceEntry {
  const kind: EvidenceKind = 'configured';
  return { holdId: null, record: canonicalJson({ kind, at: momentText(), when, ...given, changed }) };
}
