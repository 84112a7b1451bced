import { describe, expect, test } from '@jest/globals';
import type { AnswerEntry, DecisionSource } from '../../../src/contract/holds/decision.ts';
import { holdOfNextTimer, nextTimerAt } from '../../../src/core/task/hold-time.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskState } from '../../../src/core/task/task-state.ts';
import {
  aDecideCommand,
  aResume,
  after,
  aHold,
  anAnswer,
  aPrincipal,
  aQuestion,
  aRefusal,
  aTask,
  aWord,
  aWordTo,
  type HoldOverrides,
} from '../../rigs/factories.ts';

const policy = { audience: ['owner', 'role:finance'], grace: '10m', ladder: [{ after: '5m', remind: true as const }] };
const olga = aPrincipal('olga');
const finn = aPrincipal('finn', 'finance');
const holding = (over: HoldOverrides = {}): TaskState =>
  aTask({ phase: 'holding', holds: [aHold({ n: 1, policy, ...over })] });
const hold = aHold({ n: 1, policy });

function decide(
  state: TaskState,
  entry: AnswerEntry,
  {
    now = after('2m'),
    principal = olga,
    source = 'page',
  }: { now?: string; principal?: typeof olga; source?: DecisionSource } = {},
): Outcome {
  return reduce(
    state,
    { type: 'decide', command: { ...aDecideCommand(entry, { principal, receivedAt: now }), source } },
    now,
  );
}
const undo = (state: TaskState, principal = olga, now = after('3m')): Outcome =>
  reduce(state, { type: 'amend', command: { hold: hold.holdId, principal, receivedAt: now, kind: 'undo' } }, now);
const pass = (state: TaskState, now: string): Outcome => reduce(state, { type: 'time.passed' }, now);
/** Passes the reminder, and what is due after it. */
const throughLadder = (state: TaskState, now: string): TaskState => pass(pass(state, now).state, now).state;
/** The holds, without whose grace was used up. */
const withoutGrace = ({ holds }: TaskState): unknown =>
  holds.map(({ plan: { graceUsedBy: _used, ...plan }, ...rest }) => ({ ...rest, plan }));

describe('a decision under a policy with a grace', () => {
  const taken = decide(holding(), anAnswer(hold));

  // Promise P22
  test('a decision under a policy with a grace is recorded with the time at which it is sent, and the agent receives nothing yet', () => {
    const decision = { by: 'olga', at: after('2m'), values: { city: 'Paris' } };
    expect(taken.reply).toMatchObject({
      ok: true,
      decide: { decision, isRepeat: false, taskStatus: 'NEEDS_REVIEW', sendAt: after('12m') },
    });
    expect(taken.state).toMatchObject({
      phase: 'holding',
      holds: [{ status: 'open', decision: null, outgoing: { decision, at: after('12m') } }],
    });
    const staged = { holdId: hold.holdId, outgoing: taken.state.holds[0]?.outgoing };
    expect(taken.effects).toEqual([{ kind: 'amendHolds', holdIds: [hold.holdId], run: null, failed: null, staged }]);
  });

  test('a decision under a policy with a grace is sent as it was given once its time has passed', () => {
    const reminded = pass(taken.state, after('11m')).state;
    expect(pass(reminded, after('11m'))).toMatchObject({ state: reminded, effects: [] });
    const { state, effects } = pass(pass(taken.state, after('12m')).state, after('12m'));
    expect(effects).toEqual([{ kind: 'turn' }]);
    expect(state).toMatchObject({
      phase: 'turn',
      status: 'USER_INPUT_RECEIVED',
      send: {
        kind: 'answers',
        answers: [
          {
            closed: {
              status: 'decided',
              decision: { by: 'olga', at: after('2m'), values: { city: 'Paris' } },
              ended: { by: 'olga', at: after('12m'), why: 'answered' },
            },
          },
        ],
      },
    });
  });

  // Promise P22
  test('a decision under a policy with a grace is taken back by its author, and the question is open as before', () => {
    const { state, effects, reply } = undo(taken.state);
    expect(reply).toMatchObject({ ok: true, amend: { holdId: hold.holdId } });
    expect(withoutGrace(state)).toEqual(withoutGrace(holding()));
    const undone = {
      holdId: hold.holdId,
      by: 'olga',
      at: after('3m'),
      credential: null,
      actor: null,
      decidedBy: 'olga',
    };
    expect(effects).toEqual([{ kind: 'amendHolds', holdIds: [hold.holdId], run: null, failed: null, undone }]);
    expect(pass(state, after('12m')).state.phase).toBe('holding');
    expect(decide(state, anAnswer(hold, { values: { city: 'Rome' } })).reply).toMatchObject({ ok: true });
  });

  test('a decision under a policy with a grace is not taken back by others who are asked', () => {
    expect(undo(taken.state, finn)).toMatchObject({ state: taken.state, reply: { code: 'not_allowed_to_decide' } });
  });

  // Promise P22a
  test.each([
    ['an operator', aPrincipal('otto', 'operator')],
    ['whom its policy escalates to', aPrincipal('lea', 'lead')],
  ])('a decision under a policy with a grace is taken back by %s, whose name its record has', (_who, principal) => {
    const ladder = [{ after: '5m', escalate: ['role:lead'] }];
    const { state } = decide(holding({ policy: { ...policy, ladder } }), anAnswer(hold));
    const { effects, reply } = undo(state, principal);
    expect(reply).toMatchObject({ ok: true });
    expect(effects).toMatchObject([{ undone: { by: principal.id, decidedBy: 'olga' } }]);
  });

  // Promise P22a
  test('a decision under a policy with a grace is taken back by no requester whom its policy leaves out, although it escalates to them', () => {
    const leaving = { ...policy, audience: ['role:finance'], exclude: ['requester' as const] };
    const ladder = [{ after: '5m', escalate: ['user:olga'] }];
    const { state } = decide(holding({ policy: { ...leaving, ladder } }), anAnswer(hold), { principal: finn });
    expect(undo(state, olga).reply).toMatchObject({ code: 'not_allowed_to_decide' });
  });

  // Promise P22a
  test.each([
    ['the same person', olga],
    ['the same person in another case', aPrincipal('OLGA', 'finance')],
  ])(
    'a decision under a policy with a grace that was taken back is followed by one of %s that is sent at once',
    (_who, principal) => {
      const { state } = undo(taken.state, aPrincipal('otto', 'operator'));
      const again = decide(state, anAnswer(hold), { now: after('4m'), principal });
      expect(again.reply).not.toHaveProperty('decide.sendAt');
      expect(again.state.phase).toBe('turn');
    },
  );

  // Promise P22a
  test('a decision under a policy with a grace that was taken back is followed by one of another person that waits', () => {
    const { state } = undo(taken.state);
    const next = decide(state, anAnswer(hold), { now: after('4m'), principal: finn });
    expect(next.reply).toMatchObject({ decide: { sendAt: after('14m') } });
  });

  // Promise P22
  test('a decision under a policy with a grace cannot be taken back once it was sent', () => {
    const state = throughLadder(taken.state, after('12m'));
    expect(undo(state, olga, after('12m'))).toMatchObject({ state, effects: [], reply: { code: 'hold_closed' } });
  });

  test('a decision under a policy with a grace that was taken back already is taken back by the same request again', () => {
    const { state } = undo(taken.state);
    expect(undo(state)).toMatchObject({ state, effects: [], reply: { ok: true } });
  });

  test('a decision under a policy with a grace is known again, and another one is refused until it is taken back', () => {
    expect(decide(taken.state, anAnswer(hold))).toMatchObject({
      state: taken.state,
      reply: { ok: true, decide: { isRepeat: true, sendAt: after('12m') } },
    });
    const other = decide(taken.state, anAnswer(hold, { values: { city: 'Rome' } }), { principal: finn });
    expect(other).toMatchObject({
      state: taken.state,
      reply: { code: 'hold_closed', data: { sendAt: after('12m'), by: 'olga' } },
    });
  });

  // Promise P22a
  test('a decision under a policy with a grace does not stop the ladder, which goes on while it waits', () => {
    const ladder = [{ after: '5m', escalate: ['role:lead'] }];
    const { state } = decide(holding({ policy: { ...policy, ladder } }), anAnswer(hold));
    const due = holdOfNextTimer(state);
    expect(due && nextTimerAt(due)).toBe(after('5m'));
    const escalated = pass(state, after('5m'));
    expect(escalated.effects).toMatchObject([{ kind: 'recordStep', step: { to: ['role:lead'] } }]);
    expect(escalated.state.holds).toMatchObject([{ audience: [...policy.audience, 'role:lead'], outgoing: {} }]);
    const next = holdOfNextTimer(escalated.state);
    expect(next && nextTimerAt(next)).toBe(after('12m'));
    expect(pass(escalated.state, after('12m')).state.phase).toBe('turn');
  });

  // Promise P22
  test('a decision under a policy with a grace is sent at the deadline at the latest', () => {
    const short = { ...policy, expire: { after: '5m', then: 'fail' as const } };
    const { reply, state } = decide(holding({ policy: short }), anAnswer(hold));
    expect(reply).toMatchObject({ decide: { sendAt: after('5m') } });
    expect(pass(state, after('5m')).state).toMatchObject({ phase: 'turn' });
  });

  test('a decision under a policy with a grace that refuses waits as well, and then ends the task whose agent takes no refusal', () => {
    const { state, reply } = decide(holding(), aRefusal(hold, 'no'));
    expect(reply).toMatchObject({ decide: { decision: { status: 'cancelled' }, sendAt: after('12m') } });
    expect(withoutGrace(undo(state).state)).toEqual(withoutGrace(holding()));
    expect(throughLadder(state, after('12m'))).toMatchObject({
      phase: 'stopping',
      cancel: { by: 'olga', reason: 'no' },
    });
  });

  test('a decision under a policy with a grace is never sent when its task is cancelled meanwhile', () => {
    const { state } = reduce(taken.state, { type: 'cancel', by: 'olga', reason: 'enough' }, after('3m'));
    expect(state).toMatchObject({ phase: 'stopping', holds: [{ status: 'cancelled', decision: null }] });
    expect(state.holds[0]).not.toHaveProperty('outgoing');
  });

  test('a decision under a policy with a grace keeps others from asking the agent back and from passing the question on', () => {
    const word = reduce(taken.state, { type: 'message', command: aWord('Why?', { principal: finn }) }, after('3m'));
    expect(word).toMatchObject({ state: taken.state, reply: { code: 'busy' } });
    const to = ['role:lead'];
    const command = {
      hold: hold.holdId,
      principal: finn,
      receivedAt: after('3m'),
      kind: 'reassign' as const,
      to,
      note: null,
    };
    expect(reduce(taken.state, { type: 'amend', command }, after('3m')).reply).toMatchObject({ code: 'hold_closed' });
  });

  test.each(['resume', 'signal', 'agent'] as const)(
    'a decision under a policy with a grace given by %s is sent at once',
    (source) => {
      expect(decide(holding(), anAnswer(hold), { source }).state.phase).toBe('turn');
    },
  );

  test('a decision under a policy with a grace is not covered by a resume, which answers the other questions of its pause', () => {
    const two = aHold({ n: 2 });
    const both = aTask({ phase: 'holding', holds: [hold, two] });
    const { state } = decide(both, anAnswer(hold));
    const resume = [anAnswer(hold, { values: { city: 'Rome' } }), anAnswer(two)];
    const run = reduce(state, { type: 'run', command: aResume(resume) }, after('3m'));
    expect(run.reply).toMatchObject({
      ok: true,
      run: { kind: 'resumed', skipped: [{ interruptId: hold.interruptId, code: 'hold_closed' }] },
    });
    expect(run.state).toMatchObject({ phase: 'holding', holds: [{ status: 'open' }, { status: 'decided' }] });
    expect(throughLadder(run.state, after('12m'))).toMatchObject({ phase: 'turn' });
  });

  test('a decision under a policy with a grace to a text question waits when it is written in the chat', () => {
    const text = aHold({ n: 1, policy, question: aQuestion({ kind: 'text' }) });
    const state = aTask({ phase: 'holding', holds: [text] });
    const { state: next } = reduce(
      state,
      { type: 'message', command: aWordTo(text, 'Rome', { principal: olga }) },
      after('2m'),
    );
    expect(next).toMatchObject({ phase: 'holding', holds: [{ outgoing: { decision: { source: 'chat' } } }] });
  });
});

describe('a quorum under a policy with a grace', () => {
  const two = { ...policy, quorum: 2 };
  const voted = decide(holding({ policy: two }), anAnswer(hold));
  const decided = decide(voted.state, anAnswer(hold), { principal: finn });

  test('a quorum under a policy with a grace lets the vote that completes it wait, not those before', () => {
    expect(voted.reply).toMatchObject({ decide: { decision: null } });
    expect(voted.reply).not.toHaveProperty('decide.sendAt');
    expect(decided.reply).toMatchObject({ decide: { sendAt: after('12m') } });
    expect(throughLadder(decided.state, after('12m'))).toMatchObject({
      send: { answers: [{ closed: { votes: [{ by: 'olga' }, { by: 'finn' }] } }] },
    });
  });

  test('a quorum under a policy with a grace keeps the votes before when the last one is taken back', () => {
    expect(withoutGrace(undo(decided.state, finn).state)).toEqual(withoutGrace(voted.state));
  });
});
