import { describe, expect, test } from '@jest/globals';
import type { AnswerEntry } from '../../../src/contract/holds/decision.ts';
import { closedHoldsOf, remember } from '../../../src/core/task/hold-end.ts';
import { reduce } from '../../../src/core/task/task.ts';
import { pastKept, type Outcome, type TaskState } from '../../../src/core/task/task-state.ts';
import { aDecideCommand, after, aHold, anAnswer, aQuestion, aRefusal, aTask } from '../../rigs/factories.ts';

const decide = (state: TaskState, entry: AnswerEntry): Outcome =>
  reduce(state, { type: 'decide', command: aDecideCommand(entry) }, after('2m'));
const statuses = (state: TaskState): string[] => state.holds.map((hold) => hold.status);

describe('two holds of one pause', () => {
  const pause = { firstN: 1, count: 2 };
  const holds = [aHold({ n: 1, pause }), aHold({ n: 2, pause })];
  const [one = aHold(), two = aHold()] = holds;
  const holding = aTask({ phase: 'holding', holds });

  // Promise A2
  test('two holds of one pause are answered together: the first decision waits, the second sends both', () => {
    const staged = decide(holding, anAnswer(two));
    expect(staged.state.phase).toBe('holding');
    const { state, effects } = decide(staged.state, anAnswer(one, { values: { city: 'Rome' } }));
    expect(effects).toEqual([{ kind: 'turn' }]);
    expect(state.send).toMatchObject({
      kind: 'answers',
      answers: [
        { interruptId: one.interruptId, closed: { decision: { values: { city: 'Rome' } } } },
        { interruptId: two.interruptId, closed: { decision: { values: { city: 'Paris' } } } },
      ],
    });
  });

  test('two holds of one pause wait for the other when one is declined, and are sent together', () => {
    const staged = decide(holding, aRefusal(one, 'too dear'));
    expect(statuses(staged.state)).toEqual(['cancelled', 'open']);
    expect(staged.state.phase).toBe('holding');
    const { state, effects } = decide(staged.state, anAnswer(two));
    expect(effects).toEqual([{ kind: 'turn' }]);
    expect(state.send).toMatchObject({
      kind: 'answers',
      answers: [
        { closed: { status: 'cancelled', decision: { reason: 'too dear' } } },
        { closed: { status: 'decided', decision: { values: { city: 'Paris' } } } },
      ],
    });
  });

  test('two holds of one pause cancel the task when nothing was answered', () => {
    const { state, effects } = decide(decide(holding, aRefusal(one)).state, aRefusal(two, 'too dear'));
    expect(statuses(state)).toEqual(['cancelled', 'cancelled']);
    expect(state).toMatchObject({ phase: 'stopping', cancel: { by: 'olga', reason: 'too dear' } });
    expect(effects.map((effect) => effect.kind)).toEqual(['recordDecisions', 'stopAgent']);
  });

  test('two holds of one pause say which question was declined when no reason is given', () => {
    expect(decide(decide(holding, aRefusal(one)).state, aRefusal(two)).state.cancel?.reason).toBe(
      'the question "Trip" was declined',
    );
  });

  test('two holds of one pause go on when one was decided before the other was declined', () => {
    const { state } = decide(decide(holding, anAnswer(one)).state, aRefusal(two));
    expect(state).toMatchObject({
      phase: 'turn',
      send: { answers: [{ closed: { status: 'decided' } }, { closed: { status: 'cancelled' } }] },
    });
  });

  // Promise QU4
  test('two holds of one pause go on when a permission among them is refused: the other answer is sent, and the refusal with it', () => {
    const permission = aHold({ n: 2, question: aQuestion({ kind: 'authorization' }), pause });
    const both = aTask({ phase: 'holding', holds: [one, permission] });
    const staged = decide(both, aRefusal(permission, 'not to them'));
    expect(statuses(staged.state)).toEqual(['open', 'cancelled']);
    const { state, effects } = decide(staged.state, anAnswer(one));
    expect(effects).toEqual([{ kind: 'turn' }]);
    expect(state.send).toMatchObject({
      kind: 'answers',
      answers: [
        { closed: { status: 'decided' } },
        { closed: { status: 'cancelled', decision: { reason: 'not to them' } } },
      ],
    });
  });
});

describe('a refusal that the agent can be sent', () => {
  const one = aHold({ n: 1, canRefuse: true });

  // Promise CO18
  test('a refusal that the agent can be sent is an answer: the task goes on', () => {
    const { state, effects } = decide(aTask({ phase: 'holding', holds: [one] }), aRefusal(one, 'too dear'));
    expect(effects).toEqual([{ kind: 'turn' }]);
    expect(state.send).toMatchObject({
      answers: [{ closed: { status: 'cancelled', decision: { status: 'cancelled', reason: 'too dear' } } }],
    });
  });

  test('a refusal that the agent can be sent waits for the other holds like any answer', () => {
    const { state, effects } = decide(aTask({ phase: 'holding', holds: [one, aHold({ n: 2 })] }), aRefusal(one));
    expect(statuses(state)).toEqual(['cancelled', 'open']);
    expect(effects).toMatchObject([{ kind: 'recordDecisions', holds: [{ holdId: one.holdId }] }]);
  });
});

describe('what is remembered of closed holds', () => {
  const decision = {
    by: 'olga',
    at: after('1m'),
    status: 'resolved' as const,
    values: { city: 'Paris' },
    reason: null,
    source: 'rest' as const,
    seenDigest: null,
    credential: null,
    actor: null,
    digest: 'sha256:shown-1',
  };
  const decided = aHold({ status: 'decided', decision, answerFingerprint: 'print:1' });

  test('what is remembered of closed holds is enough to answer late callers, without the values', () => {
    expect(remember([], [decided, aHold({ n: 2 })])).toEqual([
      {
        holdId: decided.holdId,
        interruptId: decided.interruptId,
        status: 'decided',
        answerFingerprint: 'print:1',
        decision: { ...decision, values: {} },
        audience: ['owner'],
        exclude: [],
        isOperator: false,
        ended: null,
        supersededBy: null,
        votes: [],
      },
    ]);
  });

  test('what is remembered of closed holds is bounded, and the oldest go first', () => {
    const many = Array.from({ length: pastKept + 3 }, (_, i) => aHold({ n: i + 1, status: 'decided' }));
    const past = remember(remember([], many.slice(0, 10)), many.slice(10));
    expect(past).toHaveLength(pastKept);
    expect(past.at(0)?.interruptId).toBe(many[3]?.interruptId);
  });

  test('rows get everything of a closed hold and nothing of an open one', () => {
    expect(closedHoldsOf([decided, aHold({ n: 2 })])).toEqual([
      {
        holdId: decided.holdId,
        status: 'decided',
        decision,
        answerFingerprint: 'print:1',
        votes: [],
        supersededBy: null,
        ended: null,
      },
    ]);
  });
});
