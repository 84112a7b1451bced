// Contents of evidence records: who did what under which policy, with hashes in place of people's text.
import { createHash } from 'node:crypto';
import type { Decision, Vote } from '../../contract/holds/decision.ts';
import type { HoldMove } from '../../contract/holds/hold.ts';
import { canonicalJson } from '../../core/base/json.ts';
import type { HoldRow } from '../store.ts';

/** A record to be appended at the end of its transaction. */
export interface EvidenceEntry {
  /** Null for a record about the chain itself. */
  holdId: string | null;
  /** Canonical JSON. */
  record: string;
}

type EvidenceKind =
  | 'opened'
  | 'vote'
  | 'vote-withdrawn'
  | 'reassigned'
  | 'reminded'
  | 'escalated'
  | 'changed'
  | 'decided'
  | 'expired'
  | 'ended'
  | 'erased'
  | 'removed'
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
    tool: tool === null ? null : { name: tool.name, argsHash: contentHashOf(tool.args) },
    digest: row.digest,
    ...details,
  };
  return { holdId: row.holdId, record: canonicalJson(record) };
}

export const openedEntry = (row: HoldRow): EvidenceEntry =>
  holdEntry('opened', row, {
    at: row.openedAt,
    expiresAt: row.expiresAt,
    quorum: row.plan.quorum,
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
    at: decision?.at ?? ended?.at ?? row.updatedAt,
    decision: decision === null ? null : decisionRecord(decision),
    ended,
    votes: votes.map(voteRecord),
  });
}

/** Builds the records of an amendment: votes added and withdrawn, a reassignment, else `changed`. */
export function amendedEntries(row: HoldRow, before: Vote[], moved: HoldMove | undefined): EvidenceEntry[] {
  const has = (votes: Vote[], vote: Vote): boolean => votes.some(({ by, at }) => by === vote.by && at === vote.at);
  const entries = [
    ...row.votes.filter((vote) => !has(before, vote)).map((vote) => holdEntry('vote', row, voteRecord(vote))),
    ...before
      .filter((vote) => !row.votes.some(({ by }) => by === vote.by))
      .map(({ by, source }) => holdEntry('vote-withdrawn', row, { by, door: source, at: row.updatedAt })),
    ...(moved === undefined ? [] : [holdEntry('reassigned', row, movedRecord(moved))]),
  ];
  return entries.length > 0 ? entries : [holdEntry('changed', row, { at: row.updatedAt })];
}

/** Builds the record of a ladder step, or `changed` if the step was recorded before. */
export function stepEntry(row: HoldRow, done: HoldRow['stepsDone'][number] | undefined): EvidenceEntry {
  if (done === undefined) return holdEntry('changed', row, { at: row.updatedAt });
  const { at, to } = done;
  return holdEntry(done.do === 'escalate' ? 'escalated' : 'reminded', row, { at, to, by: `policy:${row.plan.policy}` });
}

function decisionRecord({ values, reason, source, ...given }: Decision): object {
  return { ...given, door: source, answerHash: contentHashOf({ status: given.status, values, reason }) };
}

function voteRecord({ values, reason, source, ...given }: Vote): object {
  return { ...given, door: source, answerHash: contentHashOf({ values, reason }) };
}

function movedRecord({ note, ...move }: HoldMove): object {
  return { ...move, noteHash: note === null ? null : contentHashOf(note) };
}
