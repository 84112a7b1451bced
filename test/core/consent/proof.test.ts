// What the writer of a database makes of rows whose answers were proved: never a receipt of anything that was not approved.
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Decision, DecisionProof, Vote } from '../../../src/contract/holds/decision.ts';
import type { ClosedHold } from '../../../src/contract/holds/hold.ts';
import type { Json } from '../../../src/contract/base/json.ts';
import { answerGiven, asSent, unprovedIn, whyUnproved } from '../../../src/core/consent/proof.ts';
import { receiptClaims, type ReceiptClaims } from '../../../src/core/consent/receipt.ts';
import { judgeAnswer } from '../../../src/core/answers/decision.ts';
import { askerOf } from '../../../src/core/base/asker.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { fingerprintOf } from '../../../src/host/secrets/hash.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aPrincipal, aQuestion, after, anAnswer } from '../../rigs/factories.ts';
import { aDigestedRow, aProvedDecision, aProvedVote, prover, testKey } from '../../rigs/proofs.ts';
import { fc } from '../../rigs/properties.ts';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const [fin, leg, sam] = [aPrincipal('fin', 'finance'), aPrincipal('leg', 'finance'), aPrincipal('sam', 'sales')];

type Ended = HoldRow & { status: 'decided' };

/** Approved by one or two of finance: 4210 to Miller in the first, another sum in each further one. */
function anApproved(n: number, quorum: number): Ended {
  const tool = { name: 'wire', callId: `c${n}`, args: { amount: 4210 + n, to: 'Miller' }, isEditable: false };
  const schema = { type: 'object', properties: { approved: { type: 'boolean' } } };
  const question = aQuestion({ kind: 'tool_call', decisionField: 'approved', schema, tool });
  const asked = aDigestedRow({ holdId: `h-${n}`, question, audience: ['role:finance'], owner: 'olga', agent: 'pay' });
  const row = { ...asked, plan: { ...asked.plan, quorum, receipt: { forMs: 600_000, version: 'sha256:v' } } };
  const given = [fin, leg].slice(0, quorum).map((by, nth) => ({ by, at: after(`${n + nth + 1}m`) }));
  const last = given.at(-1);
  if (last === undefined) throw new Error('somebody approves');
  const votes = quorum === 1 ? [] : given.map((one) => aProvedVote(row, one));
  const ended = { by: last.by.id, at: last.at, why: 'approved' as const };
  return asSent(prover.macOf, row.holdId, {
    ...row,
    status: 'decided',
    decision: aProvedDecision(row, last),
    votes,
    ended,
  });
}
const rows = [0, 1, 2, 3].map((n) => anApproved(n, 1 + (n % 2)));

function claimsOf(row: HoldRow, from: 'row' | 'workflow' = 'row'): ReceiptClaims | null {
  const closed = { ...row, status: row.status as ClosedHold['status'] };
  const of = { issuer: 'https://h.example', agent: askerOf(row), a2aTaskId: 'a1', hold: row, closed, from };
  return receiptClaims(of, sha256, prover);
}

type Path = (string | number)[];
const leaves = (value: unknown, at: Path = []): Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, one]) => leaves(one, [...at, Array.isArray(value) ? Number(key) : key]))
    : [at];
function changed<T>(value: T, [key, ...rest]: Path, to: unknown): T {
  if (key === undefined) return to as T;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>;
  copy[key] = changed(copy[key], rest, to);
  return copy as T;
}

const written = fc.oneof(
  fc.constantFrom<Json>(
    'fin',
    'leg',
    'ceo',
    'role:ceo',
    'owner',
    'page',
    'rest',
    'resolved',
    'decided',
    'people',
    1,
    2,
  ),
  fc.constantFrom<Json>(...rows.map(({ digest }) => digest), after('1m'), after('90d'), 'sha256:v', 'lax', true, null),
  fc.jsonValue() as fc.Arbitrary<Json>,
);

/** One of the rows, and what a writer of the database changes in it: leaves at random, and whole members of another row. */
const forgery = fc
  .constantFrom(...rows)
  .chain((row) =>
    fc.record({
      row: fc.constant(row),
      leaves: fc.array(fc.tuple(fc.constantFrom(...leaves(row)), written), { maxLength: 3 }),
      members: fc.array(
        fc.tuple(
          fc.constantFrom<keyof HoldRow>('decision', 'votes', 'digest', 'question', 'plan', 'ended', 'owner', 'agent'),
          fc.constantFrom(...rows),
        ),
        { maxLength: 2 },
      ),
      votes: fc.option(fc.array(fc.constantFrom(...rows.flatMap(({ votes }) => votes)), { maxLength: 3 }), {
        nil: null,
      }),
    }),
  )
  .map(({ row, leaves: some, members, votes }) => {
    const exchanged = members.reduce<HoldRow>((now, [name, from]) => ({ ...now, [name]: from[name] }), row);
    const voted = votes === null ? exchanged : { ...exchanged, votes };
    return some.reduce((now, [path, to]) => changed(now, path, to), voted);
  });

/** Safe: a row of any shape gives a receipt, or none, or cannot be read. */
function claimsOfAny(row: HoldRow): ReceiptClaims | null {
  try {
    return claimsOf(row);
  } catch {
    return null;
  }
}

const withoutTimes = ({ iat: _iat, exp: _exp, ...claims }: ReceiptClaims): object => claims;
const genuine = rows.map((row) => claimsOf(row));

describe('a writer of the database', () => {
  // Promise Y71
  test('a writer of the database makes no receipt by 1,000 changes of rows that were approved, but what was approved', () => {
    expect(genuine.every((claims) => claims !== null)).toBe(true);
    fc.assert(
      fc.property(forgery, (row) => {
        const claims = claimsOfAny(row);
        if (claims === null) return;
        const own = genuine.find((one) => one?.sub === claims.sub) ?? null;
        expect(own && withoutTimes(own)).toEqual(withoutTimes(claims));
        // A decision without a grace is sent within the minute in which it is taken.
        expect(claims.iat - (own?.iat ?? 0)).toBeLessThanOrEqual(60);
        expect(claims.exp - claims.iat).toBe(600);
      }),
      { numRuns: 1000 },
    );
  });

  // Promise Y71
  test('a writer of the database makes no receipt of an answer that another key proved, nor without a proof, 1,000 times', () => {
    const strangers = fc.string({ minLength: 32, maxLength: 64 }).filter((key) => key !== testKey);
    const given = fc.record({
      row: fc.constantFrom(...rows),
      key: strangers,
      mac: fc.constantFrom('own', 'none', 'odd'),
    });
    fc.assert(
      fc.property(given, fc.string(), ({ row, key, mac }, odd) => {
        const forge = <T extends Decision | Vote>(one: T): T => {
          const own = aProvedDecision(row, { by: { ...fin, id: one.by }, at: after('1m'), prover: createProver(key) });
          const { proof: _proof, ...rest } = one;
          if (mac === 'none' || own.proof === undefined) return rest as T;
          const proof: DecisionProof = mac === 'odd' ? { ...own.proof, mac: odd } : own.proof;
          return { ...one, proof };
        };
        const { decision, votes } = row;
        const forged = { ...row, decision: decision && forge(decision), votes: votes.map(forge) };
        expect(claimsOf(forged)).toBeNull();
      }),
      { numRuns: 1000 },
    );
  });
});

describe('an approval that was taken back', () => {
  const [row] = rows as [Ended];
  const faultsOf = (of: HoldRow): string[] => unprovedIn(prover, of);

  // Promise Y77
  test('an approval that was taken back, or waits for its grace, gives no receipt where a row is closed with it', () => {
    const { decision, ended } = row;
    const waiting = aProvedDecision(row, { by: fin, at: after('1m') });
    expect(claimsOf({ ...row, decision: waiting })).toBeNull();
    expect(faultsOf({ ...row, decision: waiting })).toEqual([expect.stringContaining('was not sent')]);
    // With the end of another question, of another time, or of the votes of others.
    const [other] = rows.slice(2) as [Ended];
    const { sent } = other.decision ?? {};
    expect(claimsOf({ ...row, decision: { ...waiting, ...(sent !== undefined && { sent }) } })).toBeNull();
    expect(claimsOf({ ...row, decision, ended: ended && { ...ended, at: after('2m') } })).toBeNull();
    expect(claimsOf(row)).not.toBeNull();
    expect(faultsOf(row)).toEqual([]);
  });

  // Promise Y75
  test('an approval without a proof is named where no worker ended its question with it, whatever tool or clock it names', () => {
    for (const source of ['signal', 'clock', 'chat'] as const) {
      const { proof: _proof, ...decision } = aProvedDecision(row, { by: fin, at: after('1m'), source });
      const asked = {
        ...row,
        question: { ...row.question, kind: source === 'chat' ? 'text' : row.question.kind },
      } as Ended;
      const recorded = asSent(prover.macOf, row.holdId, {
        ...asked,
        decision: { ...decision, by: 'operator:temporal' },
      });
      expect(faultsOf(recorded)).toEqual([]);
      expect(claimsOf(recorded)).toBeNull();
      for (const change of [
        { by: 'fin' },
        { values: { approved: false } },
        { at: after('9m') },
        { source: 'clock' as const },
      ]) {
        const forged = { ...recorded, decision: recorded.decision && { ...recorded.decision, ...change } };
        const isSame = source === 'clock' && 'source' in change;
        // Words in a conversation have a proof where they are a person's.
        const isPersons = source === 'chat' && 'by' in change;
        const unproved = isPersons ? [expect.stringContaining('it has no proof')] : [];
        expect([source, change, faultsOf(forged)]).toEqual([
          source,
          change,
          isSame ? [] : [...unproved, expect.stringContaining('was not sent')],
        ]);
      }
      // Words may be erased, and no others made up in their place.
      const erased = recorded.decision && { ...recorded.decision, values: {}, reason: null };
      expect(faultsOf({ ...recorded, decision: erased })).toEqual([]);
      for (const change of [{ by: 'fin' }, { status: 'cancelled' as const }]) {
        const forged = { ...recorded, decision: erased && { ...erased, ...change } };
        expect(faultsOf(forged)).toContainEqual(expect.stringContaining('was not sent'));
      }
      expect(faultsOf({ ...recorded, decision })).toContainEqual(expect.stringContaining('was not sent'));
    }
  });

  // Promise Y78
  test('an approval that was taken back gives no receipt, whatever state a task is put back to', () => {
    const [vote] = (rows[1] as Ended).votes;
    const one = { ...row, takenBack: [row.decision?.proof?.mac ?? ''] };
    const two = { ...(rows[1] as Ended), takenBack: [vote?.proof?.mac ?? ''] };
    for (const from of ['row', 'workflow'] as const) for (const of of [one, two]) expect(claimsOf(of, from)).toBeNull();
    expect(faultsOf(one)).toEqual([expect.stringContaining('it was taken back')]);
  });
});

describe('the proof of an answer', () => {
  const [row] = rows as [Ended];
  const whyOf = (decision: Decision, of: HoldRow = row): string | null => whyUnproved(prover, of, decision);

  // Promise Y72
  test('the proof of an answer fits no other question, author, answer, source, credential or policy', () => {
    const decision = aProvedDecision(row, { by: { ...fin, credential: 'key:1' }, at: after('1m') });
    expect(whyOf(decision)).toBeNull();
    const others: Partial<Decision>[] = [
      { by: 'leg' },
      { source: 'rest' },
      { credential: 'key:2' },
      { actor: 'shop' },
      { status: 'cancelled' },
      { seenDigest: null },
      { values: { approved: true, editedArgs: { amount: 1 } } },
      { as: ['role:ceo'] },
      { as: ['owner'] },
    ];
    for (const other of others) expect([other, whyOf({ ...decision, ...other })]).toEqual([other, expect.any(String)]);
    expect(whyOf(decision, { ...row, holdId: 'h-9' })).toContain('another answer, author or question');
    expect(whyOf(decision, { ...row, digest: 'sha256:9' })).toContain('another question');
    expect(whyOf(decision, { ...row, plan: { ...row.plan, quorum: 2 } })).toContain('another policy');
  });

  // Promise Y72
  test('the proof of an answer lets its author be the owner, or whom they stand in for, where they are', () => {
    const asked = { ...row, audience: ['owner', 'user:anna'], owner: 'sam' };
    expect(whyOf(aProvedDecision(asked, { by: sam, at: after('1m') }), asked)).toBeNull();
    const deputy = { ...leg, alsoFor: ['user:anna'] };
    expect(whyOf(aProvedDecision(asked, { by: deputy, at: after('1m') }), asked)).toBeNull();
    const { proof, ...decision } = aProvedDecision(asked, { by: leg, at: after('1m') });
    expect(whyOf({ ...decision, ...(proof && { proof }), as: ['user:anna'] }, asked)).toContain('user:anna');
  });

  // Promise Y72
  test('the proof of an answer by an earlier key counts while that key is among the old ones', () => {
    const decision = aProvedDecision(row, { by: fin, at: after('1m') });
    const next = 'the next key of at least thirty-two characters';
    expect(whyUnproved(createProver(next, [testKey]), row, decision)).toBeNull();
    expect(whyUnproved(createProver(next), row, decision)).not.toBeNull();
  });

  // Promise Y73
  test('the proof of an answer is refused by the workflow where the question, or what its policy promises, is not as it was read', () => {
    const { plan, digest } = row;
    const decision = aProvedDecision(row, { by: fin, at: after('1m') });
    const given = { status: 'resolved' as const, values: { approved: true }, reason: null };
    const answer = { ...anAnswer(row), ...given, digest: null, fingerprint: fingerprintOf(answerGiven(given)) };
    const entry = { ...answer, ...(decision.proof && { proof: decision.proof }) };
    const who = { principal: fin, receivedAt: after('1m') };
    const judge = (change: Partial<HoldRow>) =>
      judgeAnswer({ ...row, status: 'open', decision: null, ...change }, entry, who, 'olga', after('1m'));
    expect(judge({})).toMatchObject({ ok: true, kind: 'fresh' });
    expect(judge({ digest: `${digest}0` })).toMatchObject({ ok: false, code: 'digest_mismatch' });
    for (const other of [{ policy: 'lax' }, { quorum: 2 }, { receipt: { forMs: 1, version: 'sha256:v' } }])
      expect(judge({ plan: { ...plan, ...other } })).toMatchObject({ ok: false, code: 'digest_mismatch' });
  });
});
