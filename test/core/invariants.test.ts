import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Reply } from '../../src/core/task/task-state.ts';
import { invariants } from './invariants.ts';
import { people, policies, type Act, type AgentWord, type Also, type Ask, type Choice, type Ending } from './acts.ts';
import { play, type Moment, type World } from './world.ts';
import { fc, runs } from '../rigs/properties.ts';

const minute = 60_000;
const hour = 60 * minute;
const of = <const T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const ask: fc.Arbitrary<Ask> = fc.record({
  policy: fc.nat(policies.length - 1),
  canRefuse: of(true, true, false),
  kind: of('form', 'form', 'form', 'text'),
});
const ending: fc.Arbitrary<Ending> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      kind: of('paused'),
      asks: fc.array(ask, { minLength: 1, maxLength: 3 }),
      messageId: of<string | null>(null, null, 'm-1', 'm-2'),
    }),
  },
  { weight: 3, arbitrary: of<Ending>({ kind: 'waiting', state: 'failed' }) },
  { weight: 4, arbitrary: of<Ending>({ kind: 'delivery-unknown', state: 'failed' }) },
  { weight: 4, arbitrary: of<Ending>({ kind: 'away', state: 'failed' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: of('ended', 'ended', 'failed', 'already-run'),
      state: of('completed', 'failed', 'rejected', 'canceled', 'message-only'),
    }),
  },
);
// Most come from callers who may do everything, so that histories get somewhere.
const by = fc.oneof(fc.constant(0), fc.nat(people.length - 1));
const choice = of<Choice>('yes', 'yes', 'yes', 'yes', 'other', 'no');
const agoMs = of(0, 0, 0, minute, 26 * hour, -hour);
const isRunIdUsed = fc.nat(9).map((n) => n === 0);
const also = of<Also>(
  'nothing',
  'nothing',
  'nothing',
  'nothing',
  'closed',
  'short',
  'closed',
  'unknown',
  'operator',
  'twice',
  'none',
);

const word = of<AgentWord>('canceled', 'completed', 'failed', 'rejected', 'unknown');
const isCancel = fc.nat(9).map((n) => n === 0);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ act: of('go'), moves: of(1, 4, 4), word, ending }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: of('decide'),
      hold: fc.nat(5),
      by,
      choice,
      agoMs,
      digest: of('none', 'none', 'right', 'wrong'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      act: of('resume'),
      by,
      choices: fc.array(choice, { minLength: 1, maxLength: 3 }),
      agoMs,
      also,
      isRunIdUsed,
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: of('again'), source: fc.nat(5) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: of('wait'),
      ms: of<number | 'due'>(1, 10 * minute, hour, 25 * hour, 'due', 'due'),
      isNoticed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: of<Act>({ act: 'deliver' }) },
  { weight: 3, arbitrary: fc.record({ act: of('word'), by, isAgain: fc.boolean(), agoMs }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: of('amend'),
      hold: fc.nat(5),
      by,
      kind: of('withdraw-vote', 'undo', 'undo', 'reassign', 'extend', 'withdraw'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: of('moved'), kind: of('pause', 'turn', 'turn'), isLate: of(false, false, true) }),
  },
  {
    weight: 1,
    arbitrary: fc.nat(5).map((n): Act => (n === 0 ? { act: 'limit' } : { act: 'moved', kind: 'turn', isLate: false })),
  },
  { weight: 1, arbitrary: fc.record({ act: of('say'), by, isRunIdUsed }) },
  { weight: 1, arbitrary: isCancel.map((is): Act => (is ? { act: 'cancel' } : { act: 'deliver' })) },
);
const history = fc.array(act, { minLength: 20, maxLength: 60, size: 'max' });

describe('whatever happens to a task, in whatever order', () => {
  // Promise C5
  test.each(Object.entries(invariants))('whatever happens to a task, in whatever order, %s', (_, invariant) => {
    fc.assert(
      fc.property(history, (acts) => expect(invariant(play(acts))).toBeNull()),
      { numRuns: runs(200) },
    );
  });
});

describe('the histories these invariants are read off', () => {
  let worlds: World[] = [];
  let moments: Moment[] = [];
  beforeAll(() => {
    worlds = fc.sample(history, { numRuns: 1000, seed: 7 }).map(play);
    moments = worlds.flatMap((world) => world.moments);
  });

  test('the histories these invariants are read off come through every phase and every effect', () => {
    expect(wordsOf(moments.map(({ before }) => before.phase))).toEqual([
      'holding',
      'leaving',
      'new',
      'opening',
      'stopping',
      'turn',
    ]);
    expect(wordsOf(worlds.flatMap(({ performed }) => performed.map(({ effect }) => effect.kind)))).toEqual([
      'amendHolds',
      'askSupervisor',
      'close',
      'inject',
      'notify',
      'openHolds',
      'recordDecisions',
      'recordStep',
      'stopAgent',
      'stopTurn',
      'turn',
    ]);
  });

  test('the histories these invariants are read off receive every reply', () => {
    expect(wordsOf(moments.map(({ outcome }) => replyWord(outcome.reply)))).toEqual([
      'already_voted',
      'asked',
      'busy',
      'changed_meanwhile',
      'decided',
      'decided before',
      'delivery_unknown',
      'digest_mismatch',
      'forbidden',
      'hold_closed',
      'injected',
      'input_invalid',
      'interrupt_expired',
      'interrupt_unknown',
      'interrupts_not_covered',
      'interrupts_pending',
      'later',
      'not_allowed_to_decide',
      'ok',
      'opened',
      'payload_invalid',
      'resumed',
      'resumed, skipping',
      'run_conflict',
    ]);
  });

  test('the histories these invariants are read off come to every end', () => {
    expect(wordsOf(worlds.map(endWord))).toEqual([
      'agent_failed',
      'agent_rejected',
      'agent_silent',
      'agent_unreachable',
      'already-run',
      'canceled',
      'completed',
      'delivery_unknown',
      'hold_expired',
      'message-only',
      'none',
    ]);
  });

  test('the histories these invariants are read off see holds close in every way, and messages sent again', () => {
    const statuses = moments.flatMap(({ outcome: { state } }) =>
      [...state.past, ...state.holds].map(({ status }) => status),
    );
    expect(wordsOf(statuses)).toEqual(['cancelled', 'decided', 'expired', 'open', 'withdrawn']);
    expect(worlds.some(({ performed }) => performed.some(({ state }) => state.isResendAllowed && state.turn > 1))).toBe(
      true,
    );
  });
});

describe('in these histories people and agents talk', () => {
  const worlds = fc.sample(history, { numRuns: 2500, seed: 7 }).map(play);
  const moments = worlds.flatMap((world) => world.moments);
  const askingBack = moments.filter(({ before }) => before.asking !== null);

  test('the agent asks again, does not take the word, waits, or ends its task', () => {
    const words = askingBack.map(({ before, fact: event, outcome: { state } }) =>
      event.type !== 'turn.done' || before.phase !== 'holding'
        ? 'other'
        : state.phase === 'holding'
          ? `${event.outcome.kind}, then ${state.status}`
          : state.phase,
    );
    expect(wordsOf(words)).toEqual([
      'already-run, then NEEDS_REVIEW',
      'away, then NEEDS_REVIEW',
      'delivery-unknown, then NEEDS_REVIEW',
      'failed, then NEEDS_REVIEW',
      'leaving',
      'opening',
      'other',
      'paused, then NEEDS_REVIEW',
      'turn',
      'waiting, then IN_PROGRESS',
    ]);
  });

  test('the deadline passes while the agent is asked back', () => {
    const ends = askingBack.flatMap(({ before, outcome: { state } }) =>
      [...state.holds, ...state.past]
        .filter(({ holdId, ended }) => ended?.why === 'expired' && isOpenIn(before.holds, holdId))
        .map(() => `${state.phase} ${state.status}`),
    );
    expect(wordsOf(ends)).toEqual([
      'holding IN_PROGRESS',
      'holding USER_INPUT_RECEIVED',
      'leaving FAILED',
      'stopping USER_INPUT_RECEIVED',
    ]);
  });

  test('votes are staged, taken back and enough; questions are withdrawn and asked again', () => {
    const votes = moments.map(({ before, outcome: { state } }) => countVotes(state) - countVotes(before));
    expect(votes).toEqual(expect.arrayContaining([-1, 0, 1]));
    const why = moments.flatMap(({ outcome: { state } }) => state.past.map(({ ended }) => ended?.why ?? 'none'));
    expect(wordsOf(why)).toEqual(['answered', 'declined', 'expired', 'superseded', 'withdrawn']);
    expect(moments.some(({ outcome: { state } }) => state.past.some((hold) => hold.votes.length > 1))).toBe(true);
  });
});

const isOpenIn = (holds: Moment['before']['holds'], id: string): boolean =>
  holds.some(({ holdId, status }) => holdId === id && status === 'open');
const countVotes = ({ holds }: Moment['before']): number =>
  holds.filter(({ status }) => status === 'open').reduce((sum, { votes }) => sum + votes.length, 0);

const wordsOf = (words: string[]): string[] => [...new Set(words)].toSorted();

function replyWord(reply: Reply): string {
  if (reply.ok === 'later') return 'later';
  if (!reply.ok) return reply.code;
  if ('decide' in reply) return reply.decide.isRepeat ? 'decided before' : 'decided';
  if ('message' in reply) return reply.message.kind;
  if ('run' in reply) return reply.run.skipped.length > 0 ? `${reply.run.kind}, skipping` : reply.run.kind;
  return 'ok';
}

function endWord({ state: { end } }: World): string {
  return end === null ? 'none' : end.kind === 'failed' ? end.code : end.kind;
}
