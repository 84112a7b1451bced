import { describe, expect, test } from '@jest/globals';
import type { A2aState, AgentMessage, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { systemClock } from '../../../src/host/process/clock.ts';
import { joinStream } from '../../../src/activities/turn/turn-join.ts';

const ids = { a2aTaskId: 'a-1', contextId: 'c-1' };
const message: AgentMessage = { messageId: 'm-1', role: 'agent', parts: [], metadata: {}, extensions: [] };

function task(text: string, state: A2aState = 'working'): TurnEvent {
  const artifact = {
    artifactId: 'reply',
    name: '',
    description: '',
    parts: [{ kind: 'text' as const, text, metadata: {} }],
    metadata: {},
  };
  return {
    type: 'task',
    ...ids,
    state,
    message: state === 'working' ? null : message,
    artifacts: [artifact],
    history: [],
  };
}
function word(text: string): TurnEvent {
  const artifact = {
    artifactId: 'reply',
    name: '',
    description: '',
    parts: [{ kind: 'text' as const, text, metadata: {} }],
    metadata: {},
  };
  return { type: 'artifact', ...ids, artifact, append: true, lastChunk: false };
}
const status = (state: A2aState): TurnEvent => ({
  type: 'status',
  ...ids,
  state,
  message: state === 'working' ? null : message,
});

/** Joins a stream of these events while the agent's store holds these tasks, one after the other. */
async function joined(
  events: TurnEvent[],
  stored: TurnEvent[],
  { settleMs = 1_000, pollEveryMs = 20 } = {},
): Promise<{ shown: TurnEvent[]; probes: number }> {
  let probes = 0;
  const readTask = (): Promise<TurnEvent> => {
    const seen = stored[Math.min(probes, stored.length - 1)];
    probes += 1;
    return seen === undefined ? Promise.reject(new Error('no task')) : Promise.resolve(seen);
  };
  async function* source(): AsyncGenerator<TurnEvent> {
    yield* events;
  }
  const { signal } = new AbortController();
  const clock = systemClock;
  const shown: TurnEvent[] = [];
  for await (const event of joinStream({ events: source(), readTask, pollEveryMs, settleMs, clock, signal }))
    shown.push(event);
  return { shown, probes };
}

describe('a stream that was joined in its middle', () => {
  test('a stream that was joined in its middle shows the task itself instead of words that may have lost their place', async () => {
    const { shown } = await joined([task('one '), word('three ')], [task('one two three ')]);
    expect(shown).toEqual([task('one '), task('one two three ')]);
  });

  test('a stream that was joined in its middle reads the task once for many words that come at once', async () => {
    const { shown, probes } = await joined(
      [task(''), ...Array.from({ length: 50 }, () => word('x'))],
      [task('x'.repeat(50))],
      { pollEveryMs: 60_000 },
    );
    expect(shown.at(-1)).toEqual(task('x'.repeat(50)));
    expect(probes).toBeLessThan(5);
  });

  test('a stream that was joined in its middle shows every word before the end of the turn, also when the agent stores later than it publishes', async () => {
    const stored = [task('one '), task('one two '), task('one two three ', 'completed')];
    const { shown } = await joined([word('three '), status('completed')], stored);
    expect(shown.slice(-2)).toEqual([task('one two three ', 'completed'), status('completed')]);
  });

  test('a stream that was joined in its middle does not wait for ever for a store that never follows', async () => {
    const { shown } = await joined([status('input-required')], [task('one ')], { settleMs: 100 });
    expect(shown).toEqual([task('one '), status('input-required')]);
  });

  test('a stream that was joined in its middle passes on the text of a status, and fails as its stream and its polls fail', async () => {
    expect((await joined([status('working')], [])).shown).toEqual([status('working')]);
    await expect(joined([word('x')], [])).rejects.toThrow('no task');
  });
});
