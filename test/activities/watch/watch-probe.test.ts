import { describe, expect, test } from '@jest/globals';
import type { TaskSnapshot } from '../../../src/activities/a2a/a2a-find.ts';
import { turnTiming } from '../../../src/activities/timing.ts';
import {
  firstProbeMs,
  judgeProbe,
  type Polled,
  pacesFor,
  versionAtPark,
  versionAtPause,
  waitMs,
} from '../../../src/activities/watch/watch-probe.ts';
import type { AgentMessage, NeutralArtifact, NeutralPart } from '../../../src/contract/tasks/turn.ts';
import type { Question } from '../../../src/contract/holds/question.ts';

const words = (text: string): NeutralPart => ({ kind: 'text', text, metadata: {} });
const agentMessage = (messageId: string, text = 'Please choose.'): AgentMessage => ({
  messageId,
  role: 'agent',
  parts: [words(text)],
  metadata: {},
  extensions: [],
});
const made = (...parts: NeutralPart[]): NeutralArtifact => ({
  artifactId: 'reply',
  name: 'reply',
  description: '',
  parts,
  metadata: {},
});
const aTask = (more: Partial<TaskSnapshot> = {}): TaskSnapshot => ({
  type: 'task',
  a2aTaskId: 'a-1',
  contextId: 'c-1',
  state: 'working',
  message: null,
  artifacts: [],
  history: [],
  ...more,
});

describe('a watched turn has moved', () => {
  const before = aTask({
    message: agentMessage('m-1'),
    artifacts: [made(words('one '))],
    history: [agentMessage('m-0')],
  });
  const watch = { kind: 'turn' as const, seen: versionAtPark(before) };

  test.each<[string, TaskSnapshot]>([
    ['in another state', { ...before, state: 'submitted' }],
    ['when it paused', { ...before, state: 'input-required' }],
    ['when it ended', { ...before, state: 'completed' }],
    ['by another message', { ...before, message: agentMessage('m-2') }],
    ['by other words under the same id', { ...before, message: agentMessage('m-1', 'Nearly done.') }],
    ['by a further part', { ...before, artifacts: [made(words('one '), words('two '))] }],
    ['by a longer part', { ...before, artifacts: [made(words('one two '))] }],
    ['by a further artifact', { ...before, artifacts: [...before.artifacts, { ...made(), artifactId: 'b' }] }],
    ['by a longer history', { ...before, history: [agentMessage('m-0'), agentMessage('m-1')] }],
  ])('a watched turn has moved %s', (_how, task) => {
    expect(judgeProbe(watch, task)).toMatchObject({ hasMoved: true });
  });

  test('a watched turn has not moved while the agent shows the same', () => {
    const same = judgeProbe(watch, { ...before });
    expect(same).toEqual({ hasMoved: false, seen: watch.seen, pace: 'turn', polls: 0 });
  });

  test('a watched turn has moved when it is over, whatever was seen', () => {
    const over = aTask({ state: 'failed' });
    expect(judgeProbe({ kind: 'turn', seen: versionAtPark(over) }, over)).toMatchObject({ hasMoved: true });
  });
});

describe('a watched pause', () => {
  const paused = aTask({ state: 'input-required', message: agentMessage('m-1') });
  const judge = (seen: string, task: TaskSnapshot): ReturnType<typeof judgeProbe> =>
    judgeProbe({ kind: 'pause', seen }, task);

  test('a watched pause stays while the agent asks under the same id, whatever it does to its artifacts', () => {
    const first = judge(versionAtPause('m-1'), paused);
    expect(first).toMatchObject({ hasMoved: false, pace: 'pause' });
    const more = { ...paused, artifacts: [made(words('notes'))], history: [agentMessage('m-1')] };
    expect(judge(first?.seen ?? '', more)).toMatchObject({ hasMoved: false });
  });

  /** What these polls in a row come to. */
  const judgeAll = (seen: string, polls: Polled[]): boolean[] => {
    let now = seen;
    return polls.map((polled) => {
      const judged = judgeProbe({ kind: 'pause', seen: now }, polled);
      now = judged?.seen ?? now;
      return judged?.hasMoved ?? false;
    });
  };
  const past = [agentMessage('m-1')];
  const works = { ...paused, state: 'working' as const, message: null };

  // Promise Y87
  test.each<[string, TaskSnapshot]>([
    ['asks under another id', { ...paused, message: agentMessage('m-2') }],
    ['works, with the question in its past', { ...works, history: past }],
  ])('a watched pause is over when two polls in a row show that the agent %s', (_what, task) => {
    expect(judgeAll(versionAtPause('m-1'), [task, task])).toEqual([false, true]);
    expect(judgeAll(versionAtPause('m-1'), [paused, task, task])).toEqual([false, false, true]);
    expect(judgeAll(versionAtPause('m-1'), [paused, task, paused, task, paused])).not.toContain(true);
  });

  test.each<[string, TaskSnapshot]>([
    ['is done', { ...paused, state: 'completed' }],
    ['cancelled the task', { ...paused, state: 'canceled' }],
  ])('a watched pause is over as soon as the agent %s', (_what, task) => {
    expect(judgeAll(versionAtPause('m-1'), [task])).toEqual([true]);
  });

  // Promise Y87
  test('a watched pause stays while the agent’s store lags behind its stream, for ever or every other time', () => {
    const lagging = aTask({ state: 'submitted', history: [agentMessage('m-0')] });
    expect(judgeAll(versionAtPause('m-1'), [lagging, lagging, lagging, lagging])).not.toContain(true);
    const inTurn = [lagging, lagging, paused, paused, lagging, lagging, paused];
    expect(judgeAll(versionAtPause('m-1'), inTurn)).not.toContain(true);
    // With less of its history it is older, however it is reached.
    const whole = { ...paused, history: [agentMessage('m-0'), agentMessage('m-0b')] };
    expect(judgeAll(versionAtPause('m-1'), [whole, lagging, lagging, lagging])).not.toContain(true);
  });

  test('a watched pause is over when the agent works on from where its store was first seen', () => {
    const lagging = aTask({ state: 'submitted' });
    const on = { ...works, artifacts: [made(words('one'))] };
    expect(judgeAll(versionAtPause('m-1'), [lagging, on, on])).toEqual([false, false, true]);
  });

  // Promise Y86
  test('a watched pause stays while some of the agent’s replicas do not know its task, and is over when none does', () => {
    const inTurn: Polled[] = ['gone', 'gone', paused, 'gone', 'gone', 'gone', 'gone', paused];
    expect(judgeAll(versionAtPause('m-1'), inTurn)).not.toContain(true);
    const gone: Polled[] = Array.from({ length: 5 }, () => 'gone');
    expect(judgeAll(versionAtPause('m-1'), gone)).toEqual([false, false, false, false, true]);
    const waits = judgeProbe({ kind: 'turn', seen: versionAtPark(works) }, 'gone');
    expect(waits).toMatchObject({ hasMoved: false, pace: 'confirm' });
  });

  test('a watched pause without an id is compared with the first probe', () => {
    const silent = aTask({ state: 'input-required' });
    const more = { ...silent, history: [agentMessage('m-0')] };
    expect(judgeAll(versionAtPause(null), [silent, silent, more, more])).toEqual([false, false, false, true]);
  });

  test('a watched pause whose id a probe does not show is not taken for another', () => {
    const other = { ...paused, message: agentMessage('m-2') };
    const polls = [{ ...paused, message: null }, paused, other, other];
    expect(judgeAll(versionAtPause('m-1'), polls)).toEqual([false, false, false, true]);
  });

  test('a watched pause for a permission is polled sooner, and again sooner', () => {
    const asks = (kind: Question['kind']): Question => ({ kind }) as Question;
    expect(firstProbeMs(turnTiming.watch, [asks('form')])).toBe(10_000);
    expect(firstProbeMs(turnTiming.watch, [asks('form'), asks('authorization')])).toBe(3_000);
    expect(judge('', aTask({ state: 'auth-required' }))).toMatchObject({ hasMoved: false, pace: 'auth' });
  });
});

test('a probe that gives no task changes nothing', () => {
  expect(judgeProbe({ kind: 'pause', seen: '' }, { type: 'unknown', what: 'a puzzle' })).toBeNull();
});

test.each([
  ['turn', [5_000, 10_000, 20_000], 300_000],
  ['pause', [10_000, 20_000, 40_000], 300_000],
  ['auth', [3_000, 6_000, 12_000], 60_000],
] as const)('polls of a %s grow apart, up to a bound', (pace, first, longest) => {
  const waits = [0, 1, 2].map((probes) => waitMs(turnTiming.watch[pace], probes));
  expect(waits).toEqual(first);
  expect(waitMs(turnTiming.watch[pace], 100_000)).toBe(longest);
});

test.each([
  ['15,000 pauses are at most five minutes', { turn: 0, pause: 15_000 }, { turn: 300_000, pause: 300_000 }],
  ['100,000 pauses are 33 minutes', { turn: 3, pause: 100_000 }, { turn: 300_000, pause: 2_000_000 }],
  ['30,000 parked turns are ten minutes', { turn: 30_000, pause: 0 }, { turn: 600_000, pause: 300_000 }],
])('the longest waits between polls of %s', (_what, watched, longest) => {
  const { turn, pause, auth } = pacesFor(turnTiming.watch, watched);
  expect({ turn: turn.maxMs, pause: pause.maxMs }).toEqual(longest);
  expect([turn.firstMs, pause.firstMs]).toEqual([turnTiming.watch.turn.firstMs, turnTiming.watch.pause.firstMs]);
  expect(auth).toEqual(turnTiming.watch.auth);
});
