// Who answers or says something before history has what they saw.
import { describe, expect, test } from '@jest/globals';
import { holdIdOf } from '../../../src/core/base/ids.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Reply, TaskState } from '../../../src/core/task/task-state.ts';
import { aDecideCommand, aRunCommand, after, anAnswer, aTask, aWord, sha1Hex, taskId } from '../../rigs/factories.ts';

const now = after('1m');
const later = { ok: 'later', isBounded: true };
const decide = (state: TaskState, hold: string): Reply =>
  reduce(state, { type: 'decide', command: aDecideCommand(anAnswer({ interruptId: hold })) }, now).reply;

describe('an answer to a hold that is not known', () => {
  const working = aTask({ phase: 'turn', n: 2 });

  test.each([
    ['numbered after those that are', 'hitl-a2a-1-3'],
    ['named by a hold id', holdIdOf(sha1Hex, taskId, 3)],
  ])('an answer to a hold that is not known, %s, waits for the result of the turn that runs', (_, id) => {
    expect(decide(working, id)).toEqual(later);
    expect(decide(aTask({ phase: 'stopping', n: 2 }), id)).toEqual(later);
  });

  test.each([
    ['has a number that was used', 'hitl-a2a-1-2'],
    ['has none', 'nothing of ours'],
  ])('an answer to a hold that is not known is unknown where it %s', (_, id) => {
    expect(decide(working, id)).toMatchObject({ ok: false, code: 'interrupt_unknown' });
  });

  test('an answer to a hold that is not known is unknown where no turn runs', () => {
    const waiting = aTask({ phase: 'turn', n: 2, parked: { for: 'news', since: now } });
    for (const state of [waiting, aTask({ phase: 'holding' })])
      expect(decide(state, 'hitl-a2a-1-3')).toMatchObject({ ok: false, code: 'interrupt_unknown' });
  });

  test('an answer to a hold that is not known is closed once the task is ending', () => {
    expect(decide(aTask({ phase: 'leaving' }), 'hitl-a2a-1-3')).toMatchObject({ ok: false, code: 'hold_closed' });
  });
});

describe('a message whose sender saw', () => {
  const working = aTask({ phase: 'turn', n: 1 });
  const say = (seen: { taskId?: string; n?: number; isEnded?: boolean }): Reply[] => {
    const whole = { taskId, n: 1, isEnded: false, ...seen };
    return [
      reduce(working, { type: 'message', command: aWord('Why?', { seen: whole }) }, now).reply,
      reduce(working, { type: 'run', command: aRunCommand({ runId: 'run-9', seen: whole }) }, now).reply,
    ];
  };

  test('what the workflow knows goes to the agent that works', () => {
    for (const reply of say({})) expect(reply.ok).toBe(true);
  });

  test('a question that it does not know waits for the turn', () => {
    expect(say({ n: 2 })).toEqual([later, later]);
  });

  test('the end waits for the turn, and a run is refused with busy: it opens the next task when it comes again', () => {
    expect(say({ isEnded: true })).toEqual([later, expect.objectContaining({ ok: false, code: 'busy' })]);
  });

  test('the end of another task is about that one', () => {
    for (const reply of say({ taskId: 'another', isEnded: true })) expect(reply.ok).toBe(true);
  });
});

test('a run that was taken is confirmed again at once, whatever was seen since', () => {
  const known = aTask({ phase: 'turn', n: 0 });
  const [run] = known.runs;
  const command = aRunCommand({ runId: run?.runId ?? '', seen: { taskId, n: 1, isEnded: false } });
  expect(reduce(known, { type: 'run', command }, now).reply).toMatchObject({ ok: true, run: { kind: 'opened' } });
});
