import { describe, expect, test } from '@jest/globals';
import type { TurnOutcome } from '../../src/contract/tasks/turn.ts';
import { askedAgainOf } from '../../src/core/task/asked-again.ts';
import { ownRunIdOf } from '../../src/core/base/ids.ts';
import { reduce } from '../../src/core/task/task.ts';
import type { Outcome, MessageCommand, TaskState } from '../../src/core/task/task-state.ts';
import {
  aDecideCommand,
  aDeliveryUnknown,
  after,
  aHold,
  anAnswer,
  aPrincipal,
  aQuestion,
  aResume,
  aSuper,
  aTask,
  aWord,
  aWordTo,
  taskId,
} from '../rigs/factories.ts';

const ids = { a2aTaskId: 'a2a-1', contextId: 'context-1' };
const word = aWord('Why so dear?');
const say = (state: TaskState, command: MessageCommand = word, now = after('2m')): Outcome =>
  reduce(state, { type: 'message', command }, now);
const done = (state: TaskState, outcome: TurnOutcome, now = after('3m')): Outcome =>
  reduce(state, { type: 'turn.done', outcome, now }, now);
const paused = (questions = [aQuestion()], pauseMessageId: string | null = 'm-2'): TurnOutcome => ({
  kind: 'paused',
  ...ids,
  state: 'input-required',
  pauseMessageId,
  explanation: 'Because.',
  questions,
});
const holding = (...holds: TaskState['holds']): TaskState =>
  aTask({ phase: 'holding', holds: holds.length === 0 ? [aHold()] : holds, pauseMessageId: 'm-1' });
const asked = (state = holding()): TaskState => say(state).state;

// Promise Y79i
test.each<[string, TaskState]>([
  ['its agent works', aTask({ phase: 'turn', status: 'IN_PROGRESS' })],
  ['its agent asks for a form', holding(aHold({ n: 2 }))],
])('a word that was proved as an answer is sent to no task where %s by then', (_what, state) => {
  const ended = aHold({ question: aQuestion({ kind: 'text' }) });
  const outcome = say(state, aWordTo(ended, 'Yes, pay'));
  expect(outcome).toMatchObject({ effects: [], reply: { ok: false, code: 'changed_meanwhile' } });
  expect(outcome.state).toBe(state);
});

describe('a word to a paused agent', () => {
  test('a word to a paused agent answers a text question, as its decision', () => {
    const hold = aHold({ question: aQuestion({ kind: 'text' }) });
    const { state, reply } = say(holding(hold), aWordTo(hold, 'Why so dear?'));
    expect(reply).toMatchObject({ ok: true, message: { kind: 'decided', taskStatus: 'USER_INPUT_RECEIVED' } });
    expect(state.send).toMatchObject({
      answers: [{ closed: { decision: { values: { text: 'Why so dear?' }, source: 'chat', by: 'olga' } } }],
    });
  });

  test('a word to a paused agent asks back before any other decision: the question stays open, and the word goes in a run of our own', () => {
    const { state, effects, reply } = say(holding());
    expect(reply).toMatchObject({ ok: true, message: { kind: 'asked', taskStatus: 'USER_INPUT_RECEIVED' } });
    expect(effects).toMatchObject([{ kind: 'amendHolds', run: null, failed: null }, { kind: 'turn' }]);
    expect(state).toMatchObject({
      phase: 'holding',
      status: 'USER_INPUT_RECEIVED',
      turn: 2,
      runId: ownRunIdOf(taskId, 'talk-2'),
      send: { kind: 'talk', messageId: word.messageId, text: 'Why so dear?', by: 'olga' },
      holds: [{ status: 'open', asking: true }],
    });
    expect(reduce(state, { type: 'turn.delivered' }, after('3m')).state.status).toBe('IN_PROGRESS');
  });

  // Promise Y79h
  test('a word to a paused agent is not sent where two text questions are open: it is not known which it answers', () => {
    const text = aQuestion({ kind: 'text' });
    const state = holding(aHold({ n: 1, question: text }), aHold({ n: 2, question: text }));
    expect(say(state)).toMatchObject({ state, effects: [], reply: { ok: false, code: 'input_invalid' } });
  });

  // Promise Y79h
  test.each(['langchain', 'mastra', 'value', 'auth', 'of another time'])(
    'a word to a paused agent is not sent where that takes words for its answer (%s), by anybody',
    (dialect) => {
      const question = aQuestion({ dialect, kind: 'confirmation' });
      const state = holding(aHold({ n: 1 }), aHold({ n: 2, question, policy: { audience: ['role:finance'] } }));
      for (const principal of [aPrincipal(), aPrincipal('fin', 'finance'), aSuper])
        expect(say(state, aWord('yes', { principal }))).toMatchObject({
          state,
          effects: [],
          reply: { ok: false, code: 'input_invalid', data: { open: [state.holds[1]?.interruptId] } },
        });
    },
  );

  // Promise Y79i
  test('a word to a paused agent answers no text question that was asked after it was written', () => {
    const hold = aHold({ question: aQuestion({ kind: 'text' }) });
    const state = holding(hold);
    expect(say(state)).toMatchObject({ state, effects: [], reply: { ok: false, code: 'changed_meanwhile' } });
    const toOther = aWordTo({ ...hold, digest: 'sha256:other' }, 'Yes');
    expect(say(state, toOther)).toMatchObject({ state, reply: { ok: false, code: 'digest_mismatch' } });
  });

  test('a word to a paused agent is taken once: the same again changes nothing', () => {
    const state = asked();
    expect(say(state)).toMatchObject({ state, effects: [], reply: { ok: true, message: { kind: 'asked' } } });
  });

  // Promise Q66
  test('a word to a paused agent is refused with run_conflict under a messageId that was used with other words', () => {
    const other = { ...aWord('Make it cheaper'), messageId: word.messageId };
    const working = aTask({ phase: 'turn' });
    const hold = aHold({ question: aQuestion({ kind: 'text' }) });
    const answered = say(holding(hold), aWordTo(hold, word.text)).state;
    for (const state of [asked(), say(working).state, answered]) {
      expect(say(state, other)).toEqual({
        state,
        effects: [],
        reply: expect.objectContaining({ ok: false, code: 'run_conflict' }),
      });
    }
  });

  test('a word to a paused agent is not compared with one that came without a fingerprint, nor by who gives no fingerprint of it', () => {
    const other = { ...aWord('Make it cheaper'), messageId: word.messageId };
    const byHand = {
      ...asked(),
      messages: [{ messageId: word.messageId, kind: 'asked' as const, textFingerprint: '' }],
    };
    expect(say(byHand, other).reply).toMatchObject({ ok: true, message: { kind: 'asked' } });
    expect(say(asked(), { ...other, textFingerprint: '' }).reply).toMatchObject({
      ok: true,
      message: { kind: 'asked' },
    });
  });

  test('a word to a paused agent is one at a time: a second one is refused with busy', () => {
    expect(say(asked(), aWord('And now?')).reply).toMatchObject({ ok: false, code: 'busy' });
  });

  test('a word to a paused agent is refused from somebody who may not see the question', () => {
    expect(say(holding(), aWord('Hello?', { principal: aPrincipal('eve') })).reply).toMatchObject({
      code: 'forbidden',
    });
  });

  test('a word to a paused agent waits for operators where it is not known what the agent got', () => {
    expect(say(holding(aDeliveryUnknown())).reply).toMatchObject({ code: 'delivery_unknown' });
  });

  test('a word to a working agent is passed on in the background of the turn', () => {
    const { state, effects } = say(aTask({ phase: 'turn' }));
    expect(effects).toEqual([
      {
        kind: 'inject',
        runId: ownRunIdOf(taskId, `message-${word.messageId}`),
        message: { messageId: word.messageId, text: 'Why so dear?', by: 'olga' },
      },
    ]);
    expect(state.status).toBe('USER_INPUT_RECEIVED');
  });
});

describe('while the agent is asked back', () => {
  test('answers wait, whatever their source, while the agent is asked back', () => {
    const state = asked();
    const resume = reduce(state, { type: 'run', command: aResume([anAnswer()]) }, after('3m'));
    const decide = reduce(state, { type: 'decide', command: aDecideCommand(anAnswer()) }, after('3m'));
    expect([resume.reply, decide.reply]).toEqual([{ ok: 'later' }, { ok: 'later' }]);
  });

  test('the clock goes on: a step is taken at its time', () => {
    const hold = aHold({ policy: { ladder: [{ after: '1h', escalate: ['role:lead'] }] } });
    const { state } = reduce(asked(holding(hold)), { type: 'time.passed' }, after('1h'));
    expect(state.holds[0]).toMatchObject({ audience: ['owner', 'role:lead'], stepsTaken: 1, asking: true });
  });

  test('the deadline fails the task: the turn is stopped, and the agent is notified', () => {
    const { state, effects } = reduce(
      asked(holding(aHold({ policy: { expire: { after: '2h' } } }))),
      { type: 'time.passed' },
      after('2h'),
    );
    expect(state).toMatchObject({ phase: 'leaving', status: 'FAILED', end: { code: 'hold_expired' } });
    expect(effects.map((effect) => effect.kind)).toEqual(['close', 'stopTurn', 'stopAgent']);
  });

  test('the deadline answers with the default, which waits for the word of the agent', () => {
    const before = asked(holding(aHold({ policy: { expire: { after: '2h', then: 'default' } } })));
    const { state, effects } = reduce(before, { type: 'time.passed' }, after('2h'));
    expect(state).toMatchObject({ phase: 'holding', holds: [{ status: 'expired', ended: { why: 'expired' } }] });
    expect(effects).toMatchObject([{ kind: 'recordDecisions', run: null }]);
    const failed = done(state, { kind: 'failed', ...ids, code: 'agent_unreachable', message: 'gone' });
    expect(failed.state).toMatchObject({ phase: 'turn', turn: 3, send: { kind: 'answers' } });
    expect(failed.effects).toEqual([{ kind: 'turn' }]);
  });

  test('a cancel stops the turn that asks, and ends the question', () => {
    const { state, effects } = reduce(asked(), { type: 'cancel', by: 'operator', reason: 'enough' }, after('3m'));
    expect(state).toMatchObject({ phase: 'stopping', asking: null, holds: [{ status: 'cancelled' }] });
    expect(effects).toMatchObject([{ kind: 'recordDecisions', run: null }, { kind: 'stopTurn' }]);
  });

  test('the question does not count as moved: the agent is listened to', () => {
    const state = asked();
    expect(reduce(state, { type: 'agent.moved', kind: 'pause', watchVersion: 1 }, after('3m')).state).toBe(state);
  });
});

describe('the agent, asked back', () => {
  const old = aHold({
    policy: { ladder: [{ after: '1h', remind: true }], expire: { after: '8h' } },
    votes: [
      {
        by: 'max',
        at: after('1m'),
        values: {},
        reason: null,
        fingerprint: 'p',
        source: 'rest',
        seenDigest: null,
        credential: null,
        actor: null,
      },
    ],
  });

  test('the agent, asked back, asks again: the new question has the times of the old one, which names it', () => {
    const { state, effects } = done(asked(holding(old)), paused());
    expect(effects).toMatchObject([{ kind: 'openHolds' }]);
    expect(state).toMatchObject({ phase: 'opening', holds: [{ status: 'withdrawn', ended: { why: 'superseded' } }] });
    expect(askedAgainOf(state)).toMatchObject([
      { holdId: old.holdId, inherits: { openedAt: old.openedAt, expiresAt: old.expiresAt, stepsTaken: 0 } },
    ]);
    // Promise Y48
    const isSame = (change: object): unknown =>
      askedAgainOf(done(asked(holding(old)), paused([aQuestion(change)])).state)[0]?.inherits?.isSame;
    expect([isSame({}), isSame({ message: 'Where to, then?' }), isSame({ defaults: { city: 'Rome' } })]).toEqual([
      true,
      false,
      false,
    ]);
    const heir = { ...old, ...aHold({ n: 2, supersedes: old.holdId }), votes: [] };
    const opened = reduce(state, { type: 'holds.opened', holds: [heir] }, after('3m')).state;
    expect(opened).toMatchObject({ status: 'NEEDS_REVIEW', asking: null });
    const late = reduce(opened, { type: 'decide', command: aDecideCommand(anAnswer(old)) }, after('4m'));
    expect(late.reply).toMatchObject({ code: 'hold_closed', data: { supersededBy: heir.holdId } });
  });

  test.each([
    ['cannot be reached', { kind: 'failed', ...ids, code: 'agent_unreachable', message: 'gone' }],
    ['may or may not have the word', { kind: 'delivery-unknown', ...ids, what: 'the connection broke' }],
    ['stays in the very same pause', paused([aQuestion()], 'm-1')],
  ] as [string, TurnOutcome][])(
    'a question whose agent, asked back, %s stays as it was, with a note, and can be answered',
    (_, outcome) => {
      const { state, effects } = done(asked(holding(old)), outcome);
      expect(state).toMatchObject({ phase: 'holding', status: 'NEEDS_REVIEW', asking: null, parked: null });
      expect(state.note).toMatch(/^the agent could not be asked: /);
      expect(state.holds).toEqual([old]);
      expect(effects).toMatchObject([{ kind: 'amendHolds', run: { runId: ownRunIdOf(taskId, 'talk-2') } }]);
      const decided = reduce(
        state,
        { type: 'decide', command: aDecideCommand(anAnswer(old), { principal: aPrincipal() }) },
        after('4m'),
      );
      expect(decided.state.turn).toBe(3);
    },
  );

  test.each([
    ['completed', 'DONE'],
    ['failed', 'FAILED'],
    ['canceled', 'CANCELED'],
  ] as const)(
    'the agent, asked back, ends its task as %s instead: the question is withdrawn, and the task is %s',
    (word2, status) => {
      const { state, effects } = done(asked(), { kind: 'ended', ...ids, state: word2, message: '' });
      expect(state).toMatchObject({
        phase: 'leaving',
        status,
        holds: [{ status: 'withdrawn', ended: { by: 'agent:expenses', why: 'withdrawn' }, decision: null }],
      });
      expect(effects).toEqual([{ kind: 'close' }]);
    },
  );

  test('the agent, asked back, says nothing for long: its turn parks until it moves, then goes on', () => {
    const waiting = done(asked(), { kind: 'waiting', ...ids, lastEventAt: after('2m') }).state;
    expect(waiting).toMatchObject({ phase: 'holding', status: 'IN_PROGRESS', parked: { since: after('2m') } });
    const { state, effects } = reduce(waiting, { type: 'agent.moved', kind: 'turn', watchVersion: 0 }, after('9m'));
    expect(effects).toEqual([{ kind: 'turn' }]);
    expect(state).toMatchObject({ turn: 2, resumes: 1, parked: null });
  });
});

describe('several questions asked back about', () => {
  const first = aHold({ n: 1, question: aQuestion({ formId: 'trip', title: 'Trip' }) });
  const second = aHold({ n: 2, question: aQuestion({ formId: 'hotel', title: 'Hotel' }) });
  const again = (questions = [aQuestion()]): (string | null)[] =>
    askedAgainOf(done(asked(holding(first, second)), paused(questions)).state).map((one) => one?.holdId ?? null);

  test('several questions asked back about as many questions again take over by their places', () => {
    const questions = [aQuestion({ formId: 'hotel' }), aQuestion({ formId: 'trip' })];
    expect(again(questions)).toEqual([first.holdId, second.holdId]);
  });

  test('fewer take over by what they ask, and the rest is withdrawn', () => {
    expect(again([aQuestion({ formId: 'hotel', title: 'Which hotel?' })])).toEqual([second.holdId]);
    const { state } = done(asked(holding(first, second)), paused([aQuestion({ formId: 'hotel' })]));
    expect(state.holds.map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn']);
  });

  test('more of them all have the times of old ones: talking buys no time', () => {
    const questions = ['a', 'b', 'c'].map((formId) => aQuestion({ formId, title: formId }));
    expect(again(questions)).toEqual([first.holdId, second.holdId, first.holdId]);
  });
});

describe('an answer that the agent did not take', () => {
  const answered = reduce(holding(), { type: 'decide', command: aDecideCommand(anAnswer()) }, after('2m')).state;
  const again = (question: object): unknown => askedAgainOf(done(answered, paused([aQuestion(question)])).state);

  test.each([
    ['says what is wrong with it', { errors: { city: 'unknown' } }],
    ['asks the same form once more', {}],
    ['fills in what it was sent', { title: 'Trip, once more', filledIn: ['city'] }],
  ])(
    'an agent that does not take an answer and %s has its new question name the old one, with times of its own',
    (_, question) => {
      expect(again(question)).toEqual([{ holdId: aHold().holdId, inherits: null }]);
    },
  );

  test('an answer that the agent did not take is not to be seen in a question about something else', () => {
    expect(again({ formId: 'trip', title: 'And the hotel?' })).toEqual([null]);
    expect(again({ formId: 'hotel', title: 'Hotel' })).toEqual([null]);
  });

  test('a late answer to the old question is refused with the id of the new one', () => {
    const opening = done(answered, paused([aQuestion({ errors: { city: 'unknown' } })])).state;
    const heir = aHold({ n: 2, supersedes: aHold().holdId });
    const { state } = reduce(opening, { type: 'holds.opened', holds: [heir] }, after('3m'));
    const late = aDecideCommand(anAnswer(aHold(), { values: { city: 'Rome' } }));
    expect(reduce(state, { type: 'decide', command: late }, after('4m')).reply).toMatchObject({
      code: 'hold_closed',
      data: { supersededBy: heir.holdId },
    });
  });
});
