import { describe, expect, test } from '@jest/globals';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { Decision, Vote } from '../../../src/contract/holds/decision.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { canonicalJson } from '../../../src/core/base/json.ts';
import { agreementKey, votersOf } from '../../../src/core/consent/agreement.ts';
import { whyUnproved } from '../../../src/core/consent/proof.ts';
import { allUsers } from '../../../src/core/policy/delegates.ts';
import { endWords } from '../../../src/core/questions/shown-question.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { TaskState } from '../../../src/core/task/task-state.ts';
import { fc, runs } from '../../rigs/properties.ts';
import { aDigestedRow, aProvedDecision, prover } from '../../rigs/proofs.ts';
import { aDecideCommand, after, aHold, anAnswer, aPrincipal, aQuestion, aTask } from '../../rigs/factories.ts';

const dora: Principal = { ...aPrincipal('dora'), alsoFor: ['user:anna'] };

function decided(audience: string[], who: Principal): Decision {
  const hold = aHold({ policy: { audience } });
  const command = aDecideCommand(anAnswer(hold), { principal: who, receivedAt: after('2m') });
  const { reply } = reduce(aTask({ phase: 'holding', holds: [hold] }), { type: 'decide', command }, after('2m'));
  if (!reply.ok || !('decide' in reply) || reply.decide?.decision == null) throw new Error('it was not decided');
  return reply.decide.decision;
}

// Promise Y67
describe('an answer by a deputy', () => {
  test('an answer by a deputy says in whose stead it was given, and that of who is asked in their own right does not', () => {
    expect(decided(['user:anna'], dora)).toMatchObject({ by: 'dora', as: ['user:anna'], inPlaceOf: ['anna'] });
    const olgas = { ...dora, alsoFor: ['user:olga'] };
    expect(decided(['owner'], olgas)).toMatchObject({ by: 'dora', as: ['owner'], inPlaceOf: ['olga'] });
    expect(decided(['user:anna', 'user:dora'], dora)).not.toHaveProperty('inPlaceOf');
    expect(decided(['user:anna'], aPrincipal('anna'))).not.toHaveProperty('inPlaceOf');
  });

  test('an answer by a deputy is called so in messages', () => {
    const decision = decided(['user:anna'], dora);
    const ended = { by: 'dora', at: decision.at, why: 'answered' as const };
    const users = ConfigSchema.parse({ users: { anna: { name: 'Anna Arnold' } } }).users;
    const words = endWords(users, { ...aHold(), status: 'decided', decision, ended });
    expect(words).toContain('by dora in place of Anna Arnold,');
  });

  test('an answer by a deputy is not proved where it says another than its author stood in for', () => {
    const row = aDigestedRow({ audience: ['user:anna'] });
    const decision = aProvedDecision(row, { by: dora, at: after('1m') });
    expect(decision.inPlaceOf).toEqual(['anna']);
    expect(whyUnproved(prover, row, decision)).toBeNull();
    const { inPlaceOf: _left, ...without } = decision;
    for (const altered of [without, { ...decision, inPlaceOf: ['ben'] }])
      expect(whyUnproved(prover, row, altered)).toContain('in the stead of others');
  });
});

// Promise Y61, Y62, Y65, Y66
test('a decision by random votes of people, deputies and users who are removed has as many persons behind it as its policy wants, who say the same', () => {
  const names = ['anna', 'ben', 'carl', 'dora', 'olga'];
  const name = fc.constantFrom(...names);
  const schema = { type: 'object', properties: { approved: { type: 'boolean' }, amount: { type: 'number' } } };
  const tool = { callId: 'call-1', name: 'pay', args: { amount: 900 }, isEditable: false };
  const question = aQuestion({ kind: 'tool_call', schema, tool, defaults: {} });
  const given = fc.record({
    roles: fc.dictionary(name, fc.subarray(['finance', 'lead']), { noNullPrototype: true }),
    deputies: fc.dictionary(name, name, { noNullPrototype: true }),
    audience: fc.uniqueArray(
      fc.constantFrom('role:finance', 'role:lead', 'owner', 'user:anna', 'user:ben', 'user:carl'),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    exclude: fc.constantFrom<'requester'[][]>([], ['requester']),
    noDeputies: fc.boolean(),
    quorum: fc.constantFrom(2, 3),
    moves: fc.array(
      fc.oneof(fc.record({ by: name, amount: fc.constantFrom(10, 1_000_000) }), fc.record({ removed: name })),
      { maxLength: 12 },
    ),
  });
  fc.assert(
    fc.property(given, ({ roles, deputies, audience, exclude, noDeputies, quorum, moves }) => {
      const policy = { audience, quorum, exclude, ...(noDeputies && { deputies: 'none' as const }) };
      let state: TaskState = aTask({ phase: 'holding', holds: [aHold({ policy, question })] });
      let left = names;
      const known = (): Principal[] => {
        const keys = left.map((user) => ({
          user,
          roles: roles[user] ?? [],
          key: `${user}-has-a-long-key-of-their-own`,
        }));
        const away = Object.entries(deputies).filter(([from, to]) => from !== to && left.includes(from));
        const users = Object.fromEntries(away.map(([from, to]) => [from, { away: { delegate: `user:${to}` } }]));
        return allUsers(ConfigSchema.parse({ auth: { keys }, users }), new Date(after('1m')));
      };
      for (const move of moves) {
        if ('removed' in move) left = left.filter((user) => user !== move.removed);
        else {
          const principal = known().find(({ id }) => id === move.by);
          if (principal === undefined) continue;
          const values: JsonObject = { approved: true, amount: move.amount };
          const entry = anAnswer(undefined, { values, fingerprint: canonicalJson(values) });
          const command = aDecideCommand(entry, { principal, receivedAt: after('2m') });
          state = reduce(state, { type: 'decide', command }, after('2m')).state;
        }
      }
      const closed = state.send.kind === 'answers' ? state.send.answers[0]?.closed : undefined;
      if (closed?.decision == null) return;
      const agreed: Vote[] = closed.votes.filter(
        (vote) =>
          agreementKey(question, vote) ===
          agreementKey(question, { values: closed.decision?.values ?? {}, fingerprint: '' }),
      );
      const voters = agreed.map((vote) => votersOf(vote, state.owner));
      expect(agreed).toHaveLength(quorum);
      expect(agreed.length).toBe(closed.votes.length);
      expect(new Set(voters.flat()).size).toBe(voters.flat().length);
      if (exclude.length > 0) expect(voters.flat()).not.toContain(state.owner);
      if (noDeputies) expect(agreed.flatMap(({ inPlaceOf = [] }) => inPlaceOf)).toEqual([]);
    }),
    { numRuns: runs(4_000) },
  );
});
