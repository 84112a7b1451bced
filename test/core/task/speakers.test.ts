// Who spoke in a task has a part in what is asked there.
import { describe, expect, test } from '@jest/globals';
import { newTask, reduce } from '../../../src/core/task/task.ts';
import type { TaskState } from '../../../src/core/task/task-state.ts';
import { mayDecide } from '../../../src/core/policy/audience.ts';
import { aDecideCommand, aRunCommand, after, aHold, anAnswer, aPrincipal, aTask, aWord } from '../../rigs/factories.ts';

const fourEyes = { audience: ['role:finance'], exclude: ['requester' as const] };
const finn = aPrincipal('finn', 'finance');
const fay = aPrincipal('fay', 'finance');
const decide = (state: TaskState, principal = finn) => {
  const [hold] = state.holds;
  return reduce(state, { type: 'decide', command: aDecideCommand(anAnswer(hold), { principal }) }, after('3m'));
};

// Promise T7
describe('who spoke in a task', () => {
  test('who spoke in a task while the agent worked may not decide what it asks then, where the requester may not', () => {
    const working = aTask({ phase: 'turn' });
    const command = aWord('make it 900', { principal: finn });
    const { state } = reduce(working, { type: 'message', command }, after('1m'));
    const opening: TaskState = { ...state, phase: 'opening' };
    const opened = reduce(opening, { type: 'holds.opened', holds: [aHold({ policy: fourEyes })] }, after('2m'));
    const [hold] = opened.state.holds;
    expect(opened.effects).toContainEqual({ kind: 'amendHolds', holdIds: [hold?.holdId], run: null, failed: null });
    expect(decide(opened.state)).toMatchObject({
      state: opened.state,
      reply: { code: 'not_allowed_to_decide', message: expect.stringContaining('those who spoke in the task: finn') },
    });
    expect(decide(opened.state, fay).reply).toMatchObject({ ok: true });
  });

  test('who spoke in a task before a decision may not take it any more, and their vote is void', () => {
    const careful = aHold({ policy: { ...fourEyes, quorum: 2 } });
    const voted = decide(aTask({ phase: 'holding', holds: [careful] })).state;
    expect(voted.holds[0]?.votes).toMatchObject([{ by: 'finn' }]);
    const asked = reduce(voted, { type: 'message', command: aWord('why?', { principal: finn }) }, after('4m'));
    expect(asked.state.holds[0]).toMatchObject({ votes: [], plan: { requesters: ['finn'] } });
    expect(mayDecide(asked.state.holds[0] ?? careful, finn, 'olga')).toBe(false);
    expect(mayDecide(asked.state.holds[0] ?? careful, fay, 'olga')).toBe(true);
  });

  test('who spoke in a task may decide where the requester may, and who answers a text has not spoken', () => {
    const asked = reduce(
      aTask({ phase: 'holding', holds: [aHold({ policy: { audience: ['role:finance'] } })] }),
      { type: 'message', command: aWord('why?', { principal: finn }) },
      after('1m'),
    );
    expect(mayDecide(asked.state.holds[0] ?? aHold(), finn, 'olga')).toBe(true);
  });

  test('who spoke in a task is who opened the task on a thread of another owner, and the back end that did it for them', () => {
    const opening = aRunCommand({ principal: { ...aPrincipal('opal', 'operator'), actor: 'shop' } });
    const { taskId, agent, threadId, owner } = aTask();
    const limits = { silenceMs: null, totalMs: null };
    const start = {
      version: 1 as const,
      taskId,
      agent,
      threadId,
      owner,
      opening,
      contextId: null,
      publicUrl: '',
      limits,
    };
    expect(newTask({ ...start, restartOf: null }).spoke).toEqual(['opal', 'shop']);
    expect(newTask({ ...start, restartOf: null, opening: aRunCommand() }).spoke).toEqual([]);
  });

  test('who spoke in a task may not decide in the place of another person either', () => {
    const hold = aHold({ policy: fourEyes });
    const spoken = { ...hold, plan: { ...hold.plan, requesters: ['finn'] } };
    expect(mayDecide(spoken, { ...aPrincipal('ida'), alsoFor: ['user:finn'] }, 'olga')).toBe(false);
  });
});
