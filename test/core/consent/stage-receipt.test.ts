import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Vote } from '../../../src/contract/holds/decision.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { receiptClaims, type ReceiptClaims } from '../../../src/core/consent/receipt.ts';
import { atStage, stagesLine, shownStages } from '../../../src/core/consent/stage.ts';
import { aDigestedRow, aProvedDecision, aProvedVote, prover } from '../../rigs/proofs.ts';
import { aHold, aPrincipal, aQuestion, after } from '../../rigs/factories.ts';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const question = aQuestion({
  kind: 'confirmation',
  schema: { type: 'object', properties: { approved: { type: 'boolean' } } },
  decisionField: 'approved',
});
const stages = [
  { name: 'team', audience: ['role:dev'], quorum: 2, ladder: [] },
  { name: 'lead', audience: ['role:lead'], quorum: 1, ladder: [] },
];
const yes = { values: { approved: true } };
const [anna, bob, lea] = [aPrincipal('anna', 'dev'), aPrincipal('bob', 'dev'), aPrincipal('lea', 'lead')];

const { audience, plan: planned } = aHold({ question, policy: { stages } });
const bare = aDigestedRow({ question, audience, plan: planned });
const opened: HoldRow = { ...bare, plan: { ...bare.plan, receipt: { forMs: 600_000, version: 'sha256:v' } } };
const voted = (row: HoldRow, by: typeof anna): HoldRow =>
  atStage({ ...row, votes: [...row.votes, aProvedVote(row, { by, at: after('2m'), entry: yes })] }, after('2m'));
const team = voted(voted(opened, anna), bob);
const decision = aProvedDecision(team, { by: lea, at: after('3m'), entry: yes });
const { status: _status, digest: _digest, ...given } = decision;
const votes: Vote[] = [...team.votes, { ...given, fingerprint: decision.proof?.answer ?? '' }];

function claimsOf(row: HoldRow, some: Vote[] = votes): ReceiptClaims | null {
  const ended = { by: 'lea', at: after('3m'), why: 'approved' as const };
  const last = some.at(-1);
  const closed = { status: 'decided' as const, votes: some, decision: { ...decision, ...last }, ended };
  const of = { issuer: 'https://h.example', agent: 'a2a:pay', a2aTaskId: null, hold: row, closed } as const;
  return receiptClaims({ ...of, from: 'workflow' }, sha256, prover);
}

describe('the receipt of an approval by several groups', () => {
  // Promise Y70
  test('the receipt of an approval by several groups names who of each agreed', () => {
    expect(claimsOf(team)).toMatchObject({
      quorum: 3,
      by: [{ id: 'anna' }, { id: 'bob' }, { id: 'lea', as: ['role:lead'] }],
      stages: [
        { name: 'team', quorum: 2, by: ['anna', 'bob'] },
        { name: 'lead', quorum: 1, by: ['lea'] },
      ],
    });
    const line = stagesLine('sequential', shownStages({ ...team, votes }));
    expect(line).toBe('team 2 of 2 (anna, bob) → lead 1 of 1 (lea)');
  });

  // Promise Y70
  test('the receipt of an approval by several groups comes not if an answer is counted in another group, or one lacks', () => {
    const { plan } = team;
    const withList = (list: typeof stages): HoldRow => ({
      ...team,
      plan: {
        ...plan,
        stages: {
          order: 'sequential',
          at: 1,
          sameAgain: false,
          list: list.map((one) => ({ ...one, notify: [] })),
        },
      },
    });
    expect(claimsOf(withList(stages))).not.toBeNull();
    expect(claimsOf(withList(stages.map((one) => ({ ...one, quorum: 1 }))))).toBeNull();
    expect(claimsOf(withList(stages.toReversed()))).toBeNull();
    expect(claimsOf(team, votes.slice(1))).toBeNull();
    expect(claimsOf(team, votes.with(2, { ...(votes[2] as Vote), stages: [0] }))).toBeNull();
  });
});
