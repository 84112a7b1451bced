import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { unconfirmedQuestion } from '../../../src/core/questions/delivery-unknown.ts';
import { checkProfile } from '../../../src/core/questions/form-profile.ts';
import { ownRunIdOf } from '../../../src/core/base/ids.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome } from '../../../src/core/task/task-state.ts';
import {
  aDecideCommand,
  aRunCommand,
  aDeliveryUnknown,
  after,
  anAnswer,
  aPrincipal,
  aRefusal,
  aTask,
  taskId,
} from '../../rigs/factories.ts';

const unknown = aDeliveryUnknown({ n: 4 });
const skipped = [{ interruptId: 'hitl-a2a-1-1', code: 'hold_closed' }];
const holding = aTask({ phase: 'holding', holds: [unknown], turn: 2, n: 4, runId: 'run-2', skipped });
const operator = aPrincipal('opal', 'operator');
const decide = (values: JsonObject, principal = operator): Outcome =>
  reduce(
    holding,
    { type: 'decide', command: aDecideCommand(anAnswer(unknown, { values }), { principal }) },
    after('2m'),
  );

describe('an unconfirmed message', () => {
  test('an unconfirmed message is asked of operators, with a form people can be shown', () => {
    const question = unconfirmedQuestion('expenses', 'cut off');
    expect(question).toMatchObject({ kind: 'operator', dialect: 'operator' });
    expect(checkProfile(question.schema)).toEqual({ ok: true });
  });

  test('an unconfirmed message is not decided by the owner of the thread', () => {
    expect(decide({ choice: 'send_again' }, aPrincipal()).reply).toMatchObject({
      ok: false,
      code: 'not_allowed_to_decide',
    });
  });

  test('an unconfirmed message holds back further messages with delivery_unknown', () => {
    const { state, reply } = reduce(holding, { type: 'run', command: aRunCommand({ runId: 'run-3' }) }, after('2m'));
    expect(reply).toMatchObject({ ok: false, code: 'delivery_unknown' });
    expect(state).toBe(holding);
  });

  test('an unconfirmed message is sent again in the same turn, in a run of its own, when an operator says send_again', () => {
    const { state, effects } = decide({ choice: 'send_again' });
    expect(effects).toMatchObject([
      { kind: 'recordDecisions', holds: [{ status: 'decided' }], run: null },
      { kind: 'turn' },
    ]);
    expect(state).toMatchObject({
      phase: 'turn',
      turn: 2,
      isResendAllowed: true,
      send: { kind: 'message' },
      runId: ownRunIdOf(taskId, 'turn-2-again-4'),
      opener: 'standfast',
      holds: [],
      past: [{ holdId: unknown.holdId, status: 'decided' }],
    });
  });

  test('an unconfirmed message fails the task with delivery_unknown when an operator gives up, and then the agent is notified', () => {
    const { state, effects } = decide({ choice: 'give_up' });
    expect(effects).toEqual([{ kind: 'close' }, { kind: 'stopAgent' }]);
    expect(state).toMatchObject({
      phase: 'leaving',
      status: 'FAILED',
      end: { kind: 'failed', code: 'delivery_unknown', message: 'given up by opal' },
      runId: ownRunIdOf(taskId, 'turn-2-given-up'),
    });
  });

  test.each(['send_again', 'give_up'])('settled by %s does not tell of skipped entries a second time', (choice) => {
    expect(decide({ choice }).state.skipped).toEqual([]);
  });

  // Promise B9d
  test('a message that is unconfirmed because its agent is not configured any more is asked of operators, and tried again without a second sending', () => {
    const outcome = { kind: 'agent-gone', a2aTaskId: 'a2a-1', contextId: null } as const;
    const turning = aTask({ phase: 'turn', turn: 2, n: 3 });
    const asked = reduce(turning, { type: 'turn.done', outcome, now: after('1m') }, after('1m')).state;
    const [question] = asked.questions;
    expect(question).toMatchObject({ kind: 'operator', title: expect.stringContaining('not in the configuration') });
    expect(question && checkProfile(question.schema)).toEqual({ ok: true });
    const gone = { ...unknown, question: question ?? unknown.question };
    const waiting = { ...holding, holds: [gone] };
    const choose = (choice: string): Outcome =>
      reduce(
        waiting,
        { type: 'decide', command: aDecideCommand(anAnswer(gone, { values: { choice } }), { principal: operator }) },
        after('2m'),
      );
    expect(choose('try_again').state).toMatchObject({ phase: 'turn', turn: 2, isResendAllowed: false });
    expect(choose('give_up').state).toMatchObject({ phase: 'leaving', status: 'FAILED' });
  });

  test('an unconfirmed message that an operator cancels stops the task', () => {
    const command = aDecideCommand(aRefusal(unknown, 'leave it'), { principal: operator });
    const { state, effects } = reduce(holding, { type: 'decide', command }, after('2m'));
    expect(state).toMatchObject({ phase: 'stopping', cancel: { by: 'opal', reason: 'leave it' } });
    expect(effects.map((effect) => effect.kind)).toEqual(['recordDecisions', 'stopAgent']);
  });
});
