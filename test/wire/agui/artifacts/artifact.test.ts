import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../src/contract/base/json.ts';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { turnEvents } from '../../../../src/wire/agui/project/project.ts';
import { expectShown } from '../real-client.ts';
import {
  afterTurn,
  anArtifact,
  aSnapshot,
  chunk,
  ctx,
  data,
  startLog,
  status,
  text,
  textOf,
  typesOf,
  valueAtPath,
  withEvents,
  type Log,
} from '../scene.ts';

const id = 'artifact:a2a-1:a-1';
const words = (
  more: string,
  how: { append?: boolean; lastChunk?: boolean } = { append: true },
): ReturnType<typeof chunk> => chunk(anArtifact('a-1', [text(more)]), how);
const valueOf = (log: Log, artifactId = 'a-1'): Json | undefined =>
  valueAtPath(log.p.state, 'view', 'artifacts', artifactId);

const put = (value: Json, how: { append?: boolean } = {}): ReturnType<typeof chunk> =>
  chunk(anArtifact('a-1', [data(value)]), how);
const placedAt = (path: string): Log =>
  afterTurn(startLog(), chunk(anArtifact('a-1', [text('Hi')], { path }), { lastChunk: true }));

describe("an artifact's text", () => {
  // Promise B11
  test("an artifact's text is streamed token by token into one message and is in the state when it ends", () => {
    const log = afterTurn(startLog(), words('Hel', {}), words('lo'));
    expect([textOf(log.p, id), log.p.openTexts, valueOf(log)]).toEqual(['Hello', [id], undefined]);
    const after = afterTurn(log, words('!', { append: true, lastChunk: true }));
    expect([textOf(after.p, id), after.p.openTexts, valueOf(after)]).toEqual(['Hello!', [], 'Hello!']);
  });

  test('ends with the task when the agent marks no last chunk', () => {
    const log = afterTurn(startLog(), words('Hello', {}), status('completed'));
    expect([log.p.openTexts, valueOf(log)]).toEqual([[], 'Hello']);
  });

  test("an artifact's text goes on in the same message when more comes after its last chunk", () => {
    const log = afterTurn(
      startLog(),
      words('Hel', { lastChunk: true }),
      words('lo', { append: true, lastChunk: true }),
    );
    expect([textOf(log.p, id), valueOf(log)]).toEqual(['Hello', 'Hello']);
  });

  test("an artifact's text that is replaced by a longer one of the same beginning gets only the rest", () => {
    const log = afterTurn(startLog(), words('Hel', {}));
    const events = turnEvents(log.p, words('Hello', {}), ctx);
    expect(events).toEqual([{ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: 'lo' }]);
  });

  test("an artifact's text that is replaced by another one begins a new message, and the old one is gone at the end", async () => {
    const log = afterTurn(startLog(), words('Draft', {}), words('Final', {}), status('completed'));
    const whole = withEvents(log, endEvents(log.p, { kind: 'completed', message: '' }, ctx));
    const shown = await expectShown(whole.events);
    expect(shown.messages).toMatchObject([{ id: 'u-1' }, { id: 'artifact.2:a2a-1:a-1', content: 'Final' }]);
    expect(valueOf(whole)).toBe('Final');
  });

  test('longer than 64 KiB is not repeated in the state', () => {
    const log = afterTurn(startLog(), words('x'.repeat(70_000), { lastChunk: true }));
    expect(valueOf(log)).toEqual({ omitted: 'too_large', bytes: 70_000 });
  });

  test("an artifact's text is stored where the agent asks if that is inside /view and not reserved", () => {
    expect(valueAtPath(placedAt('/view/config/main').p.state, 'view', 'config', 'main')).toBe('Hi');
    expect(valueAtPath(placedAt('view/artifacts/x').p.state, 'view', 'artifacts', 'x')).toBe('Hi');
  });

  // Promise B16
  test.each([
    '/',
    '/view',
    '/view/artifacts',
    '/view/tasks/task-1',
    '/view/pendingInterrupts/x',
    '/ui',
    '/view/__proto__/x',
  ])("an artifact's text is never stored at %s", (path) => {
    const log = afterTurn(startLog(), chunk(anArtifact('a-1', [text('Hi'), data(1)], { path }), { lastChunk: true }));
    expect(valueOf(log)).toBe(1);
    expect(valueAtPath(log.p.state, 'view', 'tasks', 'task-1', 'a2aTaskId')).toBe('a2a-1');
  });

  test("an artifact's text of 20,000 tokens is reduced in linear time", () => {
    let log = startLog();
    for (let i = 0; i < 20_000; i++) log = { events: [], p: afterTurn(log, words('token ')).p };
    expect(textOf(log.p, id)).toHaveLength(120_000);
  });
});

describe("an artifact's data", () => {
  // Promise B12
  test.each<{ name: string; first: Json; second: Json; both: Json }>([
    { name: 'texts are joined', first: 'ab', second: 'cd', both: 'abcd' },
    { name: 'a list gets an element', first: [1], second: 2, both: [1, 2] },
    { name: 'anything else becomes a list', first: { a: 1 }, second: { b: 2 }, both: [{ a: 1 }, { b: 2 }] },
  ])("an artifact's data with append: $name, and a whole snapshot of it says the same", ({ first, second, both }) => {
    const log = afterTurn(startLog(), put(first), put(second, { append: true }));
    expect(valueOf(log)).toEqual(both);
    const whole = aSnapshot({ artifacts: [anArtifact('a-1', [data(first), data(second)])] });
    expect(turnEvents(log.p, whole, ctx)).toEqual([]);
  });

  test("an artifact's data without append is replaced", () => {
    expect(valueOf(afterTurn(startLog(), put({ a: 1 }), put({ b: 2 })))).toEqual({ b: 2 });
  });

  test("an artifact's data above 256 KiB is left out of the state with its size", () => {
    const log = afterTurn(startLog(), put('x'.repeat(300_000)));
    expect(valueOf(log)).toEqual({ omitted: 'too_large', bytes: 300_002 });
  });

  test("an artifact's data of many large artifacts together keeps the state below what a client can read", () => {
    const events = Array.from({ length: 40 }, (_, i) => chunk(anArtifact(`a-${i}`, [data('x'.repeat(200_000))])));
    const log = afterTurn(startLog(), ...events);
    expect(JSON.stringify(log.p.state).length).toBeLessThan(4.5 * 1024 * 1024);
    expect(valueOf(log, 'a-39')).toEqual({ omitted: 'too_large', bytes: 200_002 });
  });

  // Promise B13
  test('an artifact of a file is a reference, never its bytes', () => {
    const file = {
      kind: 'file' as const,
      name: 'r.pdf',
      mediaType: 'application/pdf',
      uri: null,
      base64: 'QUJDRA==',
      metadata: {},
    };
    const log = afterTurn(startLog(), chunk(anArtifact('a-1', [file])));
    expect(valueOf(log)).toEqual({ name: 'r.pdf', mediaType: 'application/pdf', uri: null, bytes: 4 });
  });

  test("an artifact's data wins over the text of the same artifact in the state, and stays when the text ends", () => {
    const both = chunk(anArtifact('a-1', [text('Total'), data({ sum: 3 })]));
    const log = afterTurn(startLog(), both, status('completed'));
    expect([textOf(log.p, id), valueOf(log)]).toEqual(['Total', { sum: 3 }]);
  });

  test("an artifact's data gives way to text when the artifact is text alone now", () => {
    const log = afterTurn(startLog(), put({ a: 1 }), words('Hello', { lastChunk: true }));
    expect(valueOf(log)).toBe('Hello');
  });

  // Promise B16
  test("an artifact's data under an id that could reach a prototype is not put into the state", () => {
    const events = turnEvents(startLog().p, chunk(anArtifact('__proto__', [data({ polluted: true })])), ctx);
    expect(JSON.stringify(events)).not.toContain('polluted');
  });

  test("an artifact's data under an id with a slash stays one key", () => {
    const log = afterTurn(startLog(), chunk(anArtifact('a/b~c', [data(1)])));
    expect(valueOf(log, 'a/b~c')).toBe(1);
  });
});

describe('a snapshot after a lost stream', () => {
  // Promise CO11
  test('a snapshot after a lost stream says only what was missed', () => {
    const log = afterTurn(startLog(), words('Hel', {}));
    const missed = aSnapshot({ artifacts: [anArtifact('a-1', [text('Hello')]), anArtifact('a-2', [data({ n: 1 })])] });
    const events = turnEvents(log.p, missed, ctx);
    expect(typesOf(events)).toEqual(['TEXT_MESSAGE_CONTENT', 'STATE_DELTA']);
    const after = withEvents(log, events);
    expect(turnEvents(after.p, missed, ctx)).toEqual([]);
  });

  test('a snapshot after a lost stream keeps artifacts that it does not list', () => {
    const log = afterTurn(startLog(), chunk(anArtifact('a-1', [data(1)])), aSnapshot());
    expect(valueOf(log)).toBe(1);
  });
});
