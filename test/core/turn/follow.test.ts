// A turn against a model of an agent, whatever order things come in: streams that break, fall silent, repeat, reorder or lose
// events, polls that lag, and servers that go away. All on a clock of numbers.
import { describe, expect, test } from '@jest/globals';
import type { A2aErrorInfo } from '../../../src/contract/tasks/agent-error.ts';
import type { A2aState, AgentMessage, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { beginFollowing, follow } from '../../../src/core/turn/follow.ts';
import type { Action, End, FollowBounds, Observation } from '../../../src/core/turn/follow-state.ts';
import { newTurnView, type TurnView } from '../../../src/core/turn/view.ts';
import { luckOf, type Luck } from '../../rigs/luck.ts';
import { fc, runs } from '../../rigs/properties.ts';

const ids = { a2aTaskId: 'a-1', contextId: 'c-1' };
const bounds: FollowBounds = {
  silenceMs: 30_000,
  parkAfterMs: 120_000,
  stalePauseMs: 10_000,
  reportedErrorMs: 5_000,
  outageMs: 600_000,
  backoffMs: 250,
  maxBackoffMs: 15_000,
  missingMs: 10_000,
};
/** A server that cannot be asked for so long ends the turn, which is not a fault of the rules. */
const longestAwayMs = 300_000;

const words = (messageId: string): AgentMessage => ({
  messageId,
  role: 'agent',
  parts: [{ kind: 'text', text: messageId, metadata: {} }],
  metadata: {},
  extensions: [],
});
const broken: A2aErrorInfo = { kind: 'retryable', what: 'network', wasTaken: 'unknown', message: 'it broke' };

/** What the agent does in this turn, in order, and after how long; the last one ends the turn. */
interface Act {
  afterMs: number;
  does: 'work' | 'token';
}
interface Life {
  acts: Act[];
  end: { afterMs: number; state: Extract<A2aState, 'input-required' | 'completed' | 'failed' | 'auth-required'> };
  /** The turn answers this pause, which the agent may show a while longer. */
  answers: boolean;
}
interface Model {
  /** The task as the agent's server stores it, which may lag behind what it streams. */
  stored(nowMs: number, lagMs: number): Extract<TurnEvent, { type: 'task' }>;
  /** What is published between the two times. */
  published(fromMs: number, untilMs: number): TurnEvent[];
  endAtMs: number;
}

function modelOf({ acts, end, answers }: Life): Model {
  const moments: { atMs: number; event: TurnEvent; state: A2aState; message: AgentMessage | null; text: string }[] = [];
  let atMs = 0;
  let text = '';
  const status = (state: A2aState, message: AgentMessage | null): TurnEvent => ({
    type: 'status',
    ...ids,
    state,
    message,
  });
  const artifact = (): TurnEvent => ({
    type: 'artifact',
    ...ids,
    artifact: {
      artifactId: 'r',
      name: '',
      description: '',
      parts: [{ kind: 'text', text, metadata: {} }],
      metadata: {},
    },
    append: false,
    lastChunk: false,
  });
  const before = answers ? words('old') : null;
  moments.push({
    atMs: -1,
    event: status('submitted', null),
    state: answers ? 'input-required' : 'submitted',
    message: before,
    text,
  });
  for (const act of acts) {
    atMs += act.afterMs;
    if (act.does === 'token') text += '.';
    const event = act.does === 'token' ? artifact() : status('working', null);
    moments.push({ atMs, event, state: 'working', message: null, text });
  }
  atMs += end.afterMs;
  const isPause = end.state === 'input-required' || end.state === 'auth-required';
  const last = isPause ? words('new') : null;
  moments.push({ atMs, event: status(end.state, last), state: end.state, message: last, text });
  return {
    endAtMs: atMs,
    stored(nowMs, lagMs) {
      const at = moments.findLast((one) => one.atMs <= nowMs - lagMs) ?? moments[0];
      if (at === undefined) throw new Error('there is always a first moment');
      const artifacts =
        at.text === ''
          ? []
          : [
              {
                artifactId: 'r',
                name: '',
                description: '',
                parts: [{ kind: 'text' as const, text: at.text, metadata: {} }],
                metadata: {},
              },
            ];
      return { type: 'task', ...ids, state: at.state, message: at.message, artifacts, history: [] };
    },
    published: (fromMs, untilMs) =>
      moments.slice(1).flatMap((one) => (one.atMs > fromMs && one.atMs <= untilMs ? [one.event] : [])),
  };
}

type Result = { end: End | 'parked'; nowMs: number; steps: number };

/** Plays a turn to its end. A parked one is woken when the task has moved, as the watch does, and goes on. */
function play(life: Life, luck: Luck): { ends: Result[]; asked: number } {
  const model = modelOf(life);
  const ends: Result[] = [];
  let view: TurnView = newTurnView({ ...ids, pauseMessageId: life.answers ? 'old' : null, isReplying: life.answers });
  let nowMs = 0;
  for (let wake = 0; wake < 100; wake += 1) {
    const result = playOnce(model, view, wake === 0, nowMs, luck);
    ends.push(result);
    nowMs = result.nowMs;
    if (result.end !== 'parked') break;
    // The watch sees the task move, sooner or later.
    nowMs = Math.max(nowMs, model.endAtMs) + luck.below(60_000);
    view = newTurnView({ ...ids, pauseMessageId: view.pauseMessageId, isReplying: life.answers });
  }
  return { ends, asked: ends.filter(({ end }) => end !== 'parked' && end.kind === 'seen').length };
}

function playOnce(model: Model, view: TurnView, isFirst: boolean, startMs: number, luck: Luck): Result {
  let nowMs = startMs;
  let awayUntilMs = 0;
  // One time away ends with an answer before the next begins: together they would be longer than the agent may be away.
  let hasAnswered = true;
  let streamedMs = startMs - 1;
  let queue: TurnEvent[] = [];
  let shown = '';
  let isOpen = isFirst && luck.below(4) > 0;
  let step = beginFollowing({ view, bounds, stream: isOpen ? { isLive: true } : null, lost: null }, nowMs);
  const lagMs = luck.below(3) === 0 ? luck.below(2_500) : 0;

  const readStream = (silenceMs: number): Observation => {
    const untilMs = nowMs + silenceMs;
    const what = luck.below(12);
    if (what === 0) {
      isOpen = false;
      nowMs += luck.below(silenceMs);
      return { type: 'stream.broke', known: broken };
    }
    // A proxy keeps the connection and passes nothing on.
    if (what === 1) {
      isOpen = false;
      nowMs = untilMs;
      return { type: 'stream.silent' };
    }
    if (queue.length === 0) {
      queue = model.published(streamedMs, untilMs);
      streamedMs = untilMs;
      if (luck.below(6) === 0) queue.push(...queue.slice(0, 1 + luck.below(2)));
      if (luck.below(6) === 0) queue = queue.filter(() => luck.below(3) > 0);
      if (luck.below(8) === 0)
        queue.unshift({ type: 'status', a2aTaskId: 'another', contextId: 'c-9', state: 'completed', message: null });
      nowMs = queue.length === 0 ? untilMs : nowMs + luck.below(silenceMs);
    }
    const event = queue.shift();
    if (event !== undefined) return { type: 'stream.event', event };
    isOpen = false;
    return luck.below(2) === 0 ? { type: 'stream.ended' } : { type: 'stream.silent' };
  };

  const perform = (action: Exclude<Action, { type: 'finish' | 'park' }>): Observation => {
    switch (action.type) {
      case 'read':
        if (!isOpen) throw new Error('a stream is read that is not open');
        return readStream(action.silenceMs);
      case 'show': {
        nowMs += luck.below(5) === 0 ? luck.below(200_000) : 0;
        const seen = JSON.stringify(action.event.type === 'artifact' ? action.event.artifact : action.event);
        const isNews = seen !== shown;
        shown = seen;
        return { type: 'shown', isNews, refused: null };
      }
      case 'getTask':
        nowMs += luck.below(50);
        if (hasAnswered && luck.below(15) === 0)
          [hasAnswered, awayUntilMs] = [false, nowMs + luck.below(longestAwayMs)];
        if (nowMs < awayUntilMs) return { type: 'task.refused', known: broken };
        hasAnswered = true;
        return { type: 'task.read', task: model.stored(nowMs, lagMs) };
      case 'subscribe':
      case 'join':
        nowMs += luck.below(50);
        isOpen = luck.below(5) > 0;
        [queue, streamedMs] = [[], nowMs];
        return { type: isOpen ? 'stream.opened' : 'stream.absent' };
      case 'leave':
        throw new Error('this turn is followed for as long as its agent may be away');
      case 'wait':
        nowMs += Math.max(action.ms, action.atLeastMs);
        return { type: 'woke' };
      default:
        return action satisfies never;
    }
  };

  for (let steps = 0; steps < 5_000; steps += 1) {
    const { action, state } = step;
    if (action.type === 'finish') return { end: action.end, nowMs, steps };
    if (action.type === 'park') return { end: 'parked', nowMs, steps };
    const observation = perform(action);
    step = follow(state, observation, nowMs);
  }
  throw new Error('the turn waits for ever');
}

const afterMs = fc.oneof(fc.nat(2_000), fc.nat(400_000));
const lives: fc.Arbitrary<Life> = fc.record({
  acts: fc.array(fc.record({ afterMs, does: fc.constantFrom('work' as const, 'token' as const) }), { maxLength: 6 }),
  end: fc.record({
    afterMs,
    state: fc.constantFrom(
      'input-required' as const,
      'completed' as const,
      'failed' as const,
      'auth-required' as const,
    ),
  }),
  answers: fc.boolean(),
});
const lucks = fc.nat(0x7f_ff_ff_ff).map(luckOf);

describe('a turn, whatever order its agent’s streams and polls come in,', () => {
  test('a turn, whatever order its agent’s streams and polls come in, ends once, with what the agent ended with, and never waits for ever', () => {
    const seen = { parked: 0, asked: 0 };
    fc.assert(
      fc.property(lives, lucks, (life, luck) => {
        // An agent that answered its old pause at all is seen at work in between.
        const acts = life.answers ? [{ afterMs: 0, does: 'work' as const }, ...life.acts] : life.acts;
        const { ends, asked } = play({ ...life, acts }, luck);
        const last = ends.at(-1);
        seen.parked += ends.length - 1;
        seen.asked += asked;
        expect(last?.end).toMatchObject({ kind: 'seen', event: { state: life.end.state } });
        // One pause, one question: whatever it is asked by carries the new one.
        expect(asked).toBe(1);
        if (life.end.state === 'input-required')
          expect(last?.end).toMatchObject({ event: { message: { messageId: 'new' } } });
      }),
      { numRuns: runs(10_000) },
    );
    // Turns of both kinds were played: those that park, and those that end at once.
    expect(seen.parked).toBeGreaterThan(runs(100));
  });

  test('a turn, whatever order its agent’s streams and polls come in, asks again without end of an agent that only works, by parking', () => {
    fc.assert(
      fc.property(lucks, (luck) => {
        const life: Life = {
          acts: [{ afterMs: 0, does: 'work' }],
          end: { afterMs: 10 ** 9, state: 'completed' },
          answers: false,
        };
        const view = newTurnView({ ...ids, pauseMessageId: null, isReplying: false });
        const { end, nowMs } = playOnce(modelOf(life), view, true, 0, luck);
        expect(end).toBe('parked');
        expect(nowMs).toBeGreaterThanOrEqual(bounds.parkAfterMs);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('a turn, whatever order its agent’s streams and polls come in, gives up an agent that is away for longer than it may be', () => {
    let step = beginFollowing(
      { view: newTurnView({ ...ids, pauseMessageId: null, isReplying: false }), bounds, stream: null, lost: null },
      0,
    );
    let nowMs = 0;
    while (step.action.type !== 'finish') {
      if (step.action.type === 'wait') nowMs += step.action.ms;
      step = follow(
        step.state,
        step.action.type === 'wait' ? { type: 'woke' } : { type: 'task.refused', known: broken },
        nowMs,
      );
    }
    expect(step.action.end).toEqual({ kind: 'failed', code: 'agent_unreachable', message: 'it broke' });
    expect(nowMs).toBeGreaterThan(bounds.outageMs);
  });
});

describe('a silence that gets long while the task is written', () => {
  // The fault that this rule is written for: the turn parked, and no question opened until the agent's limit.
  test('a silence that gets long while the task is written parks by what was known when the task was read, not after', () => {
    const left: TurnEvent = {
      type: 'task',
      ...ids,
      state: 'input-required',
      message: null,
      artifacts: [],
      history: [words('old')],
    };
    const view = newTurnView({ ...ids, pauseMessageId: 'old', isReplying: true });
    const asked = beginFollowing({ view, bounds, stream: null, lost: null }, 0);
    const read = follow(asked.state, { type: 'task.read', task: left }, bounds.parkAfterMs - 1);
    const shown = follow(read.state, { type: 'shown', isNews: false, refused: null }, bounds.parkAfterMs + 50);
    expect(shown.action.type).toBe('wait');
    const again = follow(
      follow(shown.state, { type: 'woke' }, bounds.parkAfterMs + 300).state,
      { type: 'task.read', task: left },
      bounds.parkAfterMs + 300,
    );
    const end = follow(again.state, { type: 'shown', isNews: false, refused: null }, bounds.parkAfterMs + 310);
    expect(end.action).toMatchObject({ type: 'finish', end: { kind: 'seen', isUnanswered: true } });
  });
});

describe('an error that the agent reports in the stream of its answer', () => {
  const refusal: A2aErrorInfo = { kind: 'final', what: 'refused', wasTaken: 'unknown', message: 'only red or blue' };
  const stored = (state: A2aState): Extract<TurnEvent, { type: 'task' }> => ({
    type: 'task',
    ...ids,
    state,
    message: words('old'),
    artifacts: [],
    history: [],
  });
  /** The end of a turn whose stream breaks so, and whose task stays like this, and when it came. */
  const endOf = (task: Extract<TurnEvent, { type: 'task' }>): { end: End; nowMs: number } => {
    const view = newTurnView({ ...ids, pauseMessageId: 'old', isReplying: true });
    let step = beginFollowing({ view, bounds, stream: { isLive: true }, lost: null }, 0);
    let nowMs = 0;
    while (step.action.type !== 'finish') {
      if (nowMs > 2 * bounds.parkAfterMs || step.action.type === 'park') throw new Error(`no end by ${nowMs}`);
      if (step.action.type === 'wait') nowMs += step.action.ms;
      step = follow(step.state, met(step.action, task), nowMs);
    }
    return { end: step.action.end, nowMs };
  };
  const met = ({ type }: Action, task: TurnEvent): Observation => {
    if (type === 'read') return { type: 'stream.broke', known: refusal };
    if (type === 'wait') return { type: 'woke' };
    return type === 'show' ? { type: 'shown', isNews: false, refused: null } : { type: 'task.read', task };
  };

  test('an error that the agent reports in the stream of its answer asks again with its words where the task stays in the pause that was answered', () => {
    const { end, nowMs } = endOf(stored('input-required'));
    expect(end).toMatchObject({ kind: 'seen', event: { state: 'input-required' }, refusal: 'only red or blue' });
    expect(nowMs).toBeLessThan(3 * bounds.stalePauseMs);
  });

  test('an error that the agent reports in the stream of its answer ends the task with its words where it stays at work, also where it is a refusal by its code', () => {
    const { end } = endOf(stored('working'));
    expect(end).toEqual({ kind: 'failed', code: 'agent_failed', message: 'only red or blue' });
  });
});

test('a turn refuses what its phase cannot meet', () => {
  const view = newTurnView({ ...ids, pauseMessageId: null, isReplying: false });
  const { state } = beginFollowing({ view, bounds, stream: null, lost: null }, 0);
  expect(() => follow(state, { type: 'woke' }, 0)).toThrow('a turn that is asking cannot meet woke');
});
