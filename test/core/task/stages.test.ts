import { describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../src/contract/base/principal.ts';
import type { AnswerEntry } from '../../../src/contract/holds/decision.ts';
import type { Policy } from '../../../src/contract/configuration/policy.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import { stagesTally } from '../../../src/core/consent/stage.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskState } from '../../../src/core/task/task-state.ts';
import {
  aDecideCommand,
  after,
  aHold,
  anAnswer,
  aPrincipal,
  aQuestion,
  aRefusal,
  aTask,
} from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

const team = { name: 'team', audience: ['role:dev'], quorum: 2, ladder: [{ after: '1h', remind: true as const }] };
const lead = {
  name: 'lead',
  audience: ['role:lead'],
  quorum: 1,
  ladder: [{ after: '2h', escalate: ['role:director'] }],
};
type Given = Partial<Policy>;
const sequential: Given = { stages: [team, lead] };
const parallel: Given = { stages: [team, lead], stageOrder: 'parallel' };

const question = aQuestion({
  kind: 'confirmation',
  schema: { type: 'object', properties: { approved: { type: 'boolean' } } },
});
const yes = { approved: true };
const asked = (policy: Given): TaskState => aTask({ phase: 'holding', holds: [aHold({ n: 1, policy, question })] });
const holdOf = ({ holds }: TaskState): Hold => holds[0] as Hold;
const id = holdOf(asked(sequential)).holdId;

const [anna, bob, lea, dora] = [
  aPrincipal('anna', 'dev'),
  aPrincipal('bob', 'dev'),
  aPrincipal('lea', 'lead'),
  aPrincipal('dora', 'dev', 'lead'),
];

function decide(state: TaskState, entry: AnswerEntry, principal: Principal, now = after('5m')): Outcome {
  return reduce(state, { type: 'decide', command: aDecideCommand(entry, { principal, receivedAt: now }) }, now);
}
const agree = (state: TaskState, principal: Principal, now?: string): Outcome =>
  decide(state, anAnswer(holdOf(state), { values: yes, fingerprint: 'yes' }), principal, now);
const all = (state: TaskState, ...people: Principal[]): TaskState =>
  people.reduce((so, one) => agree(so, one).state, state);
const withdraw = (state: TaskState, principal: Principal, now = after('10m')): Outcome =>
  reduce(state, { type: 'amend', command: { hold: id, principal, receivedAt: now, kind: 'withdraw-vote' } }, now);
const counts = (state: TaskState): string[] =>
  stagesTally(holdOf(state)).map(({ name, by, need }) => `${name} ${by.length}/${need}`);

// Promise Y69
describe('stages one after the other', () => {
  test('stages one after the other ask the first group alone, and the next one when it has agreed', () => {
    const first = asked(sequential);
    expect(holdOf(first).audience).toEqual(['role:dev']);
    expect(agree(first, lea).reply).toMatchObject({ code: 'not_allowed_to_decide' });
    const second = all(first, anna, bob);
    expect(holdOf(second)).toMatchObject({ status: 'open', audience: ['role:lead'] });
    expect(counts(second)).toEqual(['team 2/2', 'lead 0/1']);
    expect(agree(second, lea).state).toMatchObject({ phase: 'turn', send: { kind: 'answers' } });
  });

  test('a stage that opens has its own ladder from then on, and the steps of the one before are left out', () => {
    const second = all(asked(sequential), anna, bob);
    const { nextStep, plan } = holdOf(second);
    expect(nextStep).toEqual({ at: after('125m'), do: 'escalate', to: ['role:director'] });
    expect(plan.steps.map(({ do: what, stage }) => [what, stage])).toEqual([['escalate', 1]]);
    const climbed = reduce(second, { type: 'time.passed' }, after('3h')).state;
    expect(holdOf(climbed).audience).toEqual(['role:lead', 'role:director']);
  });

  test('a no of any stage ends the question', () => {
    const second = all(asked(sequential), anna, bob);
    for (const [state, who] of [
      [asked(sequential), anna],
      [second, lea],
    ] as const) {
      const { state: ended } = decide(state, anAnswer(holdOf(state), { values: { approved: false } }), who);
      expect(ended.send).toMatchObject({ answers: [{ closed: { ended: { why: 'declined' } } }] });
    }
    expect(decide(second, aRefusal(holdOf(second)), lea).state.phase).not.toBe('holding');
  });

  test('a vote that is taken back asks its stage again', () => {
    const second = all(asked(sequential), anna, bob);
    const back = withdraw(second, bob).state;
    expect(holdOf(back).audience).toEqual(['role:dev']);
    expect(agree(back, lea).reply).toMatchObject({ code: 'not_allowed_to_decide' });
    expect(holdOf(all(back, bob)).audience).toEqual(['role:lead']);
  });

  test('one person counts in one stage, but where the policy asks them again', () => {
    const once = all(asked(sequential), anna, dora);
    expect(agree(once, dora).reply).toMatchObject({ ok: true, decide: { isRepeat: true } });
    const again = all(asked({ ...sequential, sameAgain: true }), anna, dora);
    expect(holdOf(again)).toMatchObject({ status: 'open', audience: ['role:lead'] });
    expect(agree(again, dora).state.phase).toBe('turn');
  });

  test('who is asked next is notified and called as at an opening', () => {
    const agents = { stages: [team, { ...lead, audience: ['agent:checker', 'role:lead'] }] };
    const { state, effects } = agree(all(asked(agents), anna), bob);
    expect(holdOf(state).plan.supervisors).toMatchObject([{ agent: 'checker', doneAt: null }]);
    expect(effects.map(({ kind }) => kind)).toEqual(['amendHolds', 'askSupervisor']);
  });
});

// Promise Y69
describe('stages at once', () => {
  test('stages at once ask every group, and no group any more that has agreed', () => {
    const first = asked(parallel);
    expect(holdOf(first).audience).toEqual(['role:dev', 'role:lead']);
    const one = agree(first, lea).state;
    expect(holdOf(one).audience).toEqual(['role:dev']);
    expect(all(one, anna, bob).phase).toBe('turn');
  });

  test('who is of two groups is in the way of neither', () => {
    const one = agree(asked(parallel), dora).state;
    expect(holdOf(one).audience).toEqual(['role:dev', 'role:lead']);
    expect(all(one, anna, bob).phase).toBe('turn');
    expect(all(one, lea, anna).phase).toBe('turn');
    expect(all(one, anna).phase).toBe('holding');
  });

  test('one of each entry is a stage of each', () => {
    const each = asked({ audience: ['role:dev', 'role:lead'], quorum: { each: 1 } });
    expect(all(each, anna, bob).phase).toBe('holding');
    expect(all(each, anna, lea).phase).toBe('turn');
  });
});

// Promise Y69
describe('whatever is answered', () => {
  const people = Array.from('abcdefgh', (name, at) =>
    aPrincipal(name, ...['dev', 'lead', 'legal'].filter((_, bit) => Math.floor((at * 3 + 1) / 2 ** bit) % 2 === 1)),
  );
  const stage = fc.record({
    name: fc.constantFrom('one', 'two', 'three'),
    audience: fc.constantFrom<string[]>(['role:dev'], ['role:lead'], ['role:legal'], ['role:dev', 'role:lead']),
    quorum: fc.integer({ min: 1, max: 3 }),
    ladder: fc.constantFrom<Policy['ladder']>(
      [],
      [{ after: '1h', escalate: ['role:legal'] }],
      [{ after: '1h', remind: true }],
    ),
  });
  const policies = fc.record({
    stages: fc.array(stage, { minLength: 2, maxLength: 3 }),
    stageOrder: fc.constantFrom('sequential' as const, 'parallel' as const),
    sameAgain: fc.boolean(),
  });
  const acts = fc.array(
    fc.record({
      who: fc.nat(7),
      what: fc.constantFrom('yes', 'yes', 'yes', 'yes', 'other', 'no', 'withdraw', 'time'),
    }),
    { maxLength: 30 },
  );

  test('no question is decided with less than each stage’s quorum, one person counts once, and a no ends it', () => {
    fc.assert(
      fc.property(policies, acts, (policy, steps) => {
        let state = asked(policy);
        for (const [index, { who, what }] of steps.entries()) {
          const now = after(`${30 * (index + 1)}m`);
          const by = people[who] as Principal;
          const before = holdOf(state);
          if (what === 'time') state = reduce(state, { type: 'time.passed' }, now).state;
          else if (what === 'withdraw') state = withdraw(state, by, now).state;
          else {
            const values = { approved: what !== 'no', ...(what === 'other' ? { note: 'x' } : {}) };
            const { reply, state: next } = decide(state, anAnswer(before, { values, fingerprint: what }), by, now);
            if (what === 'no' && 'decide' in reply && !reply.decide.isRepeat) expect(next.phase).not.toBe('holding');
            state = next;
          }
          if (state.phase !== 'holding') {
            const closed = state.send.kind === 'answers' ? state.send.answers[0]?.closed : undefined;
            if (closed?.ended?.why !== 'approved') return;
            const list = before.plan.stages?.list ?? [];
            const tally = stagesTally({ ...before, votes: closed.votes });
            expect(tally.map(({ by: some }) => some.length).every((have, at) => have >= (list[at]?.quorum ?? 99))).toBe(
              true,
            );
            const names = tally.map(({ by: some }) => some.map((vote) => vote.by));
            for (const some of names) expect(new Set(some).size).toBe(some.length);
            if (!policy.sameAgain) expect(new Set(names.flat()).size).toBe(names.flat().length);
            return;
          }
        }
      }),
      { numRuns: runs(2_000) },
    );
  });
});
