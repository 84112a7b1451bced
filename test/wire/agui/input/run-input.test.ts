import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import type { NeutralPart } from '../../../../src/contract/tasks/turn.ts';
import { ownRunIdOf } from '../../../../src/core/base/ids.ts';
import { partsOfRun } from '../../../../src/wire/agui/input/run-messages.ts';
import { changePayloads } from '../../../../src/wire/agui/input/resume-payloads.ts';
import { readRunInput, type RunInput } from '../../../../src/wire/agui/input/run-input.ts';
import { wireOutputModes } from '../../../../src/wire/agui/input/run-options.ts';

const aBody = (change: object = {}): object => ({
  threadId: 't-1',
  runId: 'r-1',
  protocolVersion: '1.0',
  messages: [{ id: 'u-1', role: 'user', content: 'Hi' }],
  ...change,
});

function read(change: object = {}): RunInput {
  const result = readRunInput(aBody(change));
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.input;
}

function pathsOf(body: unknown): string[] {
  const result = readRunInput(body);
  return result.ok ? [] : result.errors.map(({ path }) => path);
}

describe('the body of a run', () => {
  // Promise CO16
  test('the body of a run is read with all its parts, and again from what is kept of it', () => {
    const input = read({ parentRunId: 'r-0', state: { a: 1 }, extra: { kept: true } });
    expect(input).toMatchObject({
      threadId: 't-1',
      runId: 'r-1',
      protocolVersion: '1.0',
      state: { a: 1 },
      resume: null,
      options: {
        mode: 'stream',
        taskId: null,
        contextId: null,
        subscribeOnly: false,
        historyLength: null,
        acceptedOutputModes: ['text'],
        includeToolMessages: true,
        includeSystemMessages: false,
        includeDeveloperMessages: false,
        artifactBasePath: '/view/artifacts',
        metadata: null,
      },
      body: { parentRunId: 'r-0', extra: { kept: true } },
    });
    expect(readRunInput(input.body)).toEqual({ ok: true, input });
  });

  // Promise G24
  test('the body of a run of an older client may say null where 1.0 leaves a key out', () => {
    const nulls = {
      protocolVersion: null,
      parentRunId: null,
      state: null,
      tools: null,
      context: null,
      forwardedProps: null,
      resume: null,
    };
    const input = read(nulls);
    expect(Object.keys(input)).not.toContain('protocolVersion');
    expect([input.state, input.resume]).toEqual([undefined, null]);
  });

  test('the body of a run keeps pictures and files of a message, and they become parts for the agent', () => {
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image', source: { type: 'url', value: 'https://x/y.png', mimeType: 'image/png' } },
      {
        type: 'document',
        source: { type: 'data', value: 'QUJD', mimeType: 'application/pdf' },
        metadata: { filename: 'a.pdf' },
      },
    ];
    const expected: NeutralPart[] = [
      { kind: 'text', text: 'See', metadata: {} },
      { kind: 'file', name: 'file-2.png', mediaType: 'image/png', uri: 'https://x/y.png', base64: null, metadata: {} },
      { kind: 'file', name: 'a.pdf', mediaType: 'application/pdf', uri: null, base64: 'QUJD', metadata: {} },
    ];
    expect(partsOfRun(read({ messages: [{ id: 'u-1', role: 'user', content }] }).body)).toEqual(expected);
  });

  test('the body of a run brings no message when the assistant has spoken since the last one', () => {
    const messages = [
      { id: 'u-1', role: 'user', content: 'Hi' },
      { id: 'm-1', role: 'assistant', content: 'Hello' },
    ];
    expect(partsOfRun(read({ messages }).body)).toEqual([]);
  });

  // Promise G30, G31
  test.each<{ name: string; body: unknown; paths: string[] }>([
    { name: 'no object', body: [], paths: [''] },
    { name: 'a missing message list', body: { threadId: 't', runId: 'r' }, paths: ['messages'] },
    {
      name: 'an unknown role',
      body: aBody({ messages: [{ id: '1', role: 'boss', content: '' }] }),
      paths: ['messages.0.role'],
    },
    { name: 'a thread id with a control character', body: aBody({ threadId: 'a\u0001' }), paths: ['threadId'] },
    {
      name: 'a run id as Standfast gives them to runs of its own',
      body: aBody({ runId: ownRunIdOf('6f041ca5-a084-58bd-990a-b5f3f3851d75', 'turn-2') }),
      paths: ['runId'],
    },
    { name: 'a run id of 129 bytes', body: aBody({ runId: 'é'.repeat(65) }), paths: ['runId'] },
    {
      name: '__proto__',
      body: JSON.parse('{"threadId":"t","runId":"r","messages":[],"state":{"__proto__":1}}'),
      paths: ['state'],
    },
    { name: 'NUL', body: aBody({ state: { a: ['\0'] } }), paths: ['state.a.0'] },
    { name: 'half a surrogate pair', body: aBody({ state: { a: '\ud800' } }), paths: ['state.a'] },
    {
      name: 'too much depth',
      body: aBody({ state: JSON.parse('['.repeat(100) + ']'.repeat(100)) }),
      paths: [`state${'.0'.repeat(64)}`],
    },
    { name: 'too many values', body: aBody({ state: Array(300_000).fill(1) }), paths: ['state.199990'] },
    { name: 'options that are no object', body: aBody({ forwardedProps: { a2a: 3 } }), paths: ['forwardedProps.a2a'] },
    {
      name: 'subscribeOnly that is not a boolean',
      body: aBody({ forwardedProps: { a2a: { subscribeOnly: 'yes' } } }),
      paths: ['forwardedProps.a2a.subscribeOnly'],
    },
    {
      name: 'a new message without a part',
      body: aBody({ messages: [{ id: 'u-1', role: 'user', content: [] }] }),
      paths: ['messages.0.content'],
    },
    {
      name: 'a new picture that lies at a provider',
      body: aBody({
        messages: [
          { id: 'u-1', role: 'user', content: [{ type: 'image', source: { type: 'file', value: 'file-1' } }] },
          { id: 'm-1', role: 'assistant', content: 'No picture.' },
          {
            id: 'u-2',
            role: 'user',
            content: [
              { type: 'text', text: 'See' },
              { type: 'image', source: { type: 'file', value: 'file-1' } },
            ],
          },
        ],
      }),
      paths: ['messages.2.content.1.source'],
    },
    {
      name: 'a task id that is not a text',
      body: aBody({ forwardedProps: { a2a: { taskId: 7 } } }),
      paths: ['forwardedProps.a2a.taskId'],
    },
    {
      name: 'a context id too long',
      body: aBody({ forwardedProps: { a2a: { contextId: 'x'.repeat(201) } } }),
      paths: ['forwardedProps.a2a.contextId'],
    },
    {
      name: 'an output mode that is not a text',
      body: aBody({ forwardedProps: { a2a: { acceptedOutputModes: ['text/plain', 1] } } }),
      paths: ['forwardedProps.a2a.acceptedOutputModes.1'],
    },
    {
      name: 'metadata that is a list',
      body: aBody({ forwardedProps: { a2a: { metadata: [] } } }),
      paths: ['forwardedProps.a2a.metadata'],
    },
  ])('the body of a run with $name is refused by the path of it', ({ body, paths }) => {
    expect(pathsOf(body)).toEqual(paths);
  });

  // Promise B1
  test.each<{ name: string; a2a: object; path: string }>([
    { name: 'an unknown mode', a2a: { mode: 'poll' }, path: 'mode' },
    {
      name: 'subscribeOnly where nothing is streamed',
      a2a: { mode: 'send', subscribeOnly: true },
      path: 'subscribeOnly',
    },
    { name: 'a history of half a message', a2a: { historyLength: 0.5 }, path: 'historyLength' },
    { name: 'a history of less than nothing', a2a: { historyLength: -1 }, path: 'historyLength' },
    { name: 'includeToolMessages that is not a boolean', a2a: { includeToolMessages: 1 }, path: 'includeToolMessages' },
    {
      name: 'includeSystemMessages that is not a boolean',
      a2a: { includeSystemMessages: 'no' },
      path: 'includeSystemMessages',
    },
    {
      name: 'includeDeveloperMessages that is not a boolean',
      a2a: { includeDeveloperMessages: [] },
      path: 'includeDeveloperMessages',
    },
    { name: 'artifacts outside /view', a2a: { artifactBasePath: '/artifacts' }, path: 'artifactBasePath' },
    { name: 'artifacts among our own', a2a: { artifactBasePath: '/view/tasks' }, path: 'artifactBasePath' },
    { name: 'artifacts on a prototype', a2a: { artifactBasePath: '/view/__proto__' }, path: 'artifactBasePath' },
    {
      name: 'an Engram update of an unknown scope',
      a2a: { engramUpdate: { scope: 'all', update: 1 } },
      path: 'engramUpdate.scope',
    },
  ])('the body of a run with $name is refused by the name of the option', ({ a2a, path }) => {
    expect(pathsOf(aBody({ forwardedProps: { a2a } }))).toEqual([`forwardedProps.a2a.${path}`]);
  });

  test('the body of a run may leave any option out, say null, or end its path in a slash', () => {
    const a2a = {
      mode: null,
      historyLength: 20,
      includeToolMessages: false,
      includeSystemMessages: true,
      artifactBasePath: '/view/docs/',
    };
    expect(read({ forwardedProps: { a2a } }).options).toMatchObject({
      mode: 'stream',
      historyLength: 20,
      includeToolMessages: false,
      includeSystemMessages: true,
      artifactBasePath: '/view/docs',
    });
  });

  test('the body of a run with bytes that are no base64 is refused by their path, unless they were sent before', () => {
    const content = [{ type: 'image', source: { type: 'data', value: 'not base64!', mimeType: 'image/png' } }];
    const messages = [{ id: 'u-1', role: 'user', content }];
    expect(pathsOf(aBody({ messages }))).toEqual(['messages.0.content.0.source.value']);
    const later = [
      ...messages,
      { id: 'm-1', role: 'assistant', content: 'A picture?' },
      { id: 'u-2', role: 'user', content: 'No' },
    ];
    expect(pathsOf(aBody({ messages: later }))).toEqual([]);
  });

  test('the body of a run may have options we do not know', () => {
    const options = {
      subscribeOnly: true,
      taskId: 'a2a-1',
      acceptedOutputModes: ['text/plain'],
      metadata: { k: 1 },
      mine: 5,
    };
    expect(read({ forwardedProps: { a2a: options, other: 1 } }).options).toMatchObject({
      subscribeOnly: true,
      taskId: 'a2a-1',
      contextId: null,
      acceptedOutputModes: ['text/plain'],
      metadata: { k: 1 },
    });
  });
});

describe('the context of the front end', () => {
  const contextOf = (bytes: number): object => ({ context: [{ description: 'Page', value: 'x'.repeat(bytes) }] });

  // Promise BR1
  test('the context of the front end is taken up to 256 KiB, and more is refused by its path', () => {
    expect(read(contextOf(250 * 1024)).body['context']).toHaveLength(1);
    expect(readRunInput(aBody(contextOf(257 * 1024)))).toEqual({
      ok: false,
      errors: [{ path: 'context', message: 'has 258 KiB; at most 256 KiB go to an agent with a message' }],
    });
  });
});

describe('answers', () => {
  const entry = { interruptId: 'i-1', status: 'resolved', payload: { days: 3 }, reason: null, digest: null };

  // Promise G11
  test.each<{ name: string; body: object }>([
    { name: 'the list of 1.0', body: { resume: [{ interruptId: 'i-1', status: 'resolved', payload: { days: 3 } }] } },
    { name: 'a list without status', body: { resume: [{ interruptId: 'i-1', payload: { days: 3 } }] } },
    { name: 'one object', body: { resume: { interruptId: 'i-1', payload: { days: 3 } } } },
    {
      name: 'the bridge option',
      body: { forwardedProps: { a2a: { resume: { interruptId: 'i-1', payload: { days: 3 } } } } },
    },
    {
      name: 'beside an empty list',
      body: { resume: [], forwardedProps: { a2a: { resume: [{ interruptId: 'i-1', payload: { days: 3 } }] } } },
    },
  ])('answers are read from $name', ({ body }) => {
    expect(read(body).resume).toEqual([entry]);
    expect(read(read(body).body).resume).toEqual([entry]);
  });

  test("answers of LangGraph's command name no question: it is the only open one", () => {
    expect(read({ forwardedProps: { command: { resume: 'yes' } } }).resume).toEqual([
      { ...entry, interruptId: null, payload: 'yes' },
    ]);
    const cancelled = read({ forwardedProps: { command: { resume: false, interruptEvent: {} } } }).resume;
    expect(cancelled).toMatchObject([{ interruptId: null, status: 'cancelled', payload: null }]);
  });

  // Promise G11
  test.each([{ id: 'i-7', reason: 'input_required' }, '{"id":"i-7"}'])(
    'answers of the command name the question of the on_interrupt event that comes back with them: %j',
    (interruptEvent) => {
      const forwardedProps = { command: { resume: '{"days":3}', interruptEvent } };
      expect(read({ forwardedProps }).resume).toMatchObject([{ interruptId: 'i-7', payload: '{"days":3}' }]);
    },
  );

  // Promise G11
  test.each<{ name: string; resume: unknown }>([
    { name: 'an object', resume: { 'input-a2a-1-1': { days: 3 }, 'hitl-a2a-1-2': 'yes' } },
    { name: 'its JSON text', resume: '{"input-a2a-1-1":{"days":3},"hitl-a2a-1-2":"yes"}' },
  ])('answers of the command may be a map of questions, as LangGraph writes for several: $name', ({ resume }) => {
    expect(read({ forwardedProps: { command: { resume } } }).resume).toEqual([
      { ...entry, interruptId: 'input-a2a-1-1' },
      { ...entry, interruptId: 'hitl-a2a-1-2', payload: 'yes' },
    ]);
  });

  // Promise G11
  test.each<{ name: string; command: JsonObject }>([
    { name: 'one key is a field', command: { resume: { 'input-a2a-1-1': 1, days: 3 } } },
    { name: 'it is empty', command: { resume: {} } },
    { name: 'its question is named', command: { resume: { 'input-a2a-1-1': 1 }, interruptEvent: { id: 'i-7' } } },
  ])('answers of the command are one answer where $name', ({ command }) => {
    expect(read({ forwardedProps: { command } }).resume).toHaveLength(1);
  });

  // Promise G11
  test('answers of the command in a map are changed one by one, each under its question', () => {
    const forwardedProps = { command: { resume: { 'input-a-1': { pin: '1' }, 'input-a-2': '{"pin":"2"}' } } };
    const changed = changePayloads(read({ forwardedProps }).body, (payload, id) => ({ ...payload, of: id }));
    expect(changed['forwardedProps']).toEqual({
      command: { resume: { 'input-a-1': { pin: '1', of: 'input-a-1' }, 'input-a-2': { pin: '2', of: 'input-a-2' } } },
    });
  });

  // Promise CO18
  test.each([{ metadata: { reason: 'No' }, payload: { reason: 'Other' } }, { payload: { reason: 'No' } }])(
    'answers that cancel carry their reason',
    (more) => {
      const resume = [{ interruptId: 'i-1', status: 'cancelled', ...more }];
      expect(read({ resume }).resume).toMatchObject([{ status: 'cancelled', reason: 'No' }]);
    },
  );

  test('answers may carry the digest of what was on the screen', () => {
    const resume = [{ interruptId: 'i-1', status: 'resolved', metadata: { digest: 'sha256:00' } }];
    expect(read({ resume }).resume).toMatchObject([{ payload: null, digest: 'sha256:00' }]);
  });

  // Promise G12
  test.each<{ name: string; body: object; paths: string[] }>([
    {
      name: 'in two spellings',
      body: { resume: [{ interruptId: 'i' }], forwardedProps: { command: { resume: 1 } } },
      paths: ['forwardedProps.command.resume'],
    },
    {
      name: 'twice to one question',
      body: { resume: [{ interruptId: 'i' }, { interruptId: 'i' }] },
      paths: ['resume'],
    },
    {
      name: 'with an unknown status',
      body: { resume: [{ interruptId: 'i', status: 'maybe' }] },
      paths: ['resume.0.status'],
    },
    { name: 'without a question', body: { resume: [{ payload: 1 }] }, paths: ['resume.0.interruptId'] },
    {
      name: 'that are no objects',
      body: { forwardedProps: { a2a: { resume: 'yes' } } },
      paths: ['forwardedProps.a2a.resume'],
    },
  ])('answers $name are refused', ({ body, paths }) => {
    expect(pathsOf(aBody(body))).toEqual(paths);
  });
});

// Promise B4
test('agents receive MIME types, and that JSON is accepted, since questions are data', () => {
  expect(wireOutputModes(['text'])).toEqual(['text/plain', 'application/json']);
  expect(wireOutputModes(['text', 'image/png', 'application/json'])).toEqual([
    'text/plain',
    'image/png',
    'application/json',
  ]);
});
