import { describe, expect, test } from '@jest/globals';
import type { AguiEvent } from '../../../../src/contract/tasks/run.ts';
import type { Json } from '../../../../src/contract/base/json.ts';
import type { NeutralPart } from '../../../../src/contract/tasks/turn.ts';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { pauseEvents } from '../../../../src/wire/agui/project/pause.ts';
import { emptyProjection, reduceEvents } from '../../../../src/wire/agui/model/projection.ts';
import { runStartEvents, turnEvents } from '../../../../src/wire/agui/project/project.ts';
import { expectShown } from '../real-client.ts';
import {
  afterTurn,
  anArtifact,
  aPause,
  aSnapshot,
  aStart,
  chunk,
  ctx,
  data,
  file,
  nextLog,
  startLog,
  status,
  text,
  textOf,
  typesOf,
  valueAtPath,
  withEvents,
  type Log,
} from '../scene.ts';

const words = 'artifact:a2a-1:a-1';
const ui = 'ui:a2a-1:a-1';
const put = (
  parts: NeutralPart[],
  metadata: { [key: string]: Json } = {},
  how: { append?: boolean; lastChunk?: boolean } = {},
): ReturnType<typeof chunk> => chunk(anArtifact('a-1', parts, metadata), how);
const more = (parts: NeutralPart[], how: { lastChunk?: boolean } = {}): ReturnType<typeof chunk> =>
  put(parts, {}, { append: true, ...how });
const at = (log: Log, ...path: string[]): Json | undefined => valueAtPath(log.p.state, 'view', ...path);
const done = (log: Log): Log => withEvents(log, endEvents(log.p, { kind: 'completed', message: '' }, ctx));
const paused = (log: Log): Log => withEvents(log, pauseEvents(log.p, aPause(), ctx));

describe('the place of an artifact', () => {
  // Promise B14
  test('the place of an artifact stays where its first chunk put it, since further ones leave the metadata out', () => {
    const log = afterTurn(
      startLog(),
      put([text('Hel')], { path: '/view/config/main' }),
      more([text('lo')], { lastChunk: true }),
    );
    expect([at(log, 'config', 'main'), at(log, 'artifacts')]).toEqual(['Hello', undefined]);
  });

  test('the place of an artifact is below the base path of the run options, also in runs of the task without the option', () => {
    const inDocs = { ...ctx, artifactBasePath: '/view/docs' };
    const log = startLog();
    const projected = withEvents(log, turnEvents(log.p, put([data({ a: 1 })]), inDocs));
    const next = afterTurn(nextLog(paused(projected)), more([data({ b: 2 })]));
    expect([at(next, 'docs', 'a-1'), at(next, 'artifacts')]).toEqual([[{ a: 1 }, { b: 2 }], undefined]);
  });

  test.each(['/view/files/x', '/view/artifactInfo/a-1', '/view/artifactTails/x'])(
    'the place of an artifact is never %s',
    (path) => {
      expect(at(afterTurn(startLog(), put([data(1)], { path })), 'artifacts', 'a-1')).toBe(1);
    },
  );

  // Promise BR3
  test.each(['/view/tasks/x', '/view/taskIds/a2a-1', '/secrets', '/view', 'not/a/view', 7])(
    'the place of an artifact is refused aloud where it may not be %j, once, and the artifact is in its usual place',
    (path) => {
      const before = startLog();
      const log = afterTurn(before, put([data(1)], { path }), more([data(2)], { lastChunk: true }));
      const warnings = log.events.filter(({ name }) => name === 'standfast.warning');
      expect(warnings).toEqual([
        {
          type: 'CUSTOM',
          name: 'standfast.warning',
          value: {
            code: 'artifact_path_refused',
            message: expect.stringContaining(String(path)),
            artifactId: 'a-1',
            path: String(path),
            shownAt: '/view/artifacts/a-1',
          },
        },
      ]);
      expect(at(log, 'artifacts', 'a-1')).toEqual([1, 2]);
      const whole = aSnapshot({ artifacts: [anArtifact('a-1', [data(1), data(2)], { path })] });
      expect(turnEvents(log.p, whole, ctx)).toEqual([]);
    },
  );

  test.each(['/view/config/x', 'view/config/x', '', null])(
    'the place of an artifact is not a reason for a warning where it is %j',
    (path) => {
      const log = afterTurn(startLog(), put([data(1)], { path }));
      expect(log.events.filter(({ type }) => type === 'CUSTOM')).toEqual([]);
    },
  );
});

describe('the kind of an artifact', () => {
  // Promise B14
  test('text shows data as text too', () => {
    const log = afterTurn(startLog(), put([text('Sum: '), data({ a: 1 })], { kind: 'text' }, { lastChunk: true }));
    expect([textOf(log.p, words), at(log, 'artifacts', 'a-1')]).toEqual(['Sum: {"a":1}', 'Sum: {"a":1}']);
  });

  test('data keeps text out of the conversation', () => {
    const log = afterTurn(startLog(), put([text('let a')], { kind: 'data' }), more([text(' = 1')]));
    expect([textOf(log.p, words), at(log, 'artifacts', 'a-1')]).toEqual([undefined, 'let a = 1']);
  });

  test('file makes each part a file', () => {
    const log = afterTurn(startLog(), put([text('hi')], { kind: 'file' }));
    expect(at(log, 'artifacts', 'a-1')).toEqual({ name: 'Report', mediaType: 'text/plain', uri: null, bytes: 2 });
    expect(log.p.attachments).toMatchObject([{ content: { source: { value: 'aGk=' } } }]);
  });

  test('the kind of an artifact that is none of these counts as none', () => {
    const log = afterTurn(startLog(), put([text('hi')], { kind: 'poem' }, { lastChunk: true }));
    expect([textOf(log.p, words), at(log, 'artifactInfo')]).toEqual(['hi', undefined]);
  });
});

describe('an artifact that the front end draws', () => {
  // Promise B14
  test('an artifact that the front end draws has its uiKind in the entry, and an activity of that type that follows the entry', async () => {
    const log = afterTurn(startLog(), put([data({ sum: 3 })], { uiKind: 'chart' }));
    expect(at(log, 'artifacts', 'a-1')).toEqual({ sum: 3, uiKind: 'chart' });
    const shown = await expectShown(done(log).events);
    expect(shown.messages.at(-1)).toEqual({
      id: ui,
      role: 'activity',
      activityType: 'chart',
      content: {
        taskId: 'task-1',
        a2aTaskId: 'a2a-1',
        artifactId: 'a-1',
        name: 'Report',
        path: '/view/artifacts/a-1',
        value: { sum: 3 },
      },
    });
  });

  test.each<{ name: string; value: Json }>([
    { name: 'a list', value: [1, 2] },
    { name: 'a text', value: 'x' },
    { name: 'an object that has such keys itself', value: { uiKind: 'mine', value: 1 } },
  ])('an artifact that the front end draws wraps what has no room for it: $name', ({ value }) => {
    const log = afterTurn(startLog(), put([data(value)], { uiKind: 'chart' }));
    expect(at(log, 'artifacts', 'a-1')).toEqual({ uiKind: 'chart', value });
    expect(turnEvents(log.p, aSnapshot({ artifacts: [anArtifact('a-1', [data(value)])] }), ctx)).toEqual([]);
  });

  test('an artifact that the front end draws grows as others do, and the activity by deltas', async () => {
    const log = afterTurn(
      startLog(),
      put([data([1])], { uiKind: 'chart' }),
      more([data(2)]),
      more([text('Two points')]),
    );
    const types = typesOf(log.events).filter((type) => type.startsWith('ACTIVITY'));
    expect([at(log, 'artifacts', 'a-1'), types]).toEqual([
      { uiKind: 'chart', value: [1, 2] },
      ['ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA'],
    ]);
    await expectShown(done(log).events);
  });

  test('an artifact that the front end draws of text has it in the activity when it ends', async () => {
    const log = afterTurn(startLog(), put([text('# Hi')], { uiKind: 'markdown' }), more([text(' there')]));
    const shown = await expectShown(paused(log).events);
    const activity = shown.messages.find(({ id }) => id === ui);
    expect(valueAtPath(activity ?? {}, 'content', 'value')).toBe('# Hi there');
    expect(valueAtPath(shown.state, 'view', 'artifacts', 'a-1')).toEqual({ uiKind: 'markdown', value: '# Hi there' });
  });

  test('an artifact that the front end draws of much data leaves it to the state', () => {
    const log = afterTurn(startLog(), put([data('x'.repeat(70_000))], { uiKind: 'chart' }));
    const activity = log.p.messages.find(({ id }) => id === ui);
    expect(valueAtPath(activity ?? {}, 'content', 'value')).toEqual({ omitted: 'too_large', bytes: 70_002 });
  });

  test.each<Json>(['HITL_FORM', 'INPUT_REQUEST', 'OPERATOR', 'a2ui-surface', ' ', 7, 'x'.repeat(101)])(
    'an artifact that the front end draws is never drawn as %j',
    (uiKind) => {
      const log = afterTurn(startLog(), put([data({ a: 1 })], { uiKind }));
      expect([at(log, 'artifacts', 'a-1'), typesOf(log.events).includes('ACTIVITY_SNAPSHOT')]).toEqual([
        { a: 1 },
        false,
      ]);
    },
  );
});

describe('an open text', () => {
  const statesOf = (events: AguiEvent[]): number =>
    events.filter(({ type }) => type === 'STATE_DELTA').reduce((sum, event) => sum + JSON.stringify(event).length, 0);

  // Promise B15
  test('an open text is in the state again when it has doubled, and when it ends', () => {
    let log = startLog();
    const seen = new Set<number>();
    for (let i = 0; i < 200; i++) {
      log = afterTurn(log, more([text('0123456789')]));
      const value = at(log, 'artifacts', 'a-1');
      if (typeof value === 'string') seen.add(value.length);
    }
    expect([...seen]).toEqual([260, 520, 1040]);
    expect(at(afterTurn(log, more([text('!')], { lastChunk: true })), 'artifacts', 'a-1')).toHaveLength(2001);
  });

  // Promise B15
  test('an open text above 64 KiB is a reference in the state', () => {
    const log = afterTurn(startLog(), put([text('x'.repeat(70_000))]), more([text('y')]));
    expect(at(log, 'artifacts', 'a-1')).toEqual({ omitted: 'too_large', bytes: 70_000 });
    expect(at(done(log), 'artifacts', 'a-1')).toEqual({ omitted: 'too_large', bytes: 70_001 });
  });

  test('an open text leaves data of the same artifact where it is', () => {
    const log = afterTurn(
      startLog(),
      put([data({ a: 1 })]),
      more([text('x'.repeat(1000))]),
      more([text('x'.repeat(5000))]),
    );
    expect(at(done(log), 'artifacts', 'a-1')).toEqual({ a: 1 });
  });

  test('an open text cut off by a crash anywhere is whole in the state in the end', () => {
    const chunks = Array.from({ length: 12 }, (_, i) => more([text(`${i} `.repeat(60))]));
    const whole = chunks.map(({ artifact }) => artifact.parts);
    const all = chunks.reduce((log, event) => afterTurn(log, event), startLog()).events;
    const expected = chunks.map((_, i) => `${i} `.repeat(60)).join('');
    for (let cut = startLog().events.length; cut <= all.length; cut++) {
      const events = all.slice(0, cut);
      const rebuilt = { events, p: reduceEvents(emptyProjection('t-1', 'r-1'), JSON.parse(JSON.stringify(events))) };
      const after = afterTurn(rebuilt, aSnapshot({ artifacts: [anArtifact('a-1', whole.flat())], state: 'completed' }));
      expect([at(after, 'artifacts', 'a-1'), textOf(after.p, words)]).toEqual([expected, expected]);
    }
  });

  // Promise B17
  test('an open text of 30 MiB in 500 chunks costs what it says, in the events and in what is kept', async () => {
    const piece = '0123456789abcdef'.repeat(3932);
    let log: Log = startLog();
    let shown = 0;
    let states = 0;
    for (let i = 0; i < 500; i++) {
      const events = turnEvents(log.p, more([text(piece)]), ctx);
      shown += JSON.stringify(events).length;
      states += statesOf(events);
      // What was emitted is on its way; the projection is all that stays.
      log = withEvents({ events: [], p: log.p }, events);
    }
    expect(shown).toBeLessThan(4.6 * 1024 * 1024);
    expect(states).toBeLessThan(2 * 64 * 1024);
    expect(JSON.stringify(log.p).length).toBeLessThan(4.6 * 1024 * 1024);
    const before = { type: 'STATE_SNAPSHOT', snapshot: log.p.state };
    const end = endEvents(log.p, { kind: 'completed', message: '' }, ctx).filter(
      ({ type }) => type !== 'TEXT_MESSAGE_END',
    );
    await expectShown([...startLog().events, before, ...end]);
  });

  // Promise B17
  test('an open text and files and data of 30 MiB in 500 chunks are kept in bounded room too', () => {
    let log: Log = startLog();
    const base64 = 'A'.repeat(80_000);
    for (let i = 0; i < 500; i++) {
      const events = turnEvents(log.p, more([file({ name: `${i}`, base64 }), data('y'.repeat(1000))]), ctx);
      log = withEvents({ events: [], p: log.p }, events);
    }
    expect(JSON.stringify(log.p).length).toBeLessThan(6.5 * 1024 * 1024);
  });
});

describe('data that grows by texts', () => {
  test('data that grows by texts is joined now and then, so that all of it together is sent about twice', () => {
    let log = afterTurn(startLog(), put([data('')]));
    let shown = 0;
    for (let i = 0; i < 5000; i++) {
      const events = turnEvents(log.p, more([data('0123456789')]), ctx);
      shown += JSON.stringify(events).length;
      log = withEvents({ events: [], p: log.p }, events);
    }
    expect(shown).toBeLessThan(5000 * 110 + 50_000 * 21);
    const whole = done(log);
    expect([at(whole, 'artifacts', 'a-1'), at(whole, 'artifactTails')]).toEqual(['0123456789'.repeat(5000), {}]);
  });

  test('data that grows by texts is whole after its last chunk, after another value, and read as a snapshot', () => {
    const long = 'x'.repeat(2000);
    const log = afterTurn(startLog(), put([data(long)]), more([data('yy')]));
    expect(at(log, 'artifacts', 'a-1')).toBe(long);
    expect(at(afterTurn(log, more([data('z')], { lastChunk: true })), 'artifacts', 'a-1')).toBe(`${long}yyz`);
    expect(at(afterTurn(log, more([], { lastChunk: true })), 'artifacts', 'a-1')).toBe(`${long}yy`);
    expect(at(afterTurn(log, more([data({ a: 1 })])), 'artifacts', 'a-1')).toEqual([`${long}yy`, { a: 1 }]);
    const whole = aSnapshot({ artifacts: [anArtifact('a-1', [data(long), data('yy')])] });
    const read = afterTurn(log, whole);
    expect([at(read, 'artifacts', 'a-1'), at(read, 'artifactTails')]).toEqual([`${long}yy`, {}]);
    expect(turnEvents(read.p, whole, ctx)).toEqual([]);
    expect(at(afterTurn(log, status('completed')), 'artifacts', 'a-1')).toBe(`${long}yy`);
  });
});

describe("the thread's next task", () => {
  const nextTask = { ...ctx, taskId: 'task-2' };
  const first = (): Log =>
    done(
      afterTurn(
        startLog(),
        put([data(1)]),
        chunk(anArtifact('a-2', [data(2)], { scope: 'thread' })),
        chunk(anArtifact('a-3', [data(3)], { path: '/view/config/x' })),
        chunk(anArtifact('a-4', [data({ n: 4 })], { path: '/view/config/y', scope: 'thread', uiKind: 'chart' })),
        chunk(anArtifact('a-5', [file()])),
      ),
    );
  const begun = (log: Log): Json | undefined => {
    const start = aStart({ runId: 'r-2', threadState: log.p.state, clientState: { theme: 'dark' } });
    return runStartEvents(start, nextTask)[1]?.['snapshot'];
  };

  // Promise B14
  test('the thread’s next task begins with the entries of earlier ones and what is of scope thread, without their files and artifacts', () => {
    expect(begun(first())).toEqual({
      theme: 'dark',
      view: {
        tasks: { 'task-1': expect.objectContaining({ taskId: 'task-1', a2aTaskId: 'a2a-1', status: 'DONE' }) },
        taskIds: { 'a2a-1': 'task-1' },
        artifacts: { 'a-2': 2 },
        config: { y: { n: 4, uiKind: 'chart' } },
        files: {},
        artifactInfo: {
          'a-2': {
            taskId: 'task-1',
            name: 'Report',
            path: '/view/artifacts/a-2',
            kind: null,
            scope: 'thread',
            uiKind: null,
          },
          'a-4': {
            taskId: 'task-1',
            name: 'Report',
            path: '/view/config/y',
            kind: null,
            scope: 'thread',
            uiKind: 'chart',
          },
        },
      },
    });
  });

  // Promise BR2
  test("the thread's next task keeps the fifty tasks of its thread that changed last, each to be found by the id that the agent gave it", () => {
    let log = first();
    for (let n = 2; n <= 60; n += 1) {
      const now = new Date(Date.UTC(2026, 10, 21, 8, n)).toISOString();
      const own = { ...ctx, taskId: `task-${n}`, now };
      const start = runStartEvents(aStart({ runId: `r-${n}`, threadState: log.p.state }), own);
      log = withEvents({ events: [], p: emptyProjection('t-1', `r-${n}`) }, start);
      const event = status('completed');
      log = withEvents(
        log,
        turnEvents(log.p, event.type === 'status' ? { ...event, a2aTaskId: `a2a-${n}` } : event, own),
      );
    }
    const names = Array.from({ length: 50 }, (_, index) => `task-${index + 11}`);
    expect(Object.keys(Object(at(log, 'tasks'))).toSorted()).toEqual(names.toSorted());
    const ids = names.map((name) => [name.replace('task-', 'a2a-'), name]);
    expect(at(log, 'taskIds')).toEqual(Object.fromEntries(ids));
    expect(at(log, 'tasks', 'task-60')).toMatchObject({ a2aTaskId: 'a2a-60', lastRunId: 'r-60' });
  });

  test("the thread's next task hands them on to the one after it", () => {
    const second = startLog({ runId: 'r-2', threadState: first().p.state });
    const begunAgain = begun({ events: [], p: { ...second.p, state: { view: {} } } });
    expect(begunAgain).toEqual({ theme: 'dark', view: {} });
    const snapshot = begun(first());
    const third = aStart({
      threadState: typeof snapshot === 'object' && snapshot !== null && !Array.isArray(snapshot) ? snapshot : {},
    });
    expect(
      valueAtPath(runStartEvents(third, { ...ctx, taskId: 'task-3' })[1] ?? {}, 'snapshot', 'view', 'config', 'y'),
    ).toEqual({
      n: 4,
      uiKind: 'chart',
    });
  });

  test("the thread's next task keeps nothing from the next run of the same task", () => {
    const log = first();
    const snapshot = runStartEvents(aStart({ runId: 'r-2', threadState: log.p.state }), ctx)[1]?.['snapshot'];
    expect(snapshot).toEqual(log.p.state);
  });

  test("the thread's next task may put its own artifact in the place of one that stayed", () => {
    const log = first();
    const start = runStartEvents(aStart({ runId: 'r-2', threadState: log.p.state }), nextTask);
    const begunLog = { events: start, p: reduceEvents(emptyProjection('t-1', 'r-2'), start) };
    const events = turnEvents(begunLog.p, chunk(anArtifact('a-2', [data('new')])), nextTask);
    const after = withEvents(begunLog, events);
    expect([at(after, 'artifacts', 'a-2'), at(after, 'artifactInfo', 'a-2')]).toEqual(['new', undefined]);
  });
});
