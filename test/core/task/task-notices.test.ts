import { describe, expect, test } from '@jest/globals';
import { reduce } from '../../../src/core/task/task.ts';
import type { TaskEffect, TaskEvent, TaskState } from '../../../src/core/task/task-state.ts';
import { askerChannel, callbackOf, withCallback } from '../../../src/core/questions/ask.ts';
import { aDecideCommand, after, aHold, anAnswer, aPrincipal, aQuestion, aSuper, aTask } from '../../rigs/factories.ts';
import { askDialect } from '../../../src/core/base/ids.ts';

const ladder = [
  { after: '1h', remind: true as const },
  { after: '2h', escalate: ['role:lead', 'agent:judge', 'agent:expenses'] },
];
const notifying = { notify: ['mail', 'chat'], ladder, expire: { after: '8h' } };
const hold = aHold({ policy: notifying });
const effectsOf = (state: TaskState, event: TaskEvent, now: string): TaskEffect[] => reduce(state, event, now).effects;
const holding = aTask({ phase: 'holding', holds: [hold] });

describe('a question that is passed on', () => {
  const move = (to: string[], notify?: string[], from = hold): ReturnType<typeof reduce> => {
    const command = {
      kind: 'reassign' as const,
      hold: from.holdId,
      principal: aSuper,
      receivedAt: after('1m'),
      to,
      note: 'I am away',
    };
    const state = aTask({ phase: 'holding', holds: [from] });
    const event = { type: 'amend' as const, command: notify === undefined ? command : { ...command, notify } };
    return reduce(state, event, after('1m'));
  };

  // Promise Q65
  test('a question that is passed on notifies its channels, and those of whom it goes to, which get the rest as well', () => {
    const { state, effects } = move(['user:ben', 'owner'], ['ben-chat']);
    const channels = ['mail', 'chat', 'ben-chat'];
    const cause = { by: 'local', to: ['user:ben'], note: 'I am away' };
    expect(effects).toMatchObject([
      { kind: 'amendHolds' },
      { kind: 'notify', event: 'reassigned', k: 1, channels, cause },
    ]);
    const event: TaskEvent = { type: 'time.passed' };
    expect(effectsOf(state, event, after('1h'))).toMatchObject([
      { kind: 'recordStep' },
      { kind: 'notify', event: 'reminder', channels },
    ]);
  });

  test('a question that is passed on notifies no channel of those who were asked already, nor one that an older version wrote down', () => {
    expect(move(['owner'], ['ben-chat']).effects).toMatchObject([{ kind: 'amendHolds' }]);
    expect(move(['user:ben']).effects).toMatchObject([{ kind: 'amendHolds' }]);
    expect(move(['user:ben'], [], aHold()).effects).toMatchObject([{ kind: 'amendHolds' }]);
  });

  test('a question that is passed on by Temporal’s own tools may name anything as channels', () => {
    for (const odd of [7, {}, [7, null]]) {
      const { effects } = move(['user:ben'], odd as never, aHold());
      expect(effects).toMatchObject([{ kind: 'amendHolds' }]);
    }
  });
});

describe('channels of a policy', () => {
  test('channels of a policy are notified that a question opened', () => {
    expect(effectsOf(aTask({ phase: 'opening' }), { type: 'holds.opened', holds: [hold] }, after('1m'))).toMatchObject([
      { kind: 'notify', event: 'opened', holdId: hold.holdId, k: 0, channels: ['mail', 'chat'] },
    ]);
  });

  test('channels of a policy are notified of a reminder and of an escalation, each by its own number', () => {
    expect(effectsOf(holding, { type: 'time.passed' }, after('1h'))).toMatchObject([
      { kind: 'recordStep' },
      { kind: 'notify', event: 'reminder', k: 0 },
    ]);
    const later = reduce(holding, { type: 'time.passed' }, after('1h')).state;
    expect(effectsOf(later, { type: 'time.passed' }, after('2h'))).toMatchObject([
      { kind: 'recordStep' },
      { kind: 'notify', event: 'escalation', k: 1 },
      { kind: 'askSupervisor', agent: 'judge', stepIndex: 1 },
    ]);
  });

  test('channels of a policy are notified of a decision once it is in its row', () => {
    expect(effectsOf(holding, { type: 'decide', command: aDecideCommand(anAnswer(hold)) }, after('1m'))).toMatchObject([
      { kind: 'turn' },
      { kind: 'recordDecisions', holds: [{ holdId: hold.holdId, status: 'decided' }] },
      { kind: 'notify', event: 'decided' },
    ]);
  });

  test('channels of a policy are notified that a question waits no more: the task was cancelled, or the agent went on', () => {
    const over = [{ kind: 'notify', event: 'decided', holdId: hold.holdId, channels: ['mail', 'chat'] }];
    const cancel: TaskEvent = { type: 'cancel', by: 'ana', reason: 'cancelled by ana' };
    const cancelled = reduce(holding, cancel, after('1m'));
    const stopped: TaskEvent = { type: 'agent.stopped', state: 'canceled', message: '' };
    const effects = [...cancelled.effects, ...effectsOf(cancelled.state, stopped, after('1m'))];
    expect(effects.filter(({ kind: what }) => what === 'notify')).toMatchObject(over);
    const moved: TaskEvent = { type: 'agent.moved', kind: 'pause', watchVersion: hold.n };
    expect(effectsOf(holding, moved, after('1m')).filter(({ kind: what }) => what === 'notify')).toMatchObject(over);
  });

  test('channels of a policy are notified of a question that a newer one takes the place of, once the newer one is written', () => {
    const ended = { by: 'agent:expenses', at: after('1m'), why: 'superseded' as const };
    const old = { ...hold, status: 'withdrawn' as const, ended };
    const newer = aHold({ n: 2, policy: notifying, supersedes: old.holdId });
    const opening = aTask({ phase: 'opening', holds: [old] });
    expect(effectsOf(opening, { type: 'holds.opened', holds: [newer] }, after('1m'))).toMatchObject([
      { kind: 'notify', event: 'superseded', holdId: old.holdId, channels: ['mail', 'chat'] },
      { kind: 'notify', event: 'opened', holdId: newer.holdId },
    ]);
  });

  test('channels of a policy are notified that no answer came, before the agent is', () => {
    const due = aTask({ phase: 'holding', holds: [aHold({ policy: { ...notifying, ladder: [] } })] });
    expect(effectsOf(due, { type: 'time.passed' }, after('8h'))).toMatchObject([
      { kind: 'close' },
      { kind: 'notify', event: 'expired' },
      { kind: 'stopAgent' },
    ]);
  });

  test('those of the users a step asks are notified of that step and of the end', () => {
    const { plan } = hold;
    const steps = plan.steps.map((step, index) => (index === 1 ? { ...step, notify: ['leas-chat'] } : step));
    const called = aHold({ policy: notifying, plan: { ...plan, steps }, stepsTaken: 1 });
    const stepped = reduce(aTask({ phase: 'holding', holds: [called] }), { type: 'time.passed' }, after('2h'));
    expect(stepped.effects[1]).toMatchObject({ channels: ['mail', 'chat', 'leas-chat'] });
    const ends = effectsOf(stepped.state, { type: 'decide', command: aDecideCommand(anAnswer(hold)) }, after('3h'));
    expect(ends[2]).toMatchObject({ event: 'decided', channels: ['mail', 'chat', 'leas-chat'] });
  });

  test('a question without channels costs nothing', () => {
    const quiet = aTask({ phase: 'holding', holds: [aHold({ policy: { ...notifying, notify: [] } })] });
    const effects = effectsOf(quiet, { type: 'decide', command: aDecideCommand(anAnswer()) }, after('1m'));
    expect(effects).toEqual([{ kind: 'turn' }]);
  });
});

describe('a supervisor agent', () => {
  const asked = aTask({ phase: 'holding', holds: [aHold({ policy: { audience: ['agent:judge'] } })] });
  const decide = (id: string): TaskEvent => ({
    type: 'decide',
    command: aDecideCommand(anAnswer(), { principal: aPrincipal(id), source: 'agent' }),
  });

  test('a supervisor agent decides by its own name, as its own source', () => {
    const { state } = reduce(asked, decide('agent:judge'), after('2m'));
    expect(state.send).toMatchObject({ answers: [{ closed: { decision: { by: 'agent:judge', source: 'agent' } } }] });
  });

  test('a supervisor agent decides nothing that it is not asked', () => {
    expect(reduce(asked, decide('agent:other'), after('2m')).reply).toMatchObject({ code: 'not_allowed_to_decide' });
    expect(reduce(holding, decide('agent:judge'), after('2m')).reply).toMatchObject({ code: 'not_allowed_to_decide' });
  });
});

describe('reminders that were missed while no worker ran', () => {
  // Promise Q28
  test('reminders that were missed while no worker ran are given once: the last of those in a row', () => {
    const daily = { ladder: [{ after: '1h', remind: true as const, every: '1d' }], expire: { after: '90d' } };
    const away = aTask({ phase: 'holding', holds: [aHold({ policy: daily })] });
    const { state, effects } = reduce(away, { type: 'time.passed' }, after('241h'));
    expect(effects).toMatchObject([{ kind: 'recordStep', index: 10, step: { at: after('241h') } }]);
    expect(state.holds[0]?.nextStep).toMatchObject({ do: 'remind', at: after('265h') });
  });

  test('reminders that were missed while no worker ran leave out no escalation between them', () => {
    const mixed = {
      ladder: [...ladder, { after: '3h', remind: true as const }, { after: '4h', remind: true as const }],
    };
    let state = aTask({ phase: 'holding', holds: [aHold({ policy: mixed })] });
    const taken: number[] = [];
    for (let moment = 0; moment < 3; moment += 1) {
      const outcome = reduce(state, { type: 'time.passed' }, after('5h'));
      state = outcome.state;
      taken.push(...outcome.effects.flatMap((effect) => (effect.kind === 'recordStep' ? [effect.index] : [])));
    }
    expect(taken).toEqual([0, 1, 3]);
  });
});

describe('a program that gave an address with its question', () => {
  const callback = { url: 'https://example.org/hook', id: 'pay-1' };
  const question = withCallback(aQuestion({ dialect: askDialect }), callback);
  const asked = aHold({ question });
  const state = aTask({ phase: 'holding', holds: [asked] });
  const notified = (event: TaskEvent, now: string): TaskEffect[] =>
    effectsOf(state, event, now).filter(({ kind }) => kind === 'notify');

  test('a program that gave an address with its question is notified of an answer and of an expiry, and of nothing else', () => {
    const channels = [askerChannel];
    const decide: TaskEvent = { type: 'decide', command: aDecideCommand(anAnswer(asked)) };
    expect(notified(decide, after('1m'))).toMatchObject([{ event: 'decided', channels }]);
    expect(notified({ type: 'time.passed' }, after('25h'))).toMatchObject([{ event: 'expired', channels }]);
  });

  test('a program that gave an address with its question is not believed where the question is an agent’s', () => {
    expect(callbackOf({ ...question, dialect: 'plain' })).toBeNull();
  });
});
