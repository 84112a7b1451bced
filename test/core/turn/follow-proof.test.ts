// What one answer of an agent proves to a turn that follows it: a "task not found", and a message in the stream of a task.
import { describe, expect, test } from '@jest/globals';
import type { A2aErrorInfo } from '../../../src/contract/tasks/agent-error.ts';
import type { A2aState, AgentMessage, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { beginFollowing, follow } from '../../../src/core/turn/follow.ts';
import type { Action, End, FollowBounds, Observation } from '../../../src/core/turn/follow-state.ts';
import { newTurnView } from '../../../src/core/turn/view.ts';

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
const words = (messageId: string): AgentMessage => ({
  messageId,
  role: 'agent',
  parts: [{ kind: 'text', text: messageId, metadata: {} }],
  metadata: {},
  extensions: [],
});

describe('a task that the agent says it does not know', () => {
  const missing: A2aErrorInfo = { kind: 'final', what: 'task-not-found', wasTaken: false, message: 'no such task' };
  const done: TurnEvent = { type: 'task', ...ids, state: 'completed', message: null, artifacts: [], history: [] };
  /** The end of a turn whose reads are answered so, how many there were, and when it came. */
  const playReads = (answerOf: (n: number) => Observation): { end: End; reads: number; nowMs: number } => {
    const view = newTurnView({ ...ids, pauseMessageId: 'old', isReplying: true });
    let step = beginFollowing({ view, bounds, stream: null, lost: null }, 0);
    let [reads, nowMs] = [0, 0];
    for (;;) {
      const { action, state } = step;
      if (action.type === 'finish') return { end: action.end, reads, nowMs };
      if (action.type === 'wait') nowMs += action.ms;
      const met = (): Observation => {
        if (action.type === 'getTask') return answerOf((reads += 1));
        return action.type === 'show' ? { type: 'shown', isNews: true, refused: null } : { type: 'woke' };
      };
      step = follow(state, met(), nowMs);
    }
  };

  // Promise Y86
  test('a task that the agent says it does not know is read again, as another of its replicas may know it', () => {
    const { end } = playReads((n) =>
      n < 4 ? { type: 'task.refused', known: missing } : { type: 'task.read', task: done },
    );
    expect(end).toMatchObject({ kind: 'seen', event: { state: 'completed' } });
  });

  test('a task that the agent says again and again that it does not know is over, after several reads spread over time', () => {
    const { end, reads, nowMs } = playReads(() => ({ type: 'task.refused', known: missing }));
    expect(end).toMatchObject({ kind: 'failed', message: 'the agent does not know its task any more' });
    expect(reads).toBeGreaterThanOrEqual(5);
    expect(nowMs).toBeGreaterThanOrEqual(bounds.missingMs);
    expect(nowMs).toBeLessThan(3 * bounds.missingMs);
  });
});

describe('a message of the agent’s own in its stream', () => {
  const message: TurnEvent = { type: 'message', message: words('found three'), contextId: 'c-1' };
  const statusIs = (state: A2aState, spoken: AgentMessage | null): TurnEvent => ({
    type: 'status',
    ...ids,
    state,
    message: spoken,
  });
  const asked: TurnEvent = {
    type: 'task',
    ...ids,
    state: 'input-required',
    message: words('new'),
    artifacts: [],
    history: [],
  };
  type Ending = Extract<Observation, { type: 'stream.ended' | 'stream.silent' }>;
  /** What a turn that knows no task yet comes to, whose stream brings these events and then ends so. */
  const endAfter = (events: TurnEvent[], ending: Ending): End => {
    const view = newTurnView({ a2aTaskId: null, contextId: 'c-1', pauseMessageId: null, isReplying: false });
    const queue = [...events];
    let step = beginFollowing({ view, bounds, stream: { isLive: true }, lost: null }, 0);
    for (let steps = 0; steps < 100; steps += 1) {
      const { action, state } = step;
      if (action.type === 'finish') return action.end;
      if (action.type === 'park') throw new Error('the turn parks');
      step = follow(state, met(action, queue, ending), 0);
    }
    throw new Error('the turn waits for ever');
  };
  const met = ({ type }: Action, queue: TurnEvent[], ending: Ending): Observation => {
    if (type === 'show') return { type: 'shown', isNews: true, refused: null };
    if (type === 'getTask') return { type: 'task.read', task: asked };
    if (type !== 'read') return type === 'wait' ? { type: 'woke' } : { type: 'stream.absent' };
    const event = queue.shift();
    return event === undefined ? ending : { type: 'stream.event', event };
  };

  // Promise Y84
  test.each<[string, Ending]>([
    ['ends', { type: 'stream.ended' }],
    ['falls silent', { type: 'stream.silent' }],
  ])('a message of the agent’s own in the stream of a task that then %s does not end the task', (_how, ending) => {
    for (const events of [
      [statusIs('working', null), message],
      [message, statusIs('working', null)],
    ])
      expect(endAfter(events, ending)).toMatchObject({ kind: 'seen', event: { message: { messageId: 'new' } } });
    // A question that follows in the same stream is the end that counts.
    expect(
      endAfter([statusIs('working', null), message, statusIs('auth-required', words('next'))], ending),
    ).toMatchObject({ kind: 'seen', event: { state: 'auth-required' } });
  });

  test('a message of the agent’s own without any task is its whole reply', () => {
    expect(endAfter([message], { type: 'stream.ended' })).toEqual({ kind: 'message-only' });
    expect(endAfter([message], { type: 'stream.silent' })).toEqual({ kind: 'message-only' });
  });
});
