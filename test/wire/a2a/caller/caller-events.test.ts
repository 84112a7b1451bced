// What a caller receives of an agent's events, and the task that results from it.
import { describe, expect, test } from '@jest/globals';
import type { CallerEntry } from '../../../../src/contract/tasks/caller.ts';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { callerStep } from '../../../../src/wire/a2a/caller/caller-events.ts';
import { newCallerView, applyEntry, viewOf } from '../../../../src/wire/a2a/caller/caller-task.ts';

const ids = { taskId: 'ours', contextId: 'our-context' };
const text = (words: string): JsonObject => ({ text: words });
const artifact = (parts: JsonObject[], over: JsonObject = {}): JsonObject => ({
  artifactUpdate: { taskId: 'theirs', contextId: 'their-context', artifact: { artifactId: 'a', parts }, ...over },
});
const taskWith = (parts: JsonObject[], over: JsonObject = {}): JsonObject => ({
  task: {
    id: 'theirs',
    contextId: 'their-context',
    status: { state: 'TASK_STATE_WORKING' },
    artifacts: [{ artifactId: 'a', parts }],
    ...over,
  },
});

/** All events that come of these, and the task that they make. */
function project(...originals: JsonObject[]): { events: JsonObject[]; task: JsonObject } {
  const entries: CallerEntry[] = [];
  let view = newCallerView(ids);
  for (const original of originals) {
    const step = callerStep(view, original, ids);
    entries.push(...step.entries);
    view = step.entries.reduce(applyEntry, view);
  }
  return {
    events: entries.flatMap((one) => (one.kind === 'event' ? [one.event] : [])),
    task: viewOf(ids, entries).task,
  };
}
const partsIn = (task: JsonObject): unknown => Object(Object(task['artifacts'])[0])['parts'];

describe('an event of the agent', () => {
  // Promise V1
  test('an event of the agent reaches the caller as it was, under the caller’s ids alone', () => {
    const original = artifact([{ data: { n: 1 }, metadata: { x: 'y' }, mediaType: 'a/b' }], {
      append: true,
      lastChunk: true,
      metadata: { of: 'event' },
    });
    const { events } = project(original);
    expect(events).toEqual([
      { artifactUpdate: { ...Object(original['artifactUpdate']), taskId: 'ours', contextId: 'our-context' } },
    ]);
    expect(JSON.stringify(events)).not.toContain('their');
  });

  test('an event of the agent that ends the turn is held back until the turn is over', () => {
    for (const state of ['INPUT_REQUIRED', 'AUTH_REQUIRED', 'COMPLETED', 'FAILED', 'CANCELED', 'REJECTED']) {
      const original = { statusUpdate: { taskId: 'theirs', status: { state: `TASK_STATE_${state}` } } };
      const step = callerStep(newCallerView(ids), original, ids);
      expect(step).toMatchObject({ entries: [], held: { status: { state: `TASK_STATE_${state}` } } });
    }
  });
});

describe('a task that is read again', () => {
  // Promise V2
  test('a task that is read again is sent as what is new in it: nothing is lost and nothing comes twice', () => {
    const chunks = [artifact([text('Hel')]), artifact([text('lo ')], { append: true })];
    const { events, task } = project(taskWith([], { artifacts: [] }), ...chunks, taskWith([text('Hello world')]));
    expect(events.at(-1)).toMatchObject({ artifactUpdate: { append: true, artifact: { parts: [text('world')] } } });
    expect(JSON.stringify(partsIn(task))).toBe(JSON.stringify([text('Hel'), text('lo '), text('world')]));
  });

  test('a task that is read again and has nothing new is not sent', () => {
    const known = [taskWith([], { artifacts: [] }), artifact([text('Hello'), { data: 1 }])];
    expect(project(...known, taskWith([text('Hello'), { data: 1 }])).events).toHaveLength(2);
  });

  test('a task that is read again with another artifact in the place of one replaces it', () => {
    const { events, task } = project(taskWith([text('old')]), taskWith([text('new')]));
    expect(events.at(-1)).toMatchObject({ artifactUpdate: { append: false, artifact: { parts: [text('new')] } } });
    expect(partsIn(task)).toEqual([text('new')]);
  });

  test('a task that is read again brings the agent’s messages that were not received, and never what people sent under other ids', () => {
    const history = [
      { messageId: 'u', role: 'ROLE_USER', parts: [text('ours again')] },
      { messageId: 'm', role: 'ROLE_AGENT', taskId: 'theirs', contextId: 'their-context', parts: [text('missed')] },
    ];
    const { task } = project(taskWith([]), taskWith([], { history }));
    expect(task['history']).toEqual([
      { messageId: 'm', role: 'ROLE_AGENT', taskId: 'ours', contextId: 'our-context', parts: [text('missed')] },
    ]);
  });
});
