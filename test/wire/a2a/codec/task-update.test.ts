import { Message, StreamResponse, Task } from '@a2a-js/sdk';
import { describe, expect, test } from '@jest/globals';
import { maxJsonDepth } from '../../../../src/wire/a2a/codec/clean.ts';
import { truncatedKey } from '../../../../src/wire/a2a/codec/parts.ts';
import { decodeMessage, decodeStreamResponse, decodeTask } from '../../../../src/wire/a2a/codec/task-update.ts';
import { fc, runs } from '../../../rigs/properties.ts';

const decode = (wire: unknown) => decodeStreamResponse(StreamResponse.fromJSON(wire));
const status = (state: string, message?: unknown) =>
  decode({
    statusUpdate: { taskId: 't', contextId: 'c', status: { state, ...(message === undefined ? {} : { message }) } },
  });
const partsOf = (...parts: unknown[]) => {
  const event = decodeMessage(Message.fromJSON({ messageId: 'm', role: 'ROLE_AGENT', parts }));
  if (event.type !== 'message') throw new Error(JSON.stringify(event));
  return event.message.parts;
};

const text = (words: string) => [{ kind: 'text', text: words, metadata: {} }];

describe('reasoning', () => {
  const isReasoning = (metadata: unknown) => partsOf({ text: 'Hm', metadata }).some((part) => 'isReasoning' in part);

  test.each(['adk_thought', 'kagent_thought', 'thought'])('reasoning is text that is marked by %s', (mark) => {
    expect(isReasoning({ [mark]: true })).toBe(true);
  });

  test('reasoning is not a text whose mark is anything but true', () => {
    expect(isReasoning({ adk_thought: false, thought: 'true' })).toBe(false);
  });
});

describe('states', () => {
  test.each([
    ['TASK_STATE_SUBMITTED', 'submitted'],
    ['TASK_STATE_WORKING', 'working'],
    ['TASK_STATE_COMPLETED', 'completed'],
    ['TASK_STATE_FAILED', 'failed'],
    ['TASK_STATE_CANCELED', 'canceled'],
    ['TASK_STATE_INPUT_REQUIRED', 'input-required'],
    ['TASK_STATE_REJECTED', 'rejected'],
    ['TASK_STATE_AUTH_REQUIRED', 'auth-required'],
    ['TASK_STATE_UNSPECIFIED', 'unknown'],
    ['TASK_STATE_FROM_THE_FUTURE', 'unknown'],
  ])('the state %s is read as %s', (wire, state) => {
    expect(status(wire)).toEqual({ type: 'status', a2aTaskId: 't', contextId: 'c', state, message: null });
  });
});

describe('events', () => {
  test('a task keeps its artifacts, its history and the message of its status', () => {
    const event = decode({
      task: {
        id: 't',
        contextId: 'c',
        status: {
          state: 'TASK_STATE_INPUT_REQUIRED',
          message: { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'Why?' }] },
        },
        artifacts: [{ artifactId: 'a', name: 'n', description: 'd', parts: [{ text: 'x' }] }],
        history: [{ messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'hi' }] }],
      },
    });
    expect(event).toEqual({
      type: 'task',
      a2aTaskId: 't',
      contextId: 'c',
      state: 'input-required',
      message: { messageId: 'q', role: 'agent', parts: text('Why?'), metadata: {}, extensions: [] },
      artifacts: [{ artifactId: 'a', name: 'n', description: 'd', parts: text('x'), metadata: {} }],
      history: [{ messageId: 'u', role: 'user', parts: text('hi'), metadata: {}, extensions: [] }],
    });
  });

  test('an artifact chunk says whether it is appended and whether it is the last', () => {
    const artifact = { artifactId: 'a', parts: [{ text: 'x' }] };
    expect(
      decode({ artifactUpdate: { taskId: 't', contextId: 'c', artifact, append: true, lastChunk: true } }),
    ).toMatchObject({
      type: 'artifact',
      append: true,
      lastChunk: true,
    });
  });

  test('an event of another protocol version is unknown, not a silent nothing', () => {
    expect(decode({ kind: 'status-update', taskId: 't' })).toEqual({
      type: 'unknown',
      what: 'an event without a payload',
    });
  });

  test.each([
    ['too long', 'x'.repeat(201)],
    ['with a control character', 'a\nb'],
    ['with half a character', 'a\ud800'],
  ])('an id that is %s is refused, never cut', (_, id) => {
    expect(decode({ statusUpdate: { taskId: id, status: {} } })).toMatchObject({ type: 'unknown' });
    expect(decodeTask(Task.fromJSON({ id, status: {} }))).toMatchObject({ type: 'unknown' });
    expect(decode({ artifactUpdate: { taskId: 't', artifact: { artifactId: id } } })).toMatchObject({
      type: 'unknown',
    });
  });

  // Promise W21
  test.each([
    ['too long', 'x'.repeat(201)],
    ['with a control character', 'a\nb'],
    ['with half a character', 'a\ud800'],
  ])('a message whose id is %s counts as one without an id', (_, messageId) => {
    const message = { messageId, parts: [{ text: 'Which colour?' }] };
    const asked = { state: 'input-required', message: { messageId: '', parts: text('Which colour?') } };
    expect(status('TASK_STATE_INPUT_REQUIRED', message)).toMatchObject(asked);
    const task = Task.fromJSON({ id: 't', status: { state: 'TASK_STATE_INPUT_REQUIRED', message } });
    expect(decodeTask(task)).toMatchObject(asked);
  });

  // Promise W21
  test('an artifact whose id is unusable is left out of its task', () => {
    const artifacts = [{ artifactId: 'x'.repeat(201) }, { artifactId: 'a\nb' }, {}, { artifactId: 'ok' }];
    expect(decodeTask(Task.fromJSON({ id: 't', status: { state: 'TASK_STATE_COMPLETED' }, artifacts }))).toMatchObject({
      type: 'task',
      state: 'completed',
      artifacts: [{ artifactId: 'ok' }],
    });
  });

  test('a task without an id is unknown', () => {
    expect(decodeTask(Task.fromJSON({}))).toEqual({ type: 'unknown', what: 'no task id' });
  });

  test('an unusable message of the past does not spoil the task', () => {
    const history = [{ messageId: 'x'.repeat(500) }, { messageId: 'ok' }];
    expect(decodeTask(Task.fromJSON({ id: 't', history }))).toMatchObject({
      type: 'task',
      history: [{ messageId: '' }, { messageId: 'ok' }],
    });
  });
});

describe('parts', () => {
  test('NUL and lone surrogates become U+FFFD in texts, keys and values', () => {
    expect(partsOf({ text: 'a\u0000b\ud800c😀' }, { data: { 'k\u0000': 'v\udc00' } })).toEqual([
      { kind: 'text', text: 'a\uFFFDb\uFFFDc😀', metadata: {} },
      { kind: 'data', data: { 'k\uFFFD': 'v\uFFFD' }, metadata: {} },
    ]);
  });

  test.each([[null], [0], [false], [''], [[]], [{}], [[null]]])('the data %j survives', (data) => {
    expect(partsOf({ data })).toEqual([{ kind: 'data', data, metadata: {} }]);
  });

  test('keys that reach prototypes are dropped at every depth', () => {
    const data = JSON.parse('{"a":{"__proto__":{"x":1},"constructor":1,"b":2},"prototype":3}');
    expect(partsOf({ data, metadata: data })).toEqual([
      { kind: 'data', data: { a: { b: 2 } }, metadata: { a: { b: 2 } } },
    ]);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  test('files keep name, type, and bytes or address; addresses that run code are dropped', () => {
    expect(
      partsOf(
        { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
        { url: 'https://h/x' },
        { url: ' java\nscript:alert(1)' },
      ),
    ).toEqual([
      { kind: 'file', name: 'a.txt', mediaType: 'text/plain', uri: null, base64: 'aGk=', metadata: {} },
      { kind: 'file', name: '', mediaType: '', uri: 'https://h/x', base64: null, metadata: {} },
      { kind: 'file', name: '', mediaType: '', uri: null, base64: null, metadata: {} },
    ]);
  });

  test('4 MiB of text in one event are kept, and what is more is marked as cut', () => {
    const whole = 'ä'.repeat(2 * 1024 * 1024);
    const [kept] = partsOf({ text: whole });
    expect(kept).toEqual({ kind: 'text', text: whole, metadata: {} });
    const [first, second] = partsOf({ text: 'x' }, { text: whole });
    expect(first?.metadata).toEqual({});
    // One byte is taken, so half a character more does not fit.
    expect(second).toMatchObject({ text: whole.slice(1), metadata: { [truncatedKey]: true } });
  });

  test('data nested deeper than 64 levels ends in a note', () => {
    let data: unknown = 'end';
    for (let level = 0; level < 5000; level += 1) data = [data];
    expect(depth(partsOf({ data })[0])).toBeLessThanOrEqual(maxJsonDepth + 2);
  });

  test('data of too many values is dropped and marked', () => {
    const [part] = partsOf({ data: Array.from({ length: 300_000 }, () => 0) });
    expect(part).toEqual({ kind: 'data', data: null, metadata: { [truncatedKey]: true } });
  });
});

describe('anything at all', () => {
  // Promise P2
  test('anything at all decodes without a throw into something bounded', () => {
    const wire = fc.oneof(
      fc.jsonValue(),
      fc.record({
        payload: fc.record({
          $case: fc.constantFrom('task', 'message', 'statusUpdate', 'artifactUpdate', 'other'),
          value: fc.oneof(
            fc.jsonValue(),
            fc.record(
              {
                id: fc.oneof(fc.string({ minLength: 1 }), fc.jsonValue()),
                taskId: fc.oneof(fc.string({ minLength: 1 }), fc.jsonValue()),
                contextId: fc.jsonValue(),
                messageId: fc.string(),
                parts: fc.oneof(
                  fc.array(
                    fc.record({
                      content: fc.record({
                        $case: fc.constantFrom('text', 'data', 'raw', 'url'),
                        value: fc.anything(),
                      }),
                    }),
                  ),
                  fc.jsonValue(),
                ),
                status: fc.oneof(
                  fc.record({ state: fc.integer({ min: -2, max: 9 }), message: fc.jsonValue() }),
                  fc.jsonValue(),
                ),
                artifacts: fc.jsonValue(),
                artifact: fc.jsonValue(),
                history: fc.jsonValue(),
                metadata: fc.anything(),
              },
              { requiredKeys: [] },
            ),
          ),
        }),
      }),
    );
    fc.assert(
      fc.property(wire, (value) => {
        for (const decodeAny of [decodeStreamResponse, decodeTask, decodeMessage]) {
          const event = Reflect.apply(decodeAny, undefined, [value]);
          expect(['message', 'task', 'status', 'artifact', 'unknown']).toContain(event.type);
          // Plain JSON that PostgreSQL and UTF-8 take.
          const json = JSON.stringify(event);
          expect(JSON.parse(json)).toEqual(event);
          expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/i);
          expect(depth(event)).toBeLessThan(maxJsonDepth + 10);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

function depth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depth));
}
