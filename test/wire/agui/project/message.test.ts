import { describe, expect, test } from '@jest/globals';
import type { AguiEvent } from '../../../../src/contract/tasks/run.ts';
import type { Json, JsonObject } from '../../../../src/contract/base/json.ts';
import type { NeutralPart } from '../../../../src/contract/tasks/turn.ts';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { keptMessages } from '../../../../src/wire/agui/project/messages.ts';
import { pauseEvents } from '../../../../src/wire/agui/project/pause.ts';
import { emptyProjection, reduceEvents } from '../../../../src/wire/agui/model/projection.ts';
import { turnEvents } from '../../../../src/wire/agui/project/project.ts';
import { restateEvents } from '../../../../src/wire/agui/project/restate.ts';
import { expectShown } from '../real-client.ts';
import {
  afterTurn,
  anArtifact,
  aPause,
  asText,
  aSnapshot,
  chunk,
  ctx,
  data,
  dialectData,
  file,
  gives,
  nextLog,
  startLog,
  status,
  text,
  typesOf,
  valueAtPath,
  withEvents,
  type Log,
} from '../scene.ts';

const done = (log: Log): Log => withEvents(log, endEvents(log.p, { kind: 'completed', message: '' }, ctx));
const messageWith = (parts: NeutralPart[], log: Log = startLog(), id = 'm-1'): Log =>
  afterTurn(log, status('working', gives(id, parts)));
const eventsOf = (log: Log, type: string): AguiEvent[] => log.events.filter((event) => event.type.startsWith(type));
const call = (id: string, args: Json = { q: 'x' }): NeutralPart =>
  data({ type: 'tool-call', id, name: 'search', arguments: args });
const result = (toolCallId: string, payload: Json): NeutralPart => data({ type: 'tool-result', toolCallId, payload });
const op = (surfaceId: string, more: JsonObject = {}): NeutralPart => data({ surfaceUpdate: { surfaceId, ...more } });

describe("an agent's own tool call", () => {
  // Promise B38
  test("an agent's own tool call is shown with its text, and its result after its end", async () => {
    const log = messageWith([text('Searching'), call('c-1'), result('c-1', { hits: 2 })]);
    expect(eventsOf(log, 'TOOL_CALL')).toMatchObject([
      { type: 'TOOL_CALL_START', toolCallId: 'c-1', toolCallName: 'search', parentMessageId: 'm-1' },
      { type: 'TOOL_CALL_ARGS', delta: '{"q":"x"}' },
      { type: 'TOOL_CALL_END' },
      { type: 'TOOL_CALL_RESULT', toolCallId: 'c-1', content: '{"hits":2}', messageId: 'result:c-1' },
    ]);
    const shown = await expectShown(done(log).events);
    expect(shown.messages.map(({ id, role }) => [id, role])).toEqual([
      ['u-1', 'user'],
      ['m-1', 'assistant'],
      ['result:c-1', 'tool'],
    ]);
  });

  test("an agent's own tool call needs no words, and may get its result by a later message", async () => {
    const log = messageWith([result('c-1', 'two')], messageWith([call('c-1')]), 'm-2');
    const shown = await expectShown(done(log).events);
    expect(shown.messages).toMatchObject([
      { id: 'u-1' },
      { id: 'm-1', toolCalls: [{ id: 'c-1' }] },
      { role: 'tool', content: 'two' },
    ]);
  });

  test("an agent's own tool call is emitted once, also by a snapshot, and by a run that follows", () => {
    const messages = [gives('m-1', [call('c-1')]), gives('m-2', [result('c-1', 1)]), gives('m-3', [call('c-2')])];
    const log = messages.reduce((so, message) => afterTurn(so, status('working', message)), startLog());
    const whole = aSnapshot({ history: messages });
    expect(turnEvents(log.p, whole, ctx)).toEqual([]);
    const next = nextLog(withEvents(log, pauseEvents(log.p, aPause(), ctx)));
    expect(typesOf(turnEvents(next.p, whole, ctx)).filter((type) => type.startsWith('TOOL'))).toEqual([]);
  });

  test("an agent's own tool call of an id that was used before is another call", async () => {
    const one = messageWith([result('c-1', 'a')], messageWith([call('c-1')]), 'm-2');
    const log = messageWith([call('c-1', { q: 'y' }), result('c-1', 'b')], one, 'm-3');
    const shown = await expectShown(done(log).events);
    expect(
      shown.messages.flatMap(({ role, content, toolCallId }) => (role === 'tool' ? [[toolCallId, content]] : [])),
    ).toEqual([
      ['c-1', 'a'],
      ['c-1~2', 'b'],
    ]);
  });

  test("an agent's own tool call without a name, or known by its result alone, is unknown_tool", async () => {
    const log = messageWith([data({ type: 'tool-call', id: 'c-1', rawArguments: '{"a"' }), result('c-9', null)]);
    const starts = eventsOf(log, 'TOOL_CALL_START').map(({ toolCallId, toolCallName }) => [toolCallId, toolCallName]);
    expect(starts).toEqual([
      ['c-1', 'unknown_tool'],
      ['c-9', 'unknown_tool'],
    ]);
    await expectShown(done(log).events);
  });

  test("an agent's own tool call that has no result at the end of the task gets one that says so", async () => {
    const log = done(messageWith([call('c-1')]));
    expect(eventsOf(log, 'TOOL_CALL_RESULT')).toMatchObject([
      { toolCallId: 'c-1', content: expect.stringContaining('unknown') },
    ]);
    await expectShown(log.events);
  });

  test("an agent's own tool call of an earlier run gets it too when that run ended in a question", async () => {
    const asked = messageWith([call('c-1')]);
    const log = done(nextLog(withEvents(asked, pauseEvents(asked.p, aPause(), ctx))));
    expect(eventsOf(log, 'TOOL_CALL')).toMatchObject([{ type: 'TOOL_CALL_RESULT', toolCallId: 'c-1' }]);
    await expectShown(log.events, [{ id: 'u-1', role: 'user', content: 'Book it' }]);
  });

  test("an agent's own tool call has all its arguments, and of a result above 256 KiB only how long it is", () => {
    const log = messageWith([call('c-1', 'x'.repeat(300_000)), result('c-1', 'y'.repeat(300_000))]);
    const args = eventsOf(log, 'TOOL_CALL_ARGS').map((event) => String(event['delta']));
    expect(args.join('')).toBe('x'.repeat(300_000));
    expect(eventsOf(log, 'TOOL_CALL_RESULT')).toMatchObject([{ content: '{"omitted":"too_large","bytes":300000}' }]);
  });

  test("an agent's own tool call that a crash cut off is completed", () => {
    const parts = [text('Searching'), call('c-1'), result('c-1', 1)];
    const events = turnEvents(startLog().p, status('working', gives('m-1', parts)), ctx);
    for (let cut = 0; cut <= events.length; cut++) {
      const log = withEvents(startLog(), events.slice(0, cut));
      const rebuilt = { events: log.events, p: reduceEvents(emptyProjection('t-1', 'r-1'), log.events) };
      const after = afterTurn(rebuilt, aSnapshot({ history: [gives('m-1', parts)] }));
      expect(after.p.messages).toEqual(withEvents(startLog(), events).p.messages);
      expect(after.p.openCalls).toEqual([]);
    }
  });

  test("an agent's own tool call in a message of the person is none", () => {
    const own = { ...gives('m-1', [call('c-1'), file(), op('s-1')]), role: 'user' as const };
    expect(typesOf(turnEvents(startLog().p, status('working', own), ctx))).toEqual(['STATE_DELTA']);
  });
});

describe('an A2UI surface', () => {
  // Promise B37
  test.each([
    ['0.9', { version: 'v0.9', createSurface: { surfaceId: 's-9', catalogId: 'basic' } }],
    ['0.9', { version: 'v0.9', updateComponents: { surfaceId: 's-9', components: [] } }],
    ['0.9', { version: 'v0.9', updateDataModel: { surfaceId: 's-9', path: '/n', value: 1 } }],
    ['0.8', { surfaceUpdate: { surfaceId: 's-9' } }],
  ])(
    'an A2UI surface mirrors an operation of A2UI %s into its surface, and shows it as no plain data: %j',
    async (_version, operation) => {
      const log = done(messageWith([data(operation)]));
      const shown = await expectShown(log.events);
      const surface = shown.messages.find(({ activityType }) => activityType === 'a2ui-surface');
      expect(surface).toMatchObject({ id: 's-9', content: { operations: [operation] } });
      expect(typesOf(log.events)).not.toContain('CUSTOM');
    },
  );

  // Promise B37
  test('an A2UI surface takes a list of operations, each for its surface; a list of anything else stays data', async () => {
    const operations = [
      { createSurface: { surfaceId: 's-1' } },
      { updateComponents: { surfaceId: 's-2', components: [] } },
    ];
    const log = done(messageWith([data(operations), data([...operations, { other: 1 }])]));
    const shown = await expectShown(log.events);
    const surfaces = shown.messages.filter(({ activityType }) => activityType === 'a2ui-surface');
    expect(surfaces.map(({ id, content }) => [id, content])).toEqual([
      ['s-1', { operations: [operations[0]] }],
      ['s-2', { operations: [operations[1]] }],
    ]);
    expect(typesOf(log.events).filter((type) => type === 'CUSTOM')).toHaveLength(1);
  });

  test('an A2UI surface is an activity of its own id that gathers the operations', async () => {
    const log = messageWith(
      [op('s-1', { n: 2 })],
      messageWith([data({ beginRendering: { surfaceId: 's-1' } }), op('s-1', { n: 1 })]),
      'm-2',
    );
    const shown = await expectShown(done(log).events);
    expect(shown.messages.at(-1)).toMatchObject({
      id: 's-1',
      role: 'activity',
      activityType: 'a2ui-surface',
      content: {
        operations: [
          { beginRendering: { surfaceId: 's-1' } },
          { surfaceUpdate: { surfaceId: 's-1', n: 1 } },
          { surfaceUpdate: { surfaceId: 's-1', n: 2 } },
        ],
      },
    });
  });

  test('an A2UI surface is emitted once, also by a snapshot, and stays for the runs that follow', async () => {
    const message = gives('m-1', [op('s-1', { n: 1 }), op('s-1', { n: 1 })]);
    const log = afterTurn(startLog(), status('working', message));
    expect(turnEvents(log.p, aSnapshot({ history: [message] }), ctx)).toEqual([]);
    const paused = withEvents(log, pauseEvents(log.p, aPause(), ctx));
    expect(keptMessages(paused.p).map(({ id }) => id)).toEqual(['u-1', 's-1', 'm-ask', 'hitl-a2a-1-1']);
    const next = done(messageWith([op('s-1', { n: 2 })], nextLog(paused), 'm-2'));
    const shown = await expectShown(next.events);
    const surface = shown.messages.find(({ id }) => id === 's-1');
    expect(valueAtPath(surface ?? {}, 'content', 'operations')).toHaveLength(3);
  });

  test.each(['u-1', 'artifact:a2a-1:a-1'])('an A2UI surface whose id %s is taken gets another', async (surfaceId) => {
    const log = messageWith([op(surfaceId)]);
    const place = log.p.messages.find(({ role }) => role === 'activity')?.['id'];
    expect(place).toMatch(/^(surface|message):/);
    await expectShown(done(log).events);
  });

  test("an A2UI surface that calls itself like a hold's card gives way to it", async () => {
    const log = messageWith([op('hitl-a2a-1-1')]);
    const shown = await expectShown(withEvents(log, pauseEvents(log.p, aPause(), ctx)).events);
    expect(shown.messages.filter(({ role }) => role === 'activity')).toMatchObject([{ activityType: 'HITL_FORM' }]);
  });

  test('an A2UI surface is one of at most 500 that the lists of a message begin', () => {
    const operations = Array.from({ length: 5000 }, (_, n) => ({ createSurface: { surfaceId: `s-${n}` } }));
    const { p } = messageWith([data(operations.slice(0, 300)), data(operations.slice(300))]);
    expect(p.messages.filter(({ activityType }) => activityType === 'a2ui-surface')).toHaveLength(500);
  });

  test('an A2UI surface is followed up to a bound', () => {
    let log = startLog();
    for (let i = 0; i < 12; i++) {
      log = messageWith(
        Array.from({ length: 100 }, (_, n) => op('s-1', { n })),
        log,
        `m-${i}`,
      );
    }
    expect(valueAtPath(log.p.messages.at(-1) ?? {}, 'content', 'operations')).toHaveLength(1000);
  });
});

const kinds: { mediaType: string; kind: string }[] = [
  { mediaType: 'image/png', kind: 'image' },
  { mediaType: 'audio/mpeg', kind: 'audio' },
  { mediaType: 'video/mp4', kind: 'video' },
  { mediaType: 'application/pdf', kind: 'document' },
];

describe('a file of an agent', () => {
  // Promise B13
  test.each(kinds)(
    'a file of an agent of type $mediaType is given as $kind with its bytes',
    async ({ mediaType, kind }) => {
      const log = done(messageWith([text('Here'), file({ mediaType, name: 'x' })]));
      const [given] = eventsOf(log, 'CUSTOM');
      expect(given).toMatchObject({
        name: 'standfast.file',
        value: {
          name: 'x',
          mediaType,
          uri: null,
          bytes: 4,
          content: { type: kind, source: { type: 'data', value: 'QUJDRA==', mimeType: mediaType } },
          omitted: null,
          messageId: 'm-1',
        },
      });
      const shown = await expectShown(log.events);
      const id = asText(valueAtPath(given ?? {}, 'value', 'id'));
      expect(valueAtPath(shown.state, 'view', 'files', id)).toEqual({
        name: 'x',
        mediaType,
        uri: null,
        bytes: 4,
        messageId: 'm-1',
      });
    },
  );

  test('a file of an agent in an artifact is given the same way, and the state has the reference', () => {
    const log = afterTurn(startLog(), chunk(anArtifact('a-1', [file()])));
    expect(eventsOf(log, 'CUSTOM')).toMatchObject([
      { value: { artifactId: 'a-1', content: { source: { value: 'QUJDRA==' } } } },
    ]);
    expect(valueAtPath(log.p.state, 'view', 'artifacts', 'a-1')).toMatchObject({ name: 'r.pdf', bytes: 4 });
  });

  test('a file of an agent by address is given by that', () => {
    const log = messageWith([file({ uri: 'https://x/y.png', base64: null, mediaType: 'image/png' })]);
    expect(eventsOf(log, 'CUSTOM')).toMatchObject([
      { value: { content: { type: 'image', source: { type: 'url', value: 'https://x/y.png' } }, bytes: null } },
    ]);
  });

  test('a file of an agent above 256 KiB, or beyond 4 MiB in a run, is a reference', () => {
    const large = file({ base64: 'A'.repeat(400_000) });
    expect(eventsOf(messageWith([large]), 'CUSTOM')).toMatchObject([
      { value: { bytes: 300_000, content: null, omitted: 'too_large' } },
    ]);
    const many = Array.from({ length: 30 }, (_, i) => file({ name: `${i}`, base64: 'A'.repeat(280_000) }));
    const given = eventsOf(messageWith(many), 'CUSTOM').map((event) => valueAtPath(event, 'value', 'omitted'));
    expect(given.filter((omitted) => omitted === null)).toHaveLength(19);
  });

  test('a file of an agent without bytes and address is named all the same', () => {
    const log = messageWith([file({ base64: null })]);
    expect(eventsOf(log, 'CUSTOM')).toMatchObject([
      { value: { name: 'r.pdf', content: null, omitted: 'unavailable' } },
    ]);
  });

  test('a file of an agent is given once in a run, and not by the runs that follow', () => {
    const message = gives('m-1', [file()]);
    const whole = aSnapshot({ history: [message], artifacts: [anArtifact('a-1', [file()])] });
    const log = afterTurn(startLog(), whole, status('working', message));
    expect(eventsOf(log, 'CUSTOM')).toHaveLength(2);
    const next = nextLog(withEvents(log, pauseEvents(log.p, aPause(), ctx)));
    expect(eventsOf(afterTurn(next, whole), 'CUSTOM')).toEqual([]);
  });

  test('a file of an agent in a reply that is only a message leaves the state alone', async () => {
    const log = afterTurn(startLog(), { type: 'message', message: gives('m-1', [file()]), contextId: null });
    const shown = await expectShown(
      withEvents(log, endEvents(log.p, { kind: 'message-only', message: '' }, ctx)).events,
    );
    expect([eventsOf(log, 'CUSTOM').length, shown.state]).toEqual([1, {}]);
  });

  test('a file of an agent comes again with its bytes when the run is restated', async () => {
    const log = done(messageWith([file()]));
    const reader = { threadId: 't-1', runId: 'r-9', protocol: '1.0', clientState: {}, clientMessages: [] };
    const events = restateEvents(reader, log.p, { type: 'success' });
    expect(events.filter(({ type }) => type === 'CUSTOM')).toEqual(eventsOf(log, 'CUSTOM'));
    await expectShown(events);
  });
});

describe('data in a message', () => {
  test('data in a message that means nothing else is given as it is, once', async () => {
    const message = gives('m-1', [data({ sum: 3 })]);
    const log = afterTurn(startLog(), status('working', message), aSnapshot({ history: [message] }));
    expect(eventsOf(log, 'CUSTOM')).toMatchObject([
      { name: 'standfast.data', value: { data: { sum: 3 }, messageId: 'm-1' } },
    ]);
    await expectShown(done(log).events);
  });

  test('data in a message in which a model calls functions, or an agent asked before, is not passed on', () => {
    const credential = { id: 'adk-1', name: 'adk_request_credential', args: { authConfig: { secret: 's3cret' } } };
    const parts: NeutralPart[] = [
      dialectData(credential, { adk_type: 'function_call' }),
      dialectData({ id: 'k', name: 'x' }, { kagent_type: 'function_response' }),
      dialectData({ type: 'a2a.hitl.form', formId: 'f' }),
    ];
    const message = gives('m-1', parts);
    const log = afterTurn(startLog(), status('working', message), aSnapshot({ history: [message] }));
    expect(eventsOf(log, 'CUSTOM')).toEqual([]);
    expect(JSON.stringify(log.events)).not.toContain('s3cret');
  });

  test('data in a message of a question is left to the question', () => {
    const form = dialectData({ type: 'a2a.hitl.form', formId: 'f' });
    const log = afterTurn(startLog(), status('input-required', gives('m-ask', [form])));
    expect(eventsOf(log, 'CUSTOM')).toEqual([]);
  });
});
