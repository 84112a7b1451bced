import { describe, expect, test } from '@jest/globals';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import type { SupervisorCall } from '../../../src/contract/configuration/policy.ts';
import { reduce } from '../../../src/core/task/task.ts';
import { agentsAmong, callsUnderWay, withCalls } from '../../../src/core/task/supervisors.ts';
import type { TaskEvent, TaskState } from '../../../src/core/task/task-state.ts';
import {
  aDecideCommand,
  after,
  aHold,
  anAnswer,
  aPrincipal,
  aSuper,
  aTask,
  type HoldOverrides,
  openedAt,
} from '../../rigs/factories.ts';

/** A hold that keeps count of the agents it calls, and has called these. */
function calling(policy: HoldOverrides['policy'], agents: string[], over: HoldOverrides = {}): Hold {
  const hold = aHold({ ...over, policy: { audience: agents.map((name) => `agent:${name}`), ...policy } });
  return withCalls({ ...hold, plan: { ...hold.plan, supervisors: [] } }, agents, -1, openedAt);
}
const callsOf = (state: TaskState): SupervisorCall[] => state.holds[0]?.plan.supervisors ?? [];
const done = (hold: Hold, agent: string, why: string | null): TaskEvent => ({
  type: 'supervisor.done',
  holdId: hold.holdId,
  agent,
  call: -1,
  why,
});

describe('an agent in the audience', () => {
  // Promise P17
  test('an agent in the audience is asked as soon as the question opens, and never about its own', () => {
    expect(agentsAmong(['agent:judge', 'role:x', 'agent:expenses', 'agent:judge'], 'expenses')).toEqual(['judge']);
    const hold = calling({}, ['judge', 'clerk']);
    const { effects } = reduce(aTask({ phase: 'opening' }), { type: 'holds.opened', holds: [hold] }, openedAt);
    expect(effects).toEqual([
      { kind: 'askSupervisor', holdId: hold.holdId, agent: 'judge', stepIndex: -1 },
      { kind: 'askSupervisor', holdId: hold.holdId, agent: 'clerk', stepIndex: -1 },
    ]);
  });

  test('an agent in the audience is not asked where the task was cancelled while the question was being written', () => {
    const opening = aTask({ phase: 'opening', cancel: { by: 'olga', reason: '' } });
    const { effects } = reduce(opening, { type: 'holds.opened', holds: [calling({}, ['judge'])] }, openedAt);
    expect(effects.map((effect) => effect.kind)).not.toContain('askSupervisor');
  });

  test.each<[string, HoldOverrides['policy'], string]>([
    ['the expiry', { expire: { after: '4h' } }, after('4h')],
    ['the next escalation', { ladder: [{ after: '2h', escalate: ['role:x'] }], expire: { after: '4h' } }, after('2h')],
    ['no reminder', { ladder: [{ after: '1m', remind: true, every: '1m' }], expire: { after: '4h' } }, after('4h')],
    [
      'three weeks where nothing else ends it',
      { ladder: [{ after: '1d', remind: true, every: '1d' }], expire: { after: '1d', then: 'keep-open' } },
      after('21d'),
    ],
  ])('an agent in the audience has time until %s', (_, policy, until) => {
    expect(calling(policy, ['judge']).plan.supervisors).toMatchObject([{ agent: 'judge', until }]);
  });

  test('an agent in the audience that a late step asks has time until a step that has not come yet', () => {
    const ladder = ['1h', '2h', '20h'].map((at, index) => ({ after: at, escalate: [`agent:a${index}`] }));
    const hold = aHold({ policy: { ladder } });
    let state = aTask({ phase: 'holding', holds: [{ ...hold, plan: { ...hold.plan, supervisors: [] } }] });
    for (let step = 0; step < 2; step += 1) state = reduce(state, { type: 'time.passed' }, after('9h')).state;
    expect(callsOf(state)).toMatchObject([
      { agent: 'a0', call: 0, at: after('9h'), until: after('20h') },
      { agent: 'a1', call: 1, until: after('20h') },
    ]);
  });

  test('an agent in the audience that does not decide leaves its reason with the question, and is not asked on', () => {
    const hold = calling({}, ['judge', 'clerk']);
    const holding = aTask({ phase: 'holding', holds: [hold] });
    const { state, effects } = reduce(holding, done(hold, 'judge', 'no idea'), after('5m'));
    expect(callsOf(state)).toMatchObject([
      { agent: 'judge', doneAt: after('5m'), why: 'no idea' },
      { agent: 'clerk', doneAt: null },
    ]);
    expect(effects).toEqual([{ kind: 'amendHolds', holdIds: [hold.holdId], run: null, failed: null }]);
    expect(state.holds.flatMap(callsUnderWay)).toMatchObject([{ agent: 'clerk' }]);
    expect(state).toMatchObject({ phase: 'holding', status: 'NEEDS_REVIEW' });
  });

  test('an agent in the audience votes once, like a person, where several must agree', () => {
    const hold = calling({ audience: ['agent:judge', 'role:finance'], quorum: 2 }, ['judge']);
    const judge = aPrincipal('agent:judge');
    const command = aDecideCommand(anAnswer(hold), { principal: judge, source: 'agent' });
    const voted = reduce(aTask({ phase: 'holding', holds: [hold] }), { type: 'decide', command }, after('5m')).state;
    expect(voted.holds[0]).toMatchObject({ status: 'open', votes: [{ by: 'agent:judge' }] });
    const answered = reduce(voted, done(hold, 'judge', null), after('5m')).state;
    expect(answered.holds.flatMap(callsUnderWay)).toEqual([]);
    const again = aDecideCommand(anAnswer(hold, { values: { city: 'Rome' } }), { principal: judge, source: 'agent' });
    expect(reduce(answered, { type: 'decide', command: again }, after('6m')).reply).toMatchObject({
      code: 'already_voted',
    });
    const person = aDecideCommand(anAnswer(hold), { principal: aPrincipal('finn', 'finance') });
    expect(reduce(answered, { type: 'decide', command: person }, after('6m')).state).toMatchObject({ phase: 'turn' });
  });

  test('an agent in the audience whose question has ended says nothing more', () => {
    const hold = calling({}, ['judge']);
    const holding = aTask({ phase: 'holding', holds: [hold] });
    const ended = reduce(holding, { type: 'cancel', by: 'olga', reason: '' }, after('1m')).state;
    expect(ended.holds.flatMap(callsUnderWay)).toEqual([]);
    expect(reduce(ended, done(hold, 'judge', 'late'), after('2m')).state).toBe(ended);
  });
});

describe('a question that is handed over to an agent', () => {
  const reassign = (state: TaskState, to: string[]): ReturnType<typeof reduce> =>
    reduce(
      state,
      {
        type: 'amend',
        command: { kind: 'reassign', hold: aHold().holdId, principal: aSuper, receivedAt: after('1m'), to, note: null },
      },
      after('1m'),
    );
  const counting = calling({ audience: ['role:finance'] }, []);
  const holding = aTask({ phase: 'holding', holds: [{ ...counting, plan: { ...counting.plan, supervisors: [] } }] });

  test('a question that is handed over to an agent is asked of it at once, each time by another message, and is the operators’ as well', () => {
    const first = reassign(holding, ['agent:judge']);
    expect(first.effects).toMatchObject([
      { kind: 'amendHolds' },
      { kind: 'askSupervisor', agent: 'judge', stepIndex: -2 },
    ]);
    expect(first.state.holds[0]?.audience).toEqual(['agent:judge', 'role:operator']);
    const second = reassign(first.state, ['agent:judge', 'role:x']);
    expect(second.effects).toMatchObject([{ kind: 'amendHolds' }, { agent: 'judge', stepIndex: -3 }]);
    expect(second.effects).toHaveLength(2);
  });

  test('a question that is handed over to an agent is not asked of it where it is its own', () => {
    expect(reassign(holding, ['agent:expenses']).effects).toMatchObject([{ kind: 'amendHolds' }]);
  });
});
