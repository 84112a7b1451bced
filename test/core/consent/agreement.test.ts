import { describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../src/contract/base/principal.ts';
import type { AnswerEntry } from '../../../src/contract/holds/decision.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { canonicalJson } from '../../../src/core/base/json.ts';
import { fc, runs } from '../../rigs/properties.ts';
import { agreementKey } from '../../../src/core/consent/agreement.ts';
import { verdictOf } from '../../../src/core/consent/verdict.ts';
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
  aResume,
  aTask,
} from '../../rigs/factories.ts';

const yesNo = { type: 'object', properties: { confirmed: { type: 'boolean' }, comment: { type: 'string' } } };
const confirmation = aQuestion({ kind: 'confirmation', schema: yesNo });
const args = { amount: 900 };
const call = aQuestion({
  kind: 'tool_call',
  dialect: 'langchain',
  schema: { type: 'object', properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } } },
  tool: { callId: 'call-1', name: 'pay', args, isEditable: true },
});

describe('answers agree', () => {
  test.each([
    ['two forms with the same values', aQuestion(), { city: 'Bonn', days: 2 }, { days: 2, city: 'Bonn' }, true],
    ['two forms with other values', aQuestion(), { city: 'Bonn' }, { city: 'Rome' }, false],
    [
      'a field of the agent’s own form counts, whatever its name',
      confirmation,
      { confirmed: true, comment: 'to DE2' },
      { confirmed: true },
      false,
    ],
    [
      'an amount counts',
      { ...call, dialect: 'a2a.hitl.form' },
      { approved: true, amount: 10 },
      { approved: true, amount: 1_000_000 },
      false,
    ],
    ['a reason does not count', call, { approved: true, reason: 'ok' }, { approved: true }, true],
    ['edited arguments count', call, { approved: true, editedArgs: { amount: 1 } }, { approved: true }, false],
    ['arguments sent back unchanged are none', call, { approved: true, editedArgs: args }, { approved: true }, true],
    ['other texts', aQuestion({ kind: 'text' }), { text: 'go' }, { text: 'go not' }, false],
    ['the same text', aQuestion({ kind: 'text' }), { text: 'go' }, { text: ' go\n' }, true],
  ])('answers agree where they say the same: %s', (_, question, one, other, expected) => {
    const keyOf = (values: JsonObject): string => agreementKey(question, { values, fingerprint: '' });
    expect(keyOf(one) === keyOf(other)).toBe(expected);
  });
});

// Promise Y61
test('answers agree on all values: no decision of random votes has two of which the values differ', () => {
  const amount = fc.constantFrom(10, 1_000_000);
  const given = fc.record({ approved: fc.boolean(), amount, iban: fc.constantFrom('DE1', 'DE2') });
  const schema = { type: 'object', properties: { approved: { type: 'boolean' }, amount: { type: 'number' } } };
  const question = aQuestion({ kind: 'tool_call', schema, tool: { ...call.tool, isEditable: false } as never });
  const people = fc.constantFrom('finn', 'lea', 'max', 'ida');
  fc.assert(
    fc.property(fc.array(fc.tuple(people, given), { maxLength: 8 }), fc.constantFrom(2, 3), (votes, quorum) => {
      const entries = ['role:finance'];
      let state = aTask({ phase: 'holding', holds: [aHold({ policy: { audience: entries, quorum }, question })] });
      for (const [by, values] of votes) {
        const entry = anAnswer(undefined, { values, fingerprint: JSON.stringify(values) });
        const command = aDecideCommand(entry, { principal: aPrincipal(by, 'finance'), receivedAt: after('2m') });
        state = reduce(state, { type: 'decide', command }, after('2m')).state;
      }
      const [decided] = state.past;
      const closed = state.send.kind === 'answers' ? state.send.answers[0]?.closed : undefined;
      if (decided === undefined || closed?.ended?.why !== 'approved') return;
      expect(new Set(closed.votes.map(({ values }) => canonicalJson(values))).size).toBe(1);
      expect(new Set(closed.votes.map(({ by }) => by)).size).toBeGreaterThanOrEqual(quorum);
    }),
    { numRuns: runs(4_000) },
  );
});

describe('an answer is a veto', () => {
  test.each([
    ['when it cancels', aQuestion(), 'cancelled', {}, true],
    ['when it says confirmed: false', confirmation, 'resolved', { confirmed: false }, true],
    ['when it says approved: false', call, 'resolved', { approved: false }, true],
    [
      'when a form says approve: false',
      aQuestion({ schema: { type: 'object', properties: { approve: { type: 'boolean' } } } }),
      'resolved',
      { approve: false },
      true,
    ],
    ['never when it is a text', aQuestion({ kind: 'text' }), 'resolved', { text: 'no' }, false],
    ['never when it says yes', call, 'resolved', { approved: true }, false],
  ] as const)('an answer is a veto %s', (_, question, status, values, expected) => {
    expect(verdictOf(question, { status, values }) === 'no').toBe(expected);
  });
});

const audience = ['owner', 'role:finance', 'role:lead'];
const two = { audience, quorum: 2 };
const finn = aPrincipal('finn', 'finance');
const lea = aPrincipal('lea', 'lead');
const olga = aPrincipal();
const asking = (policy: object = two, more = {}): TaskState =>
  aTask({ phase: 'holding', holds: [aHold({ policy, question: confirmation, ...more })] });
const yes = anAnswer(undefined, { values: { confirmed: true } });
const no = anAnswer(undefined, { values: { confirmed: false } });

function vote(state: TaskState, entry: AnswerEntry, principal = finn, at = after('2m')): Outcome {
  return reduce(state, { type: 'decide', command: aDecideCommand(entry, { principal, receivedAt: at }) }, at);
}

describe('a question that needs two', () => {
  test('a question that needs two stages the first agreement, shows it, and stays open', () => {
    const { state, effects, reply } = vote(asking(), yes);
    expect(reply).toMatchObject({
      ok: true,
      decide: { decision: null, votes: { have: 1, need: 2 }, isRepeat: false, taskStatus: 'NEEDS_REVIEW' },
    });
    expect(state).toMatchObject({
      phase: 'holding',
      holds: [{ status: 'open', votes: [{ by: 'finn', source: 'rest' }] }],
    });
    expect(effects).toMatchObject([{ kind: 'amendHolds', run: { opener: 'standfast' } }]);
  });

  test('a question that needs two is decided when a second person agrees, with both votes kept', () => {
    const { state, effects, reply } = vote(vote(asking(), yes).state, yes, lea);
    expect(reply).toMatchObject({ decide: { decision: { by: 'lea' }, votes: { have: 2, need: 2 } } });
    expect(effects).toEqual([{ kind: 'turn' }]);
    expect(state.send).toMatchObject({
      answers: [
        {
          closed: { status: 'decided', ended: { by: 'lea', why: 'approved' }, votes: [{ by: 'finn' }, { by: 'lea' }] },
        },
      ],
    });
  });

  test('a question that needs two counts the same person once: the very answer is a repeat, another one is refused with already_voted', () => {
    const { state } = vote(asking(), yes);
    const again = vote(state, yes, finn, after('9m'));
    expect(again.state).toBe(state);
    expect(again.reply).toMatchObject({ decide: { decision: null, isRepeat: true, votes: { have: 1, need: 2 } } });
    expect(vote(state, no)).toMatchObject({ state, effects: [], reply: { ok: false, code: 'already_voted' } });
  });

  test('a question that needs two counts votes that differ apart, until one group is large enough', () => {
    const form = asking({ ...two, audience: [...audience, 'user:max'] }, { question: aQuestion() });
    const apart = vote(vote(form, anAnswer()).state, anAnswer(undefined, { values: { city: 'Rome' } }), lea);
    expect(apart.reply).toMatchObject({ decide: { decision: null, votes: { have: 1, need: 2 } } });
    const decided = vote(apart.state, anAnswer(), aPrincipal('max'));
    expect(decided.reply).toMatchObject({ decide: { decision: { values: { city: 'Paris' } }, votes: { have: 2 } } });
    expect(decided.state.past).toMatchObject([{ votes: [{ by: 'finn' }, { by: 'max' }] }]);
  });

  test.each([
    ['an answer that says no', no, 'decided'],
    ['a refusal to answer', aRefusal(), 'cancelled'],
  ])('a question that needs two is decided at once by %s', (_, entry, status) => {
    const { state, reply } = vote(vote(asking(two, { canRefuse: true }), yes).state, entry, lea);
    expect(reply).toMatchObject({ decide: { decision: { by: 'lea' }, votes: { have: 1, need: 2 } } });
    expect(state.send).toMatchObject({ answers: [{ closed: { status, ended: { by: 'lea', why: 'declined' } } }] });
  });

  test('a question that needs two leaves the requester out where four eyes are asked for', () => {
    const fourEyes = asking({ ...two, exclude: ['requester'] });
    expect(vote(fourEyes, yes, olga).reply).toMatchObject({ code: 'not_allowed_to_decide' });
  });

  test('a question that needs two knows each of its votes again once it is decided', () => {
    const words = anAnswer(undefined, { values: { approved: true, reason: 'fine' } });
    const bare = anAnswer(undefined, { values: { approved: true } });
    const { state } = vote(vote(asking(two, { question: call }), words).state, bare, lea);
    expect(vote(state, words).reply).toMatchObject({ ok: true, decide: { isRepeat: true, decision: { by: 'lea' } } });
    expect(vote(state, words, olga).reply).toMatchObject({ code: 'hold_closed' });
  });
});

// Promise Y62
test.each([
  ['the deputy after the person', ['user:anna', 'user:ben'], ['anna', 'dora']],
  ['the person after the deputy', ['user:anna', 'user:ben'], ['dora', 'anna']],
  ['the person by a role, after the deputy', ['user:anna', 'role:finance'], ['dora', 'anna']],
  ['the owner’s deputy after the owner', ['owner', 'user:ben'], ['olga', 'oskar']],
])('a person and who stands in for them have one vote: %s', (_, entries, [first = '', second = '']) => {
  const who: Record<string, Principal> = {
    anna: aPrincipal('anna', 'finance'),
    dora: { ...aPrincipal('dora'), alsoFor: ['user:anna'] },
    olga: aPrincipal('olga'),
    oskar: { ...aPrincipal('oskar'), alsoFor: ['user:olga'] },
  };
  const of = (name: string): Principal => who[name] ?? aPrincipal(name);
  const { state, reply } = vote(asking({ audience: entries, quorum: 2 }), yes, of(first));
  expect(reply).toMatchObject({ ok: true, decide: { votes: { have: 1, need: 2 } } });
  expect(vote(state, yes, of(second)).reply).toMatchObject({ ok: false, code: 'already_voted' });
  const other = entries.includes('user:ben') ? aPrincipal('ben') : aPrincipal('carl', 'finance');
  expect(vote(state, yes, other).reply).toMatchObject({ decide: { decision: { by: other.id } } });
});

describe('a run whose answers are only votes', () => {
  const resume = (state: TaskState, entries: AnswerEntry[], runId = 'run-2'): Outcome =>
    reduce(
      state,
      { type: 'run', command: aResume(entries, { runId, fingerprint: `print:${runId}`, principal: finn }) },
      after('2m'),
    );

  test('a run whose answers are only votes is taken, and ends with what is open still', () => {
    const { effects, reply } = resume(asking(), [yes]);
    expect(reply).toMatchObject({ ok: true, run: { kind: 'resumed' } });
    expect(effects).toMatchObject([{ kind: 'amendHolds', run: { runId: 'run-2', opener: 'client' } }]);
  });

  test('a run whose answers are only votes may come again under another id: the vote is kept and counted once', () => {
    const { state } = resume(asking(), [yes]);
    const again = resume(state, [yes], 'run-3');
    expect(again.reply).toMatchObject({ ok: true });
    expect(again.effects).toMatchObject([{ kind: 'amendHolds', holdIds: [], run: { runId: 'run-3' } }]);
    expect(again.state.holds[0]?.votes).toHaveLength(1);
  });

  test('a run whose answers are only votes stages what is decided together with what is voted on', () => {
    const holds = [aHold({ n: 1, policy: two, question: confirmation }), aHold({ n: 2, policy: { audience } })];
    const { state, effects } = resume(aTask({ phase: 'holding', holds }), [yes, anAnswer(holds[1])]);
    expect(state.holds.map(({ status }) => status)).toEqual(['open', 'decided']);
    expect(effects.map((effect) => effect.kind)).toEqual(['recordDecisions', 'amendHolds']);
  });
});

describe('a vote that is taken back', () => {
  const withdraw = (state: TaskState, principal = finn): Outcome =>
    reduce(
      state,
      { type: 'amend', command: { hold: aHold().holdId, principal, receivedAt: after('3m'), kind: 'withdraw-vote' } },
      after('3m'),
    );

  test('a vote that is taken back is gone, and the person may answer otherwise', () => {
    const { state, reply } = withdraw(vote(asking(), yes).state);
    expect(reply).toMatchObject({ ok: true, amend: { votes: { have: 0, need: 2 } } });
    expect(vote(state, no).reply).toMatchObject({ ok: true, decide: { decision: { by: 'finn' } } });
  });

  test('a vote that is taken back leaves those of others', () => {
    const both = vote(vote(asking({ ...two, quorum: 3 }), yes).state, yes, lea).state;
    expect(withdraw(both).state.holds[0]?.votes).toMatchObject([{ by: 'lea' }]);
  });

  test('taking back a vote that was never given changes nothing', () => {
    const state = asking();
    expect(withdraw(state)).toMatchObject({ state, effects: [], reply: { ok: true } });
  });
});

describe('a question that is moved to others', () => {
  const move = (state: TaskState, principal = finn, to = ['role:lead'], note: string | null = null): Outcome =>
    reduce(
      state,
      {
        type: 'amend',
        command: { hold: aHold().holdId, principal, receivedAt: after('3m'), kind: 'reassign', to, note },
      },
      after('3m'),
    );

  test('a question that is moved to others is asked of them alone, and its times stay', () => {
    const before = asking({ audience });
    const { state, effects, reply } = move(before);
    expect(reply).toMatchObject({ ok: true, amend: { audience: ['role:lead'] } });
    expect(effects).toMatchObject([{ kind: 'amendHolds' }]);
    const passedOn = { by: 'finn', at: after('3m'), from: audience, to: ['role:lead'] };
    expect(state.holds[0]).toEqual({ ...before.holds[0], audience: ['role:lead'], passedOn });
    expect(vote(state, yes).reply).toMatchObject({ code: 'not_allowed_to_decide' });
    expect(vote(state, yes, lea).reply).toMatchObject({ ok: true });
  });

  test('a question that is moved to others tells who moved it to whom, when and with which words', () => {
    const moved = (note: string | null) => move(asking({ audience }), finn, ['role:lead', 'role:lead'], note).effects;
    const entry = { holdId: aHold().holdId, at: after('3m'), by: finn.id, to: ['role:lead'], credential: null };
    expect(moved('on leave')).toMatchObject([{ moved: { ...entry, note: 'on leave' } }]);
    const byKey = { ...finn, credential: 'key:finn-2026' };
    expect(move(asking({ audience }), byKey).effects).toMatchObject([{ moved: { credential: 'key:finn-2026' } }]);
    expect(moved(' ')).toMatchObject([{ moved: { ...entry, note: null } }]);
    expect(moved('x'.repeat(2_001))).toMatchObject([{ moved: { note: 'x'.repeat(2_000) } }]);
  });

  test('a question that is moved to others is moved by those who may decide it, or by operators', () => {
    const state = asking({ audience });
    expect(move(state, aPrincipal('eve')).reply).toMatchObject({ code: 'not_allowed_to_decide' });
    expect(move(state, aPrincipal('opal', 'operator')).reply).toMatchObject({ ok: true });
    expect(move(state, finn, []).reply).toMatchObject({ code: 'payload_invalid' });
    expect(move(state, finn, ['role:a\0b']).reply).toMatchObject({ code: 'payload_invalid' });
  });

  test('a question that is moved to others is refused with hold_closed once it is decided', () => {
    expect(move(vote(asking({ audience }), yes).state).reply).toMatchObject({ code: 'hold_closed' });
  });
});
