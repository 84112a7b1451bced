import { describe, expect, test } from '@jest/globals';
import { holdOfNextTimer } from '../../../src/core/task/hold-time.ts';
import { ownRunIdOf } from '../../../src/core/base/ids.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskState } from '../../../src/core/task/task-state.ts';
import { aDecideCommand, after, aHold, anAnswer, aTask, taskId } from '../../rigs/factories.ts';
import type { HoldOverrides } from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

const holding = (...requests: HoldOverrides[]): TaskState =>
  aTask({ phase: 'holding', holds: requests.map((request, index) => aHold({ n: index + 1, ...request })) });
const pass = (state: TaskState, now: string): Outcome => reduce(state, { type: 'time.passed' }, now);
const expiring = (then: 'fail' | 'cancel' | 'reject' | 'default', over: HoldOverrides = {}): HoldOverrides => ({
  policy: { expire: { after: '2h', then } },
  ...over,
});

describe('the clock', () => {
  const ladder = [
    { after: '30m', remind: true as const },
    { after: '1h', escalate: ['role:lead'] },
  ];
  const task = holding({ policy: { audience: ['role:finance'], ladder } });

  test('the clock does nothing before a step is due', () => {
    expect(pass(task, after('29m'))).toEqual({ state: task, effects: [], reply: { ok: true } });
  });

  test('the clock takes a step at its very moment, and says what comes next', () => {
    const { state, effects } = pass(task, after('30m'));
    expect(effects).toEqual([
      {
        kind: 'recordStep',
        holdId: task.holds[0]?.holdId,
        index: 0,
        step: { at: after('30m'), do: 'remind', to: [], replace: false, everyMs: null },
      },
    ]);
    expect(state.holds[0]).toMatchObject({
      stepsTaken: 1,
      audience: ['role:finance'],
      nextStep: { at: after('1h'), do: 'escalate', to: ['role:lead'] },
    });
  });

  // Promise C2
  test('the clock takes what it missed one by one, in order', () => {
    const reminded = pass(task, after('23h'));
    const escalated = pass(reminded.state, after('23h'));
    expect([...reminded.effects, ...escalated.effects]).toMatchObject([
      { index: 0, step: { do: 'remind' } },
      { index: 1, step: { do: 'escalate' } },
    ]);
    expect(pass(escalated.state, after('23h')).effects).toEqual([]);
  });

  test('the clock adds those an escalation names', () => {
    const { state } = pass(pass(task, after('1h')).state, after('1h'));
    expect(state.holds[0]?.audience).toEqual(['role:finance', 'role:lead']);
  });

  test('the clock moves the audience with replace', () => {
    const moving = holding({ policy: { ladder: [{ after: '1h', escalate: ['role:lead'], replace: true }] } });
    expect(pass(moving, after('1h')).state.holds[0]?.audience).toEqual(['role:lead']);
  });

  test('the clock repeats a reminder until the hold expires', () => {
    const repeating = holding({
      policy: { ladder: [{ after: '30m', remind: true, every: '1h' }], expire: { after: '2h' } },
    });
    const first = pass(repeating, after('30m'));
    const second = pass(first.state, after('90m'));
    expect(second.effects).toMatchObject([{ kind: 'recordStep', index: 1, step: { do: 'remind', at: after('90m') } }]);
    expect(second.state.holds[0]?.nextStep).toEqual({ at: after('2h'), do: 'expire', to: [] });
  });

  test('the clock never takes a step on a hold that is closed', () => {
    const two = holding({ policy: { ladder } }, { policy: { ladder } });
    const [one] = two.holds;
    const { state } = reduce(two, { type: 'decide', command: aDecideCommand(anAnswer(one)) }, after('5m'));
    expect(pass(state, after('40m')).effects).toMatchObject([{ holdId: two.holds[1]?.holdId }]);
  });
});

describe('a hold without an answer in time', () => {
  // Promise C3
  test('a hold without an answer in time fails the task: first the hold closes and everybody is notified, then the agent', () => {
    const { state, effects } = pass(holding(expiring('fail'), {}), after('2h'));
    expect(state).toMatchObject({
      phase: 'leaving',
      status: 'FAILED',
      runId: ownRunIdOf(taskId, 'expired'),
      opener: 'standfast',
      holds: [
        { status: 'expired', decision: null, nextStep: null },
        { status: 'withdrawn', nextStep: null },
      ],
      end: {
        kind: 'failed',
        code: 'hold_expired',
        message: `no answer to "Trip" by ${after('2h')} (policy finance)`,
      },
    });
    expect(effects).toEqual([{ kind: 'close' }, { kind: 'stopAgent' }]);
    expect(reduce(state, { type: 'agent.stopped', state: 'unknown', message: '' }, after('3h')).state).toBe(state);
  });

  test.each(['cancel', 'reject'] as const)(
    'a hold without an answer in time stops the task with then: %s, where no refusal can be carried',
    (then) => {
      const { state, effects } = pass(holding(expiring(then), {}), after('2h'));
      expect(state).toMatchObject({
        phase: 'stopping',
        holds: [{ status: 'expired' }, { status: 'withdrawn' }],
        cancel: { by: 'policy:finance', reason: 'no answer to "Trip" in time' },
        runId: ownRunIdOf(taskId, 'expired'),
      });
      expect(state.status).not.toBe('NEEDS_REVIEW');
      expect(effects.map((effect) => effect.kind)).toEqual(['recordDecisions', 'stopAgent']);
    },
  );

  test('a hold without an answer in time is refused with then: reject, where the agent can be sent a refusal', () => {
    const { state, effects } = pass(holding(expiring('reject', { canRefuse: true })), after('2h'));
    expect(effects).toEqual([{ kind: 'turn' }]);
    expect(state.send).toMatchObject({
      answers: [
        { closed: { status: 'cancelled', decision: { by: 'policy:finance', status: 'cancelled', values: {} } } },
      ],
    });
  });

  test('a hold without an answer in time is answered with its defaults with then: default, by the policy', () => {
    const { state, effects } = pass(holding(expiring('default')), after('2h'));
    expect(effects).toEqual([{ kind: 'turn' }]);
    expect(state).toMatchObject({ turn: 2, runId: ownRunIdOf(taskId, 'turn-2'), opener: 'standfast' });
    expect(state.send).toMatchObject({
      answers: [
        {
          closed: {
            status: 'expired',
            decision: { by: 'policy:finance', at: after('2h'), status: 'resolved', values: { city: 'Bonn' } },
          },
        },
      ],
    });
  });

  test('a hold without an answer in time fails the task with then: default, where it has no defaults', () => {
    const hold = aHold(expiring('default'));
    const bare = aTask({ phase: 'holding', holds: [{ ...hold, plan: { ...hold.plan, defaults: null } }] });
    expect(pass(bare, after('2h')).state.end).toMatchObject({ kind: 'failed', code: 'hold_expired' });
  });

  test('a hold without an answer in time stays open with then: keep-open, and is reminded of for ever', () => {
    const ladder = [{ after: '1h', remind: true as const, every: '1d' }];
    let state = holding({ policy: { ladder, expire: { after: '2h', then: 'keep-open' } } });
    for (let day = 0; day < 30; day += 1) state = pass(state, after(`${1 + 24 * day}h`)).state;
    expect(state).toMatchObject({ phase: 'holding', holds: [{ status: 'open', stepsTaken: 30 }] });
    expect(state.holds[0]?.nextStep).toMatchObject({ do: 'remind', at: after('721h') });
  });
});

describe('after a downtime', () => {
  const passed = (state: TaskState, now: string): { state: TaskState; steps: number[] } => {
    const steps: number[] = [];
    let at = state;
    for (;;) {
      const { state: next, effects } = pass(at, now);
      if (next === at) return { state: at, steps };
      at = next;
      steps.push(...effects.flatMap((effect) => (effect.kind === 'recordStep' ? [effect.index] : [])));
    }
  };

  test('after a downtime of whatever length a repeating reminder is given once, and then at its times', () => {
    const shape = fc.record({ every: fc.integer({ min: 1, max: 500 }), away: fc.integer({ min: 0, max: 100_000 }) });
    fc.assert(
      fc.property(shape, ({ every, away }) => {
        const ladder = [{ after: '1m', remind: true as const, every: `${every}m` }];
        const task = holding({ policy: { ladder, expire: { after: '1h', then: 'keep-open' } } });
        const now = after(`${1 + away}m`);
        const { state, steps } = passed(task, now);
        expect(steps).toHaveLength(1);
        const next = state.holds[0]?.nextStep?.at ?? '';
        expect(next > now).toBe(true);
        expect(Date.parse(next) - Date.parse(now)).toBeLessThanOrEqual(every * 60_000);
      }),
      { numRuns: runs(200) },
    );
  });

  test('no escalation of a ladder is left out, and its reminders in a row are one', () => {
    const ladder = [
      { after: '1h', remind: true as const },
      { after: '2h', remind: true as const },
      { after: '3h', escalate: ['role:lead'] },
      { after: '4h', remind: true as const, every: '1h' },
    ];
    const task = holding({ policy: { ladder, expire: { after: '1h', then: 'keep-open' } } });
    const { state, steps } = passed(task, after('100h'));
    expect(steps).toEqual([1, 2, 99]);
    expect(state.holds[0]).toMatchObject({ audience: ['owner', 'role:lead'], nextStep: { at: after('101h') } });
  });
});

describe('a reminder that repeats in office hours', () => {
  const calendar = { zone: 'Europe/Berlin', hours: 'Mon-Fri 09:00-17:00' };
  const ladder = [{ after: '1h', remind: true as const, every: '8h' }];
  const expire = { after: '1h', then: 'keep-open' as const };
  const task = holding({ policy: { ladder, expire, calendar } });
  const { holdId = '' } = task.holds[0] ?? {};
  const found = (state: TaskState, index: number, at: string): Outcome =>
    reduce(state, { type: 'repeat.found', holdId, index, at }, at);

  test('a reminder that repeats in office hours has its next time as soon as somebody has read the calendar, and waits for nothing until then', () => {
    const reminded = pass(task, after('1h')).state;
    expect(reminded.holds[0]?.nextStep).toBeNull();
    const { state } = found(reminded, 1, after('25h'));
    expect(state.holds[0]?.nextStep).toEqual({ at: after('25h'), do: 'remind', to: [] });
    const again = pass(state, after('25h'));
    expect(again.effects).toMatchObject([{ kind: 'recordStep', index: 1, step: { at: after('25h'), do: 'remind' } }]);
    expect(again.state.holds[0]).toMatchObject({ stepsTaken: 2, nextStep: null });
  });

  test('a reminder that repeats in office hours takes no time that was found for another step, or for a question that has ended', () => {
    const reminded = pass(task, after('1h')).state;
    expect(found(reminded, 2, after('25h')).state).toBe(reminded);
    const closed = reduce(reminded, { type: 'cancel', by: 'olga', reason: '' }, after('2h')).state;
    expect(found(closed, 1, after('25h')).state).toBe(closed);
  });
});

describe('two holds with different deadlines', () => {
  test('two holds with different deadlines are taken in the order of their next steps', () => {
    const late = { policy: { expire: { after: '5h', then: 'default' as const } } };
    const soon = { policy: { expire: { after: '2h', then: 'default' as const } } };
    const task = holding(late, soon);
    expect(holdOfNextTimer(task)?.n).toBe(2);
    const first = pass(task, after('2h'));
    expect(first.effects).toMatchObject([
      { kind: 'recordDecisions', holds: [{ holdId: task.holds[1]?.holdId }], run: null },
    ]);
    expect(first.state).toMatchObject({
      phase: 'holding',
      status: 'NEEDS_REVIEW',
      holds: [{ status: 'open' }, { status: 'expired' }],
    });
    expect(holdOfNextTimer(first.state)?.n).toBe(1);
    expect(pass(first.state, after('5h')).effects).toEqual([{ kind: 'turn' }]);
  });

  test('an answer to the later one waits for the default of the sooner one', () => {
    const task = holding({ policy: { expire: { after: '5h' } } }, expiring('default'));
    const staged = reduce(
      task,
      { type: 'decide', command: aDecideCommand(anAnswer(task.holds[0])) },
      after('1h'),
    ).state;
    expect(pass(staged, after('2h')).state.send).toMatchObject({
      answers: [{ closed: { decision: { by: 'olga' } } }, { closed: { decision: { by: 'policy:finance' } } }],
    });
  });

  test('two holds with different deadlines that are due at the same moment are taken in the order they were asked', () => {
    const task = holding({}, {}, {});
    expect(holdOfNextTimer(task)?.n).toBe(1);
    expect(holdOfNextTimer({ ...task, holds: task.holds.toReversed() })?.n).toBe(3);
  });
});
