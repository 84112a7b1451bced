// Rows as the store keeps them, whole and plausible; also for programs that no test runner runs.
import { randomUUID } from 'node:crypto';
import { holdDigest } from '../../src/core/consent/question-digest.ts';
import { plainFields } from '../../src/core/questions/plain-fields.ts';
import { fingerprintOf } from '../../src/host/secrets/hash.ts';
import type { ClosedHold } from '../../src/contract/holds/hold.ts';
import type { JsonObject } from '../../src/contract/base/json.ts';
import type { LadderPlan } from '../../src/contract/configuration/policy.ts';
import type { HoldRow, RunRow } from '../../src/store/store.ts';
import { aHoldRow } from '../rigs/factories.ts';

// Parsed, since the linter takes an object with `then` for a promise.
const aPlan = JSON.parse(
  '{"policy":"default","steps":[],"expiresAt":null,"then":"fail","exclude":[],"defaults":null,"quorum":1,"clock":"wall","danger":false,"notify":[]}',
) as LadderPlan;

/** A hold whose digest is that of its question, unless it is given. */
export const aHold = (over: Partial<HoldRow> = {}): HoldRow => {
  const row = withDigest(aRow(over));
  return { ...row, digest: over.digest ?? row.digest };
};

/** The row with the digest of its question: with another one it counts as altered. */
export const withDigest = (row: HoldRow): HoldRow => {
  const asked = { ...row, requester: row.owner, artifacts: row.artifacts ?? [] };
  return { ...row, digest: holdDigest(fingerprintOf, asked) };
};

const aRow = (over: Partial<HoldRow>): HoldRow =>
  aHoldRow({
    holdId: randomUUID(),
    interruptId: 'hitl-a-1',
    question: {
      ...plainFields(),
      dialect: 'a2a.hitl.form',
      kind: 'form',
      formId: 'f',
      title: 'Which cost centre?',
      hasOwnTitle: true,
      message: 'Please say.',
      schema: { type: 'object' },
    },
    digest: 'sha256:00',
    audience: ['role:finance'],
    plan: aPlan,
    nextStep: { at: '2030-01-01T00:00:00.000Z', do: 'expire', to: [] },
    openedAt: '2029-01-01T00:00:00.000Z',
    expiresAt: '2030-01-01T00:00:00.000Z',
    taskId: randomUUID(),
    agent: 'expenses',
    threadId: randomUUID(),
    owner: 'user:bob',
    openedInRun: 'r1',
    card: { stage: 'awaiting_input' },
    updatedAt: '2029-01-01T00:00:00.000Z',
    outgoing: null,
    ...over,
  });

/** The end of a hold that this person (or policy) decided. */
export const decidedBy = (by: string, at = '2029-01-01T01:00:00.000Z', values: JsonObject = { centre: 'a\0b' }) =>
  ({
    status: 'decided',
    decision: {
      by,
      at,
      status: 'resolved',
      values,
      reason: null,
      source: 'page',
      seenDigest: null,
      credential: null,
      actor: null,
      digest: 'sha256:00',
    },
    answerFingerprint: by,
    votes: [],
    supersededBy: null,
    ended: { by, at, why: 'approved' },
  }) satisfies Omit<ClosedHold, 'holdId'>;

/** A run that is going on, with one event. */
export const aRun: RunRow = {
  logId: 7,
  agent: 'a',
  threadId: 't',
  runId: 'r',
  taskId: 'k',
  fingerprint: 'f',
  opener: 'client',
  isControl: false,
  status: 'open',
  lastSeq: 1,
  startedAt: '2026-11-28T10:00:00.000Z',
  endedAt: null,
  outcome: null,
};
