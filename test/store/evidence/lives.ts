// Questions with a life each, for tests of what the chain tells of them.
import { randomUUID } from 'node:crypto';
import type { Vote } from '../../../src/contract/holds/decision.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { provedAgain } from '../../rigs/proofs.ts';
import { aHold, decidedBy } from '../rows.ts';

const at = (minute: number): string => new Date(Date.UTC(2029, 0, 1, 1, minute)).toISOString();

export const aVote = (by: string, minute = 1): Vote => ({
  by,
  at: at(minute),
  // As `decidedBy` has it: votes agree.
  values: { centre: 'a\0b' },
  reason: null,
  fingerprint: `sha256:${by}`,
  source: 'page',
  seenDigest: null,
  credential: 'session:1',
  actor: null,
});

/** Opened, voted on, passed on, reminded of, escalated, and decided: one question that went through everything. */
export async function liveThrough(store: Pick<Store, 'holds' | 'tx'>, over: Partial<HoldRow> = {}): Promise<string> {
  const holdId = over.holdId ?? randomUUID();
  const artifacts = [{ id: 'a1', name: 'report', digest: 'sha256:11' }];
  const row = aHold({ ...over, holdId, artifacts });
  await store.holds.putOnce([row]);
  const decided = provedAgain(row, { holdId, ...decidedBy('bea', at(5)), votes: [aVote('ann'), aVote('bea', 5)] });
  await store.holds.amend(holdId, { votes: decided.votes.slice(0, 1) });
  const moved = { at: at(2), by: 'ann', to: ['role:lead'], note: 'not mine', credential: null };
  await store.holds.amend(holdId, { audience: ['role:lead'], moved });
  const step = { audience: ['role:lead'], nextStep: null };
  await store.holds.step(holdId, { ...step, stepsTaken: 1, done: { at: at(3), do: 'remind', to: ['role:lead'] } });
  await store.holds.step(holdId, { ...step, stepsTaken: 2, done: { at: at(4), do: 'escalate', to: ['role:boss'] } });
  const { holdId: _own, ...end } = decided;
  await store.holds.close(holdId, end);
  return holdId;
}

/** Opened, and left open; or withdrawn, or expired. */
export async function liveShortly(store: Pick<Store, 'holds'>, end?: 'withdrawn' | 'expired'): Promise<string> {
  const holdId = randomUUID();
  await store.holds.putOnce([aHold({ holdId })]);
  if (end === undefined) return holdId;
  const ended = { by: end === 'expired' ? 'policy:default' : 'agent:expenses', at: at(9), why: end };
  const none = { decision: null, answerFingerprint: null, votes: [], supersededBy: null };
  await store.holds.close(holdId, { ...none, status: end, ended });
  return holdId;
}
